-- highline: concurrently
-- Device lists sorted and filtered by health.

create index concurrently if not exists devices_by_health on devices (organization_id, health, serial, id) where archived_at is null;
create index concurrently if not exists devices_of_main_by_health on devices (main_account_id, health, serial, id) where archived_at is null;
