-- Devices whose router never connected are counted apart from those that are offline: new routers in their boxes are no outage.
-- Processes of the version before find them neither online nor offline.
create function counted_presence(presence text, since timestamptz) returns text language sql immutable parallel safe as $$
  select case when presence = 'offline' and since is null then 'never' else presence end
$$;

create or replace function count_added_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into device_counts (organization_id, main_account_id, group_key, carrier, presence, devices)
  select d.organization_id, d.main_account_id, d.group_key, d.carrier, counted_presence(d.presence, d.presence_since), count(*)
  from added d where d.archived_at is null group by 1, 2, 3, 4, 5;
  return null;
end $$;

create or replace function count_removed_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into device_counts (organization_id, main_account_id, group_key, carrier, presence, devices)
  select d.organization_id, d.main_account_id, d.group_key, d.carrier, counted_presence(d.presence, d.presence_since), -count(*)
  from removed d where d.archived_at is null group by 1, 2, 3, 4, 5;
  return null;
end $$;

create or replace function count_changed_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into device_counts (organization_id, main_account_id, group_key, carrier, presence, devices)
  select organization_id, main_account_id, group_key, carrier, presence, sum(n) from (
    select d.organization_id, d.main_account_id, d.group_key, d.carrier, counted_presence(d.presence, d.presence_since) as presence, 1 as n
    from added d where d.archived_at is null
    union all
    select d.organization_id, d.main_account_id, d.group_key, d.carrier, counted_presence(d.presence, d.presence_since), -1
    from removed d where d.archived_at is null
  ) changed group by 1, 2, 3, 4, 5 having sum(n) <> 0;
  return null;
end $$;

-- Changes of devices wait from here to the end of the migration, so that none is counted by the functions from before after it. What is moved is
-- found by the index of those that are offline.
lock table devices in share row exclusive mode;
insert into device_counts (organization_id, main_account_id, group_key, carrier, presence, devices)
  select d.organization_id, d.main_account_id, d.group_key, d.carrier, k.presence, sum(k.n)
  from devices d cross join (values ('offline', -1), ('never', 1)) k (presence, n)
  where d.archived_at is null and d.presence = 'offline' and d.presence_since is null group by 1, 2, 3, 4, 5;

-- The share of devices online is one of those that have connected.
alter table organization_figures add column never_connected integer not null default 0;
alter table organization_figures add column connected_share integer
  generated always as (case when devices > never_connected then online * 1000::bigint / (devices - never_connected) end) stored;
