-- highline: compatible since 0001
-- Vehicles that are off without a fault have states of their own (docs/domains/windows.md).

-- 'on' or 'off'; null = its router does not report it.
alter table devices add column ignition text collate "C";
-- A rollout works on it, which may cut its connection; null = no. A column and no join, because devices are counted by it.
alter table devices add column is_planned boolean;
alter table router_facts drop constraint router_facts_fact_check;
alter table router_facts add constraint router_facts_fact_check
  check (fact in ('carrier', 'technology', 'firmware', 'config', 'iccid', 'uplink_kind', 'ignition')) not valid;

-- Offline and no fault: 'never' connected, 'planned' work, 'parked' with the ignition off.
create function counted_presence(presence text, since timestamptz, ignition text, is_planned boolean) returns text
  language sql immutable parallel safe as $$
  select case when presence <> 'offline' then presence when since is null then 'never' when is_planned then 'planned'
    when ignition = 'off' then 'parked' else presence end
$$;

create or replace function count_added_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into device_counts (organization_id, main_account_id, group_key, carrier, presence, devices)
  select d.organization_id, d.main_account_id, d.group_key, d.carrier,
    counted_presence(d.presence, d.presence_since, d.ignition, d.is_planned), count(*)
  from added d where d.archived_at is null group by 1, 2, 3, 4, 5;
  return null;
end $$;

create or replace function count_removed_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into device_counts (organization_id, main_account_id, group_key, carrier, presence, devices)
  select d.organization_id, d.main_account_id, d.group_key, d.carrier,
    counted_presence(d.presence, d.presence_since, d.ignition, d.is_planned), -count(*)
  from removed d where d.archived_at is null group by 1, 2, 3, 4, 5;
  return null;
end $$;

create or replace function count_changed_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into device_counts (organization_id, main_account_id, group_key, carrier, presence, devices)
  select organization_id, main_account_id, group_key, carrier, presence, sum(n) from (
    select d.organization_id, d.main_account_id, d.group_key, d.carrier,
      counted_presence(d.presence, d.presence_since, d.ignition, d.is_planned) as presence, 1 as n
    from added d where d.archived_at is null
    union all
    select d.organization_id, d.main_account_id, d.group_key, d.carrier,
      counted_presence(d.presence, d.presence_since, d.ignition, d.is_planned), -1
    from removed d where d.archived_at is null
  ) changed group by 1, 2, 3, 4, 5 having sum(n) <> 0;
  return null;
end $$;
