-- highline: concurrently
-- Names without case, and serial numbers too; see 0225 and 0226.
create unique index concurrently if not exists groups_by_name_key on groups (organization_id, name_key(name)) where not is_duplicate_name;
create unique index concurrently if not exists custom_commands_by_name_key on custom_commands (organization_id, name_key(name)) where not is_duplicate_name;
create unique index concurrently if not exists custom_properties_by_name_key on custom_properties (organization_id, name_key(name)) where not is_duplicate_name;
create unique index concurrently if not exists alert_rules_by_name_key on alert_rules (organization_id, name_key(name)) where not is_duplicate_name;
create unique index concurrently if not exists usage_plans_by_name_key on usage_plans (organization_id, name_key(name)) where not is_duplicate_name;
create unique index concurrently if not exists geofences_by_name_key on geofences (organization_id, name_key(name)) where not is_duplicate_name;
create unique index concurrently if not exists saved_views_by_name_key on saved_views (account_id, organization_id, list, name_key(name))
  nulls not distinct where account_id is not null and not is_duplicate_name;
create unique index concurrently if not exists routers_by_serial_key on routers (upper(serial)) where not is_duplicate_serial;

-- Lists in the order of their names. Like the others, the one of vehicles holds what counts need.
create index concurrently if not exists devices_by_vehicle_order on devices (organization_id, vehicle_number collate natural_order, serial, id)
  include (presence) where archived_at is null;
create index concurrently if not exists groups_by_name_order on groups (organization_id, name collate natural_order) include (key);
create index concurrently if not exists organizations_by_name_order on organizations (main_account_id, name collate natural_order, id)
  where deleted_at is null;
create index concurrently if not exists esims_by_name_order on esim_profiles (organization_id, name collate natural_order, serial, id);
create index concurrently if not exists esims_of_main_by_name_order on esim_profiles (main_account_id, name collate natural_order, serial, id);
