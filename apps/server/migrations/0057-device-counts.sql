-- How many living devices an organization has per group, carrier and connection state: the totals of lists, of groups and of the overview, without
-- counting rows. Triggers add the difference of each statement as further rows; the sum of all rows is exact in every snapshot. No row is ever
-- updated, so that changes of one organization do not wait for each other. A job merges the rows (devices.counts.ts).
create table device_counts (
  organization_id uuid not null,
  main_account_id uuid not null,
  group_key text collate "C" not null,
  carrier text collate "C",
  presence text collate "C" not null,
  devices bigint not null,
  -- False once it was merged.
  is_new boolean not null default true
) with (autovacuum_vacuum_scale_factor = 0.2, autovacuum_vacuum_threshold = 1000);
create index device_counts_by_group on device_counts (organization_id, group_key) include (carrier, presence, devices);
create index device_counts_of_main on device_counts (main_account_id) include (organization_id, carrier, presence, devices);
create index device_counts_new on device_counts (organization_id) where is_new;

grant select, insert, delete on device_counts to highline_serve;

create function count_added_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into device_counts (organization_id, main_account_id, group_key, carrier, presence, devices)
  select d.organization_id, d.main_account_id, d.group_key, d.carrier, d.presence, count(*)
  from added d where d.archived_at is null group by 1, 2, 3, 4, 5;
  return null;
end $$;

create function count_removed_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into device_counts (organization_id, main_account_id, group_key, carrier, presence, devices)
  select d.organization_id, d.main_account_id, d.group_key, d.carrier, d.presence, -count(*)
  from removed d where d.archived_at is null group by 1, 2, 3, 4, 5;
  return null;
end $$;

create function count_changed_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into device_counts (organization_id, main_account_id, group_key, carrier, presence, devices)
  select organization_id, main_account_id, group_key, carrier, presence, sum(n) from (
    select d.organization_id, d.main_account_id, d.group_key, d.carrier, d.presence, 1 as n from added d where d.archived_at is null
    union all
    select d.organization_id, d.main_account_id, d.group_key, d.carrier, d.presence, -1 from removed d where d.archived_at is null
  ) changed group by 1, 2, 3, 4, 5 having sum(n) <> 0;
  return null;
end $$;

create function count_no_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from device_counts;
  return null;
end $$;

create trigger devices_emptied after truncate on devices for each statement execute function count_no_devices();
create trigger devices_added after insert on devices referencing new table as added
  for each statement execute function count_added_devices();
create trigger devices_removed after delete on devices referencing old table as removed
  for each statement execute function count_removed_devices();
create trigger devices_changed after update on devices referencing old table as removed new table as added
  for each statement execute function count_changed_devices();

-- The triggers hold a lock until here: no change lies between them and these counts.
insert into device_counts (organization_id, main_account_id, group_key, carrier, presence, devices, is_new)
  select organization_id, main_account_id, group_key, carrier, presence, count(*), false from devices where archived_at is null group by 1, 2, 3, 4, 5;
analyze device_counts;
