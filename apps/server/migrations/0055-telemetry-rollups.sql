-- What reports say per router and hour, and per router and day of UTC: count, sum, least and greatest value of each reading, at the place of its
-- number. Made out of telemetry_reports by a job; one row per router and time.
create table telemetry_hours (
  router_id uuid not null,
  -- When the hour begins.
  at timestamptz not null,
  counts integer[] not null,
  sums double precision[] not null,
  mins double precision[] not null,
  maxs double precision[] not null,
  primary key (router_id, at)
) partition by range (at);
create table telemetry_days (like telemetry_hours including indexes) partition by range (at);

-- How far the job is; one row. Hours before closed_until are being rolled up or have been: who adds a report to one of them marks it in
-- telemetry_late. Hours from rolled_from to rolled_until have their rows, apart from those marks.
create table telemetry_rollup (
  only_row boolean primary key default true check (only_row),
  rolled_from timestamptz not null,
  closed_until timestamptz not null,
  rolled_until timestamptz not null
);
insert into telemetry_rollup (rolled_from, closed_until, rolled_until)
  select hour, hour, hour from date_trunc('hour', now() - interval '8 days', 'UTC') hour;

-- Not unique: a mark that another transaction relies on could be processed before that has committed.
create table telemetry_late (
  hour timestamptz not null,
  router_id uuid not null
);
create index telemetry_late_by_hour on telemetry_late (hour, router_id);

grant select, insert, update, delete on telemetry_hours, telemetry_days, telemetry_late to highline_serve;
grant select, update on telemetry_rollup to highline_serve;

-- For a transaction that adds reports, before it adds any: the time before which their hours have to be marked. Until it ends, no hour is closed.
create function telemetry_closed_until() returns timestamptz language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('telemetry_reports'));
  return (select closed_until from telemetry_rollup);
end $$;
revoke all on function telemetry_closed_until() from public;
grant execute on function telemetry_closed_until() to highline_serve;

create or replace function partitioned_by_day() returns text[] language sql immutable as $$
  select array['telemetry', 'telemetry_reports', 'telemetry_hours', 'telemetry_days', 'connectivity']
$$;
