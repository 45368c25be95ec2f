-- highline: concurrently
-- Entries of one person, and about one kind of thing, in the order of the log (LOG-01).

create index concurrently if not exists audit_entries_by_actor on audit_entries (chain_id, actor_email, at, seq);
create index concurrently if not exists audit_entries_by_kind on audit_entries (chain_id, subject_kind, at, seq);
