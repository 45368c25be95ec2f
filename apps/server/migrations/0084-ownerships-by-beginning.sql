-- highline: concurrently
-- The routers that changed hands in the last minutes, of which an outage may go on.
create index concurrently if not exists router_ownership_by_beginning on router_ownership (owned_from);
