-- highline: compatible since 0001

-- When the ticket of a terminal in the browser was used, which is possible once; null for other sessions (docs/domains/remote-access.md).
alter table remote_sessions add column terminal_at timestamptz;
