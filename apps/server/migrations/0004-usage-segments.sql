-- Readings of counters in segments, as positions (docs/decisions/0135-segments-of-an-hour.md): one row for up to 60 readings of one modem, SIM and
-- hour of UTC, in arrays of equal length, in order of time. The table `usage_readings` is read as long as it has rows; nothing is added to it any more.

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
