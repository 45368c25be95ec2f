-- highline: concurrently
-- Mails that were returned after their mail server had accepted them are listed with the undelivered ones.
create index concurrently if not exists mails_not_delivered on mails (organization_id, id)
  where organization_id is not null and next_attempt_at is null and (sent_at is null or bounced_at is not null);
drop index concurrently if exists mails_undelivered;
