-- highline: concurrently
-- The routers that left their vehicles in the last minutes, whose outages end there.
create index concurrently if not exists router_ownership_by_end on router_ownership (owned_until) where owned_until is not null;
