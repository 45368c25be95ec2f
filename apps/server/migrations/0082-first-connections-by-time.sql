-- highline: concurrently
-- The routers that first connected within a period: few, whatever the fleet.
create index concurrently if not exists routers_by_first_connection on routers (main_account_id, first_online_at) where first_online_at is not null;
