-- Positions of a router in segments: one row for up to 60 positions of one hour of UTC, in arrays of equal length, in order of time
-- (docs/decisions/0135-segments-of-an-hour.md). The table `positions` is read as long as it has rows; nothing is added to it any more.

-- Segments that are complete. A segment of positions that came late may lie within the time of another one; no second is in two of them.
create table position_segments (
  router_id uuid not null,
  -- Of the first position; a whole second, by the clock of the satellites.
  at timestamptz not null,
  -- Since `at`, ascending.
  seconds smallint[] not null,
  -- Degrees × 10^7, WGS 84.
  latitudes integer[] not null,
  longitudes integer[] not null,
  -- Metres.
  accuracies real[] not null,
  -- Kilometres per hour × 10.
  speeds smallint[] not null,
  -- Degrees from north, clockwise, × 10.
  headings smallint[] not null,
  -- The seconds of positions that are farther from the one before than a vehicle can drive in the time; null = none.
  jumps smallint[],
  primary key (router_id, at)
) partition by range (at);

-- The segment that the next positions of a router are added to, locked while they are. Empty: `seconds` is '{}' and `at` the epoch.
create table open_position_segments (
  router_id uuid primary key,
  at timestamptz not null,
  seconds smallint[] not null,
  latitudes integer[] not null,
  longitudes integer[] not null,
  accuracies real[] not null,
  speeds smallint[] not null,
  headings smallint[] not null,
  jumps smallint[]
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);

-- The positions of a router from a time on and before another one, in no order. Plain SQL without a search path of its own, so that it becomes a
-- part of the statement that calls it.
create function positions_between(router uuid, first timestamptz, before timestamptz)
returns table (
  at timestamptz, latitude double precision, longitude double precision, accuracy real, speed double precision, heading double precision, is_jump boolean
) language sql stable parallel safe as $$
  select s.at + p.second * interval '1 second', p.latitude / 1e7::float8, p.longitude / 1e7::float8, p.accuracy, p.speed / 10::float8,
    p.heading / 10::float8, coalesce(p.second = any (s.jumps), false)
  from (
    select c.* from position_segments c
      where c.router_id = $1 and c.at >= date_trunc('hour', $2, 'UTC') and c.at < $3
    union all
    select o.* from open_position_segments o where o.router_id = $1 and o.at < $3
  ) s cross join lateral unnest(s.seconds, s.latitudes, s.longitudes, s.accuracies, s.speeds, s.headings)
    p (second, latitude, longitude, accuracy, speed, heading)
  where s.at + s.seconds[cardinality(s.seconds)] * interval '1 second' >= $2
    and s.at + p.second * interval '1 second' >= $2 and s.at + p.second * interval '1 second' < $3
  union all
  select f.at, f.latitude, f.longitude, f.accuracy, f.speed, f.heading, f.is_jump from positions f
    where f.router_id = $1 and f.at >= $2 and f.at < $3
$$;

-- Divide the segments of a router that begin before a time and end at it or later, so that each is entirely before or after it.
create function divide_position_segments(router uuid, moment timestamptz) returns void
language plpgsql set search_path from current as $$
declare
  s position_segments;
  -- How many positions are before.
  n integer;
begin
  for s in select c.* from position_segments c where c.router_id = router and c.at >= date_trunc('hour', moment, 'UTC') and c.at < moment
      and c.at + c.seconds[cardinality(c.seconds)] * interval '1 second' >= moment for update loop
    n := (select count(*) from unnest(s.seconds) second where s.at + second * interval '1 second' < moment);
    update position_segments c set seconds = c.seconds[:n], latitudes = c.latitudes[:n], longitudes = c.longitudes[:n],
      accuracies = c.accuracies[:n], speeds = c.speeds[:n], headings = c.headings[:n],
      jumps = (select array_agg(jump) from unnest(c.jumps) jump where jump <= c.seconds[n])
      where c.router_id = s.router_id and c.at = s.at;
    insert into position_segments (router_id, at, seconds, latitudes, longitudes, accuracies, speeds, headings, jumps)
      values (s.router_id, s.at + s.seconds[n + 1] * interval '1 second',
        (select array_agg(second - s.seconds[n + 1] order by second) from unnest(s.seconds[n + 1:]) second), s.latitudes[n + 1:],
        s.longitudes[n + 1:], s.accuracies[n + 1:], s.speeds[n + 1:], s.headings[n + 1:],
        (select array_agg(jump - s.seconds[n + 1]) from unnest(s.jumps) jump where jump > s.seconds[n]));
  end loop;
end $$;

create or replace function ensure_position_partitions(first_day date, last_day date) returns void
language plpgsql security definer set search_path from current as $$
begin
  perform pg_advisory_xact_lock(hashtext('ensure_position_partitions'));
  perform add_day_partition(parent, first_day + offset_days)
    from unnest(array['positions', 'position_segments']) parent, generate_series(0, last_day - first_day) offset_days;
end $$;

create or replace function drop_position_partitions_before(day date) returns integer
language sql security definer set search_path from current as $$
  select drop_oldest_partition(array['positions', 'position_segments'], day)
$$;

grant select, insert, update, delete on position_segments, open_position_segments to highline_serve;
revoke all on function positions_between(uuid,timestamptz,timestamptz), divide_position_segments(uuid,timestamptz) from public;
grant execute on function positions_between(uuid,timestamptz,timestamptz), divide_position_segments(uuid,timestamptz) to highline_serve;

-- Readings of counters are stored in the same way: one row for up to 60 readings of one modem, SIM and hour of UTC. The table `usage_readings` is read
-- as long as it has rows; nothing is added to it any more.

-- Segments that are complete. One of readings that came late may lie within the time of another one; no time is in two of them.
create table usage_segments (
  router_id uuid not null,
  -- Instance of Device.Cellular.Interface.
  modem integer not null,
  -- Of the first reading.
  at timestamptz not null,
  -- The SIM in use; '' = the report did not say, and none was known.
  iccid text collate "C" not null,
  -- Since `at`, ascending.
  milliseconds integer[] not null,
  -- Seconds since the router started; null = not reported.
  uptimes integer[] not null,
  -- Bytes.
  sent bigint[] not null,
  received bigint[] not null,
  primary key (router_id, modem, at)
) partition by range (at);

-- The segment that the next readings of a modem are added to. Changed only by a transaction that has locked the row of the modem in usage_heads.
create table open_usage_segments (
  router_id uuid not null,
  modem integer not null,
  at timestamptz not null,
  iccid text collate "C" not null,
  milliseconds integer[] not null,
  uptimes integer[] not null,
  sent bigint[] not null,
  received bigint[] not null,
  primary key (router_id, modem)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);

-- All stored readings, as segments.
create view all_usage_segments as
  select router_id, modem, at, iccid, milliseconds, uptimes, sent, received from usage_segments
  union all
  select router_id, modem, at, iccid, milliseconds, uptimes, sent, received from open_usage_segments
  union all
  select router_id, modem, at, iccid, array[0], array[uptime::integer], array[sent], array[received] from usage_readings;

create or replace function ensure_usage_partitions(first_day date, last_day date) returns void
language plpgsql security definer set search_path from current as $$
begin
  -- Two nodes may ask on the same midnight; the second waits and finds the work done.
  perform pg_advisory_xact_lock(hashtext('ensure_usage_partitions'));
  perform add_day_partition(parent, first_day + offset_days)
    from unnest(array['usage_readings', 'usage_segments']) parent, generate_series(0, last_day - first_day) offset_days;
end $$;

create or replace function drop_usage_partitions_before(day date) returns integer
language plpgsql security definer set search_path from current as $$
begin
  return drop_oldest_partition(array['usage_readings', 'usage_segments'], day);
end $$;

grant select, insert, update, delete on usage_segments, open_usage_segments to highline_serve;
grant select on all_usage_segments to highline_serve;
