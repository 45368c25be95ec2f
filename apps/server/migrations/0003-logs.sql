-- Searching a log by parts of who, from where and what (LOG-01), at a million entries.
create index audit_entries_email_search on audit_entries using gin (actor_email gin_trgm_ops);
create index audit_entries_address_search on audit_entries using gin (address gin_trgm_ops);
create index audit_entries_action_search on audit_entries using gin (action gin_trgm_ops);
