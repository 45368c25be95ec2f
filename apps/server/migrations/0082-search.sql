-- The numbers by which the palette finds a device (docs/decisions/0051-palette-and-saved-views.md). They have a table of their own, because an index on
-- `devices` would get a new entry with each change of a connection.
create table device_identifiers (
  device_id uuid not null,
  kind text collate "C" not null check (kind in ('iccid', 'imei', 'mtn', 'mac')),
  value text collate "C" not null,
  organization_id uuid not null,
  main_account_id uuid not null,
  primary key (device_id, kind)
);
create index device_identifiers_by_value on device_identifiers (organization_id, value) include (device_id, kind);
create index device_identifiers_of_main on device_identifiers (main_account_id, value) include (device_id, kind);
create index device_identifiers_search on device_identifiers using gin (value gin_trgm_ops);
grant select, insert, delete on device_identifiers to highline_serve;

create function identify_added_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into device_identifiers (device_id, kind, value, organization_id, main_account_id)
  select d.id, i.kind, i.value, d.organization_id, d.main_account_id
  from added d cross join lateral (values ('iccid', d.iccid), ('imei', d.imei), ('mtn', d.mtn), ('mac', d.mac)) i (kind, value)
  where d.archived_at is null and i.value <> '';
  return null;
end $$;

create function identify_changed_device() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from device_identifiers where device_id = old.id;
  if new.archived_at is null then
    insert into device_identifiers (device_id, kind, value, organization_id, main_account_id)
    select new.id, i.kind, i.value, new.organization_id, new.main_account_id
    from (values ('iccid', new.iccid), ('imei', new.imei), ('mtn', new.mtn), ('mac', new.mac)) i (kind, value)
    where i.value <> '';
  end if;
  return null;
end $$;

create function forget_removed_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from device_identifiers i using removed d where i.device_id = d.id;
  return null;
end $$;

create function forget_all_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from device_identifiers;
  return null;
end $$;

create trigger devices_identified after insert on devices referencing new table as added
  for each statement execute function identify_added_devices();
create trigger devices_forgotten after delete on devices referencing old table as removed
  for each statement execute function forget_removed_devices();
create trigger devices_all_forgotten after truncate on devices for each statement execute function forget_all_devices();
-- Only where one of the numbers changed: connections and readings do not.
create trigger devices_identified_again after update of iccid, imei, mtn, mac, organization_id, archived_at on devices for each row
  when ((old.iccid, old.imei, old.mtn, old.mac, old.organization_id, old.archived_at)
    is distinct from (new.iccid, new.imei, new.mtn, new.mac, new.organization_id, new.archived_at))
  execute function identify_changed_device();

-- The triggers hold a lock until here: no change lies between them and these rows.
insert into device_identifiers (device_id, kind, value, organization_id, main_account_id)
  select d.id, i.kind, i.value, d.organization_id, d.main_account_id
  from devices d cross join lateral (values ('iccid', d.iccid), ('imei', d.imei), ('mtn', d.mtn), ('mac', d.mac)) i (kind, value)
  where d.archived_at is null and i.value <> '';
analyze device_identifiers;
