-- highline: concurrently
-- With the group, as the one of serial numbers: the lists of someone who is limited to groups skip the devices of others within the index of each order.
create index concurrently if not exists devices_by_vehicle_order_with_group on devices (organization_id, vehicle_number collate natural_order, serial, id) include (group_key, presence) where archived_at is null;
drop index concurrently if exists devices_by_vehicle_order;
create index concurrently if not exists devices_by_model_with_group on devices (organization_id, model, serial, id) include (group_key) where archived_at is null;
drop index concurrently if exists devices_by_model;
create index concurrently if not exists devices_by_uptime_with_group on devices (organization_id, up_since, id) include (group_key) where archived_at is null;
drop index concurrently if exists devices_by_uptime;
create index concurrently if not exists devices_by_firmware_with_group on devices (organization_id, firmware, serial, id) include (group_key) where archived_at is null;
drop index concurrently if exists devices_by_firmware;
create index concurrently if not exists devices_by_config_with_group on devices (organization_id, config, serial, id) include (group_key, presence) where archived_at is null;
drop index concurrently if exists devices_by_config;
create index concurrently if not exists devices_by_carrier_with_group on devices (organization_id, carrier, presence, serial, id) include (group_key) where archived_at is null;
drop index concurrently if exists devices_by_carrier;
create index concurrently if not exists devices_by_presence_with_group on devices (organization_id, presence, serial, id) include (group_key) where archived_at is null;
drop index concurrently if exists devices_by_presence;
create index concurrently if not exists devices_by_expiry_with_group on devices (organization_id, expires_on, serial, id) include (group_key, started_on, presence) where archived_at is null;
drop index concurrently if exists devices_by_expiry;
create index concurrently if not exists devices_by_health_with_group on devices (organization_id, health, serial, id) include (group_key) where archived_at is null;
drop index concurrently if exists devices_by_health;
