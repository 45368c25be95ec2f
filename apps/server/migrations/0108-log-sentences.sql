-- Key and parameters of the action of a log entry, for other languages (P14). Null: an entry of a version before it.
alter table audit_entries add column sentence jsonb;
