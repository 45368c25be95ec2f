-- highline: compatible since 0098
-- Cycles begin on any day of the month, in the time zone of the organization (docs/decisions/0097-days-of-the-organization.md).
alter table usage_sims drop constraint usage_sims_cycle_day_check;
alter table usage_sims add constraint usage_sims_cycle_day check (cycle_day between 1 and 31) not valid;
alter table usage_plans drop constraint usage_plans_cycle_day_check;
alter table usage_plans add constraint usage_plans_cycle_day check (cycle_day between 1 and 31) not valid;

-- In which zone the days of an organization are, from when on; UTC without a row. Rows stay, so that a late report is divided as it was before.
create table usage_zones (
  organization_id uuid not null,
  from_at timestamptz not null,
  -- IANA name.
  zone text collate "C" not null,
  primary key (organization_id, from_at)
);
grant select, insert, update, delete on usage_zones to highline_serve;

-- The month in which a cycle begins, as its first day: of the cycle that a day belongs to, or of so many before it. Plain expressions, so that
-- queries take them in.
create function usage_cycle_month(day date, cycle_day integer, back integer) returns timestamp language sql immutable parallel safe as $$
  select date_trunc('month', day::timestamp) - make_interval(months => back + case
    when extract(day from day) >= least(cycle_day, extract(day from date_trunc('month', day::timestamp) + interval '1 month - 1 day')) then 0 else 1 end)
$$;

-- The first day of a cycle: of the one that a day belongs to, or of so many before it (negative: after it). A cycle that begins on a day that a month
-- does not have begins on its last day. @param cycle_day 1 to 31
create function usage_cycle(day date, cycle_day integer, back integer) returns date language sql immutable parallel safe as $$
  select usage_cycle_month(day, cycle_day, back)::date
    + least(cycle_day, extract(day from usage_cycle_month(day, cycle_day, back) + interval '1 month - 1 day')::integer) - 1
$$;
revoke all on function usage_cycle_month(date, integer, integer), usage_cycle(date, integer, integer) from public;
grant execute on function usage_cycle_month(date, integer, integer), usage_cycle(date, integer, integer) to highline_serve;

-- As before for the days 1 to 28. @param cycle_day 1 to 31
create or replace function usage_cycle_of(day date, cycle_day integer) returns date language sql immutable parallel safe as $$
  select usage_cycle(day, cycle_day, 0)
$$;
