-- People: invited by mail. A link of either purpose sets a password; an invitation lives longer.
alter table mailed_links drop constraint mailed_links_purpose_check;
alter table mailed_links add constraint mailed_links_purpose_check check (purpose in ('reset-password', 'invitation'));

-- Cloud users are listed and sorted by name (USR-01).
create index accounts_by_name on accounts (organization_id, name collate "C", id) where organization_id is not null;

-- The way into an installation that has no account yet: one link at a time, printed at the start, worthless once used.
create table setup_links (
  -- SHA-256 of the secret.
  secret_hash bytea primary key,
  created_at timestamptz not null default now()
);
grant select, insert, delete on setup_links to highline_serve;
