-- Data used per SIM (docs/decisions/0058-usage.md).

-- Counters of modems as routers reported them, one row for each report and modem: what a late report is compared with. Partitioned by day, kept as
-- long as late reports are accepted.
create table usage_readings (
  router_id uuid not null,
  -- Instance of Device.Cellular.Interface.
  modem integer not null,
  at timestamptz not null,
  -- The SIM in use; '' = the report did not say, and none was known.
  iccid text collate "C" not null,
  -- Seconds since the router started; null = not reported.
  uptime bigint,
  -- Bytes.
  sent bigint not null,
  received bigint not null,
  primary key (router_id, modem, at)
) partition by range (at);

-- The newest of them for each modem: what the next report is compared with, however late it comes. Locked while readings of the router are added.
create table usage_heads (
  router_id uuid not null,
  modem integer not null,
  at timestamptz not null,
  iccid text collate "C" not null,
  uptime bigint,
  sent bigint not null,
  received bigint not null,
  -- Of its first reading ever.
  first_at timestamptz not null,
  primary key (router_id, modem)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- SIMs that an organization used data with.
create table usage_sims (
  organization_id uuid not null,
  iccid text collate "C" not null,
  -- As its router reported it when the SIM was first used; '' = unknown.
  carrier text collate "C" not null default '',
  -- The plan that applies, and the day of month on which its cycle begins. Cycles below are of this day.
  plan_id uuid,
  cycle_day integer not null default 1 check (cycle_day between 1 and 28),
  created_at timestamptz not null default now(),
  primary key (organization_id, iccid)
);

-- Bytes of a SIM in a device on a day of UTC.
create table usage_days (
  organization_id uuid not null,
  day date not null,
  iccid text collate "C" not null,
  device_id uuid not null,
  sent bigint not null,
  received bigint not null,
  primary key (organization_id, day, iccid, device_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index usage_days_by_sim on usage_days (organization_id, iccid, day);
create index usage_days_by_device on usage_days (organization_id, device_id, day);
create index usage_days_by_day on usage_days using brin (day);

-- The same by cycle: the sum of the days from `cycle_from` on.
create table usage_cycles (
  organization_id uuid not null,
  cycle_from date not null,
  iccid text collate "C" not null,
  device_id uuid not null,
  sent bigint not null,
  received bigint not null,
  primary key (organization_id, cycle_from, iccid, device_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index usage_cycles_by_device on usage_cycles (organization_id, device_id, cycle_from);
create index usage_cycles_by_day on usage_cycles using brin (cycle_from);
create index usage_cycles_by_sim on usage_cycles (organization_id, iccid, cycle_from);

-- Bytes of an organization on a day of UTC: the sum of its usage_days.
create table usage_totals (
  organization_id uuid not null,
  day date not null,
  sent bigint not null,
  received bigint not null,
  primary key (organization_id, day)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

grant select, insert, update, delete on usage_readings, usage_heads, usage_sims, usage_days, usage_cycles, usage_totals to highline_serve;

-- The first day of the cycle that a day belongs to. @param cycle_day 1 to 28
create function usage_cycle_of(day date, cycle_day integer) returns date language sql immutable parallel safe as $$
  select (date_trunc('month', (day - (cycle_day - 1))::timestamp))::date + (cycle_day - 1)
$$;
revoke all on function usage_cycle_of(date, integer) from public;
grant execute on function usage_cycle_of(date, integer) to highline_serve;

-- Create the partitions of usage_readings for these days. Idempotent. (add_day_partition and drop_oldest_partition: 0107.)
create function ensure_usage_partitions(first_day date, last_day date) returns void
language plpgsql security definer set search_path from current as $$
begin
  -- Two nodes may ask on the same midnight; the second waits and finds the work done.
  perform pg_advisory_xact_lock(hashtext('ensure_usage_partitions'));
  perform add_day_partition('usage_readings', first_day + offset_days) from generate_series(0, last_day - first_day) offset_days;
end $$;

-- Returns how many it dropped, at most one: call it until that is none, each time in a transaction of its own.
create function drop_usage_partitions_before(day date) returns integer
language plpgsql security definer set search_path from current as $$
begin
  return drop_oldest_partition(array['usage_readings'], day);
end $$;

revoke all on function ensure_usage_partitions(date, date), drop_usage_partitions_before(date) from public;
grant execute on function ensure_usage_partitions(date, date), drop_usage_partitions_before(date) to highline_serve;
