-- A mail with a secret link keeps its text under the master key, and no mail keeps its text once it was sent.
alter table mails add column sealed bytea;
-- Of the link in mailed_links that the mail carries: it is taken back with it.
alter table mails add column link_hash bytea;
create index mails_by_link on mails (link_hash) where link_hash is not null;

-- Of mails that were not sent the server seals the text when it starts, since only the server has the key.
update mails set plain = '', html = '' where sent_at is not null;
