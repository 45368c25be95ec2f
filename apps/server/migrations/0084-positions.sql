-- Positions of routers, at most one for each router and second (docs/decisions/0052-positions.md). Partitioned by day, with a retention of its own
-- (POSITION_DAYS), so it is not among partitioned_by_day().
create table positions (
  router_id uuid not null,
  -- A whole second, by the clock of the satellites.
  at timestamptz not null,
  -- Degrees, WGS 84.
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  -- Metres.
  accuracy real,
  -- Kilometres per hour.
  speed real,
  -- Degrees from north, clockwise.
  heading real,
  -- Farther from the position before than a vehicle can drive in the time.
  is_jump boolean not null,
  primary key (router_id, at)
) partition by range (at);

-- The newest position of each router: one row, read by lists and maps. Every row is updated often, so there is space for the next version in its page
-- and no index on what changes.
create table router_positions (
  router_id uuid primary key,
  at timestamptz not null,
  latitude double precision not null,
  longitude double precision not null,
  accuracy real,
  speed real,
  heading real,
  is_jump boolean not null,
  -- When it was stored: a map asks for what is newer than its last answer.
  stored_at timestamptz not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

grant select, insert, update, delete on positions, router_positions to highline_serve;

-- Create the partitions of positions for these days. Idempotent.
create function ensure_position_partitions(first_day date, last_day date) returns void
language plpgsql security definer set search_path from current as $$
declare
  day date := first_day;
  child text;
begin
  -- Two nodes may ask on the same midnight; the second waits and finds the work done.
  perform pg_advisory_xact_lock(hashtext('ensure_position_partitions'));
  while day <= last_day loop
    child := 'positions_' || to_char(day, 'YYYYMMDD');
    if to_regclass(quote_ident(child)) is null then
      execute format('create table %I partition of positions for values from (%L) to (%L)', child,
        to_char(day, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(day + 1, 'YYYY-MM-DD') || ' 00:00:00+00');
    end if;
    day := day + 1;
  end loop;
end $$;

create function drop_position_partitions_before(day date) returns integer
language plpgsql security definer set search_path from current as $$
declare
  child record;
  dropped integer := 0;
begin
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'positions'::regclass and right(c.relname, 8) < to_char(day, 'YYYYMMDD')
  loop
    execute format('drop table %I', child.relname);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

revoke all on function ensure_position_partitions(date, date), drop_position_partitions_before(date) from public;
grant execute on function ensure_position_partitions(date, date), drop_position_partitions_before(date) to highline_serve;
