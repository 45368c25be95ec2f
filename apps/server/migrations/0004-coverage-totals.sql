-- The sums of coverage_vehicle_days from the first day of a vehicle on a network to each day, so that a period is the difference of two rows for each
-- vehicle (docs/domains/coverage.md). A day has a row for each that was compared within the longest period that is answered, also without reports
-- of its own.
create table coverage_vehicle_totals (
  organization_id uuid not null,
  day date not null,
  device_id uuid not null,
  carrier text collate "C" not null,
  technology text collate "C" not null,
  -- The day from which it adds up, and the last one with reports.
  since date not null,
  last_day date not null,
  cells integer not null,
  samples integer not null,
  rsrp_samples integer not null,
  rsrp_difference double precision not null,
  rsrq_samples integer not null,
  rsrq_difference double precision not null,
  primary key (organization_id, day, device_id, carrier, technology)
);
create index coverage_vehicle_totals_by_day on coverage_vehicle_totals using brin (day);

-- Add up a day of an organization, once those before it are.
create function add_up_coverage_vehicles(organization uuid, of_day date) returns void
language sql set search_path from current as $$
  delete from coverage_vehicle_totals t where t.organization_id = organization and t.day = of_day;
  insert into coverage_vehicle_totals (organization_id, day, device_id, carrier, technology, since, last_day, cells, samples, rsrp_samples,
      rsrp_difference, rsrq_samples, rsrq_difference)
    select organization, of_day, device_id, carrier, technology, coalesce(b.since, of_day), case when c.cells is null then b.last_day else of_day end,
      coalesce(b.cells, 0) + coalesce(c.cells, 0), coalesce(b.samples, 0) + coalesce(greatest(c.rsrp_samples, c.rsrq_samples), 0),
      coalesce(b.rsrp_samples, 0) + coalesce(c.rsrp_samples, 0), coalesce(b.rsrp_difference, 0) + coalesce(c.rsrp_difference, 0),
      coalesce(b.rsrq_samples, 0) + coalesce(c.rsrq_samples, 0), coalesce(b.rsrq_difference, 0) + coalesce(c.rsrq_difference, 0)
    from (select t.* from coverage_vehicle_totals t where t.organization_id = organization and t.last_day > of_day - 93
        and t.day = (select max(e.day) from coverage_vehicle_totals e where e.organization_id = organization and e.day < of_day)) b
      full join (select d.* from coverage_vehicle_days d where d.organization_id = organization and d.day = of_day) c
        using (device_id, carrier, technology)
    order by device_id, carrier, technology
$$;

select add_up_coverage_vehicles(d.organization_id, d.day)
  from (select distinct organization_id, day from coverage_vehicle_days order by organization_id, day) d;

grant select, insert, update, delete on coverage_vehicle_totals to highline_serve;
revoke all on function add_up_coverage_vehicles(uuid,date) from public;
grant execute on function add_up_coverage_vehicles(uuid,date) to highline_serve;
