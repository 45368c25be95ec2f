-- Coverage (docs/decisions/0070-coverage.md): signal, lost connections and minutes without one, by place.

-- How far the job is; one row. Slots of ten minutes before closed_until are due or done: who adds to one of them marks it in coverage_due.
-- Slots before marked_until were marked once by the job itself.
create table coverage_progress (
  only_row boolean primary key default true check (only_row),
  closed_until timestamptz not null,
  marked_until timestamptz not null
);
insert into coverage_progress (closed_until, marked_until) select hour, hour from date_trunc('hour', now() - interval '8 days', 'UTC') hour;

-- Slots of routers that are to be read. Not unique: a mark that another transaction relies on could be processed before that has committed.
create table coverage_due (
  slot timestamptz not null,
  router_id uuid not null,
  -- Not before; an open outage is read again when it counts in full.
  due_at timestamptz not null default '-infinity'
);
create index coverage_due_by_slot on coverage_due (slot, router_id);

-- What a router found in a hexagon within ten minutes: what is subtracted when the slot is read again. Kept as long as late reports are accepted.
create table coverage_slots (
  router_id uuid not null,
  slot timestamptz not null,
  organization_id uuid not null,
  device_id uuid not null,
  -- H3, resolution 8.
  cell text collate "C" not null,
  carrier text collate "C" not null,
  technology text collate "C" not null,
  -- Reports with a signal; and the bins of their values.
  samples integer not null,
  rsrp smallint[] not null,
  rsrq smallint[] not null,
  drops integer not null,
  lost_seconds integer not null,
  primary key (router_id, slot, organization_id, device_id, cell, carrier, technology)
) partition by range (slot);
create index coverage_slots_by_organization on coverage_slots (organization_id, slot, device_id);

-- The sum of them by organization, hexagon and day of UTC, for hexagons of several sizes. A column for each bin, null = none:
-- r0 to r34 RSRP in steps of 2 dB from -130 dBm on, q0 to q21 RSRQ in steps of 1 dB from -24 dB on (coverage/bins.ts).
create table coverage_days (
  organization_id uuid not null,
  cell text collate "C" not null,
  day date not null,
  carrier text collate "C" not null,
  technology text collate "C" not null,
  -- Of the cell, H3.
  resolution smallint not null,
  samples integer not null,
  drops integer not null,
  lost_seconds bigint not null,
  r0 integer, r1 integer, r2 integer, r3 integer, r4 integer, r5 integer, r6 integer, r7 integer, r8 integer, r9 integer, r10 integer, r11 integer,
  r12 integer, r13 integer, r14 integer, r15 integer, r16 integer, r17 integer, r18 integer, r19 integer, r20 integer, r21 integer, r22 integer, r23 integer,
  r24 integer, r25 integer, r26 integer, r27 integer, r28 integer, r29 integer, r30 integer, r31 integer, r32 integer, r33 integer, r34 integer,
  q0 integer, q1 integer, q2 integer, q3 integer, q4 integer, q5 integer, q6 integer, q7 integer, q8 integer, q9 integer, q10 integer, q11 integer,
  q12 integer, q13 integer, q14 integer, q15 integer, q16 integer, q17 integer, q18 integer, q19 integer, q20 integer, q21 integer,
  primary key (organization_id, cell, day, carrier, technology)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index coverage_days_by_day on coverage_days using brin (day);
-- Where connections were lost.
create index coverage_days_with_drops on coverage_days (organization_id, day) where resolution = 8 and drops > 0;

-- Carriers and technologies of an organization's reports, for filters.
create table coverage_networks (
  organization_id uuid not null,
  carrier text collate "C" not null,
  technology text collate "C" not null,
  last_day date not null,
  primary key (organization_id, carrier, technology)
);

-- Days of organizations whose vehicles are to be compared: those with changes since the last comparison.
create table coverage_comparisons (
  organization_id uuid not null,
  day date not null,
  changes bigint not null,
  compared_changes bigint not null default 0,
  compared_at timestamptz,
  primary key (organization_id, day)
);
create index coverage_comparisons_due on coverage_comparisons (day) where changes <> compared_changes;
create index coverage_comparisons_by_day on coverage_comparisons using brin (day);

-- A vehicle on a day against the median of the organization's other vehicles in the same hexagons, on the same carrier and technology.
create table coverage_vehicle_days (
  organization_id uuid not null,
  day date not null,
  device_id uuid not null,
  carrier text collate "C" not null,
  technology text collate "C" not null,
  -- Hexagons with enough reports of others.
  cells integer not null,
  -- Reports there with the value, and the sum of their differences to the median of the others, dB.
  rsrp_samples integer not null,
  rsrp_difference double precision not null,
  rsrq_samples integer not null,
  rsrq_difference double precision not null,
  primary key (organization_id, day, device_id, carrier, technology)
);
create index coverage_vehicle_days_by_day on coverage_vehicle_days using brin (day);

grant select, insert, update, delete on coverage_due, coverage_slots, coverage_days, coverage_networks, coverage_comparisons, coverage_vehicle_days
  to highline_serve;
grant select, update on coverage_progress to highline_serve;

-- For a transaction that has added positions, readings or lost connections: the time before which their slots have to be marked. Until it ends,
-- no slot is closed.
create function coverage_closed_until() returns timestamptz language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('coverage_slots'));
  return (select closed_until from coverage_progress);
end $$;
revoke all on function coverage_closed_until() from public;
grant execute on function coverage_closed_until() to highline_serve;

create function coverage_slot_of(at timestamptz) returns timestamptz language sql immutable parallel safe as $$
  select date_bin('10 minutes', at, '2000-01-01T00:00:00Z')
$$;
revoke all on function coverage_slot_of(timestamptz) from public;
grant execute on function coverage_slot_of(timestamptz) to highline_serve;

-- A lost connection counts where it began, also when the router comes back much later.
create function coverage_of_connectivity() returns trigger language plpgsql set search_path from current as $$
declare
  closed timestamptz := coverage_closed_until();
begin
  insert into coverage_due (slot, router_id)
    select distinct coverage_slot_of(e.at), a.router_id from added a cross join lateral (
      select a.at where a.kind = 'offline'
      union all
      (select c.at from connectivity c where a.kind = 'online' and c.router_id = a.router_id and c.kind = 'offline' and c.at < a.at
        and c.at > a.at - interval '1 day' order by c.at desc limit 1)) e
    where e.at < closed;
  return null;
end $$;
create trigger connectivity_to_coverage after insert on connectivity referencing new table as added
  for each statement execute function coverage_of_connectivity();

-- Create the partitions of coverage_slots for these days. Idempotent.
create function ensure_coverage_partitions(first_day date, last_day date) returns void
language plpgsql security definer set search_path from current as $$
begin
  -- Two nodes may ask on the same midnight; the second waits and finds the work done.
  perform pg_advisory_xact_lock(hashtext('ensure_coverage_partitions'));
  perform add_day_partition('coverage_slots', first_day + offset_days) from generate_series(0, last_day - first_day) offset_days;
end $$;

-- Returns how many it dropped, at most one: call it until that is none, each time in a transaction of its own.
create function drop_coverage_partitions_before(day date) returns integer
language plpgsql security definer set search_path from current as $$
begin
  return drop_oldest_partition(array['coverage_slots'], day);
end $$;

revoke all on function ensure_coverage_partitions(date, date), drop_coverage_partitions_before(date) from public;
grant execute on function ensure_coverage_partitions(date, date), drop_coverage_partitions_before(date) to highline_serve;
