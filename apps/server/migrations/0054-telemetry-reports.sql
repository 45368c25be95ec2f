-- Measured values, one row for each report of a router: a column per reading, named as in facts.ts, null where the report has none.
-- The table `telemetry` (one row per value) stays until retention has emptied it: the version before this one writes it.
create table telemetry_reports (
  router_id uuid not null,
  at timestamptz not null,
  rssi double precision,
  rsrp double precision,
  rsrq double precision,
  temperature double precision,
  voltage double precision,
  bytes_sent double precision,
  bytes_received double precision,
  battery double precision
) partition by range (at);
create index telemetry_reports_by_router on telemetry_reports (router_id, at);
create index telemetry_reports_by_time on telemetry_reports (at);
grant select, insert, update, delete on telemetry_reports to highline_serve;

-- Tables with one partition for each day; further migrations add theirs.
create function partitioned_by_day() returns text[] language sql immutable as $$
  select array['telemetry', 'telemetry_reports', 'connectivity']
$$;
revoke all on function partitioned_by_day() from public;

create or replace function ensure_partitions(first_day date, last_day date) returns void
language plpgsql security definer set search_path from current as $$
declare
  parent text;
  day date;
  child text;
begin
  -- Two nodes may ask on the same midnight; the second waits and finds the work done.
  perform pg_advisory_xact_lock(hashtext('ensure_partitions'));
  foreach parent in array partitioned_by_day() loop
    day := first_day;
    while day <= last_day loop
      child := parent || '_' || to_char(day, 'YYYYMMDD');
      if to_regclass(quote_ident(child)) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)', child, parent,
          to_char(day, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(day + 1, 'YYYY-MM-DD') || ' 00:00:00+00');
      end if;
      day := day + 1;
    end loop;
  end loop;
end $$;

create or replace function drop_partitions_before(day date) returns integer
language plpgsql security definer set search_path from current as $$
declare
  child record;
  dropped integer := 0;
begin
  for child in
    select c.relname from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    join pg_class p on p.oid = i.inhparent
    where p.relname = any (partitioned_by_day()) and right(c.relname, 8) < to_char(day, 'YYYYMMDD')
  loop
    execute format('drop table %I', child.relname);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
