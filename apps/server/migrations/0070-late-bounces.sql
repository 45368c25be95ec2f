-- Mails that a mail server accepted and returned later (docs/domains/summaries.md).
-- When the notification (RFC 3464) came; null = none has.
alter table mails add column bounced_at timestamptz;
-- When the first mail after the last rejection was accepted that has not come back: the count begins again with the next rejection. Null = there is none.
alter table summary_bounces add column accepted_at timestamptz;
-- highline: compatible since 0001
