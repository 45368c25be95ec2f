-- Names made before 0225; apart from it, so that no table is locked meanwhile.

update groups t set is_duplicate_name = true where exists (select from groups o
  where o.organization_id = t.organization_id and name_key(o.name) = name_key(t.name) and (o.created_at, o.key) < (t.created_at, t.key));
update custom_commands t set is_duplicate_name = true where exists (select from custom_commands o
  where o.organization_id = t.organization_id and name_key(o.name) = name_key(t.name) and (o.created_at, o.id) < (t.created_at, t.id));
update custom_properties t set is_duplicate_name = true where exists (select from custom_properties o
  where o.organization_id = t.organization_id and name_key(o.name) = name_key(t.name) and (o.created_at, o.key) < (t.created_at, t.key));
update alert_rules t set is_duplicate_name = true where exists (select from alert_rules o
  where o.organization_id = t.organization_id and name_key(o.name) = name_key(t.name) and (o.created_at, o.id) < (t.created_at, t.id));
update usage_plans t set is_duplicate_name = true where exists (select from usage_plans o
  where o.organization_id = t.organization_id and name_key(o.name) = name_key(t.name) and (o.created_at, o.id) < (t.created_at, t.id));
update geofences t set is_duplicate_name = true where exists (select from geofences o
  where o.organization_id = t.organization_id and name_key(o.name) = name_key(t.name) and (o.created_at, o.id) < (t.created_at, t.id));
update saved_views t set is_duplicate_name = true where account_id is not null and exists (select from saved_views o
  where o.account_id = t.account_id and o.organization_id is not distinct from t.organization_id and o.list = t.list
    and name_key(o.name) = name_key(t.name) and (o.created_at, o.id) < (t.created_at, t.id));
update routers t set is_duplicate_serial = true where exists (select from routers o
  where upper(o.serial) = upper(t.serial) and (o.created_at, o.id) < (t.created_at, t.id));
-- Composed letters, as everything typed has them from now on.
update groups t set name = normalize(name, nfc) where name is not nfc normalized and not is_duplicate_name
  and not exists (select from groups o where o.organization_id = t.organization_id and o.name = normalize(t.name, nfc));
update custom_commands t set name = normalize(name, nfc) where name is not nfc normalized and not is_duplicate_name
  and not exists (select from custom_commands o where o.organization_id = t.organization_id and o.name = normalize(t.name, nfc));
update custom_properties t set name = normalize(name, nfc) where name is not nfc normalized and not is_duplicate_name
  and not exists (select from custom_properties o where o.organization_id = t.organization_id and o.name = normalize(t.name, nfc));
update alert_rules t set name = normalize(name, nfc) where name is not nfc normalized and not is_duplicate_name
  and not exists (select from alert_rules o where o.organization_id = t.organization_id and o.name = normalize(t.name, nfc));
update usage_plans t set name = normalize(name, nfc) where name is not nfc normalized and not is_duplicate_name
  and not exists (select from usage_plans o where o.organization_id = t.organization_id and o.name = normalize(t.name, nfc));
update geofences t set name = normalize(name, nfc) where name is not nfc normalized and not is_duplicate_name
  and not exists (select from geofences o where o.organization_id = t.organization_id and o.name = normalize(t.name, nfc));
update organizations set name = normalize(name, nfc), address = normalize(address, nfc), description = normalize(description, nfc)
  where name is not nfc normalized or address is not nfc normalized or description is not nfc normalized;
update groups set description = normalize(description, nfc) where description is not nfc normalized;
update accounts set name = normalize(name, nfc) where name is not nfc normalized;
update esim_profiles set name = normalize(name, nfc) where name is not nfc normalized;
update devices set vehicle_number = normalize(vehicle_number, nfc), note = normalize(note, nfc)
  where vehicle_number is not nfc normalized or note is not nfc normalized;
update devices set tags = array(select distinct normalize(tag, nfc) from unnest(tags) as t (tag) order by 1)
  where tags <> '{}' and array_to_string(tags, '') is not nfc normalized;
update groups set tags = array(select distinct normalize(tag, nfc) from unnest(tags) as t (tag) order by 1)
  where tags <> '{}' and array_to_string(tags, '') is not nfc normalized;
update organizations set tags = array(select distinct normalize(tag, nfc) from unnest(tags) as t (tag) order by 1)
  where tags <> '{}' and array_to_string(tags, '') is not nfc normalized;
