-- When a command may be sent (docs/domains/windows.md); null = at any time.
alter table sent_commands add column work_window jsonb;
