-- highline: concurrently
-- With the group, so that the list of someone who is limited to groups skips the devices of others without reading them.
create index concurrently if not exists devices_by_serial_with_group on devices (organization_id, serial, id) include (group_key) where archived_at is null;
drop index concurrently if exists devices_by_serial;
