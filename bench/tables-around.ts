import type { BenchDatabase } from './cluster.ts';

/** Days of coverage that each vehicle has. */
const DAYS = 7;
/** Of so many vehicles, one has an open alert; and so many resolved ones for each open one. */
const ALERT_OF = 10;
const RESOLVED = 3;
const MONTH = "date_trunc('month', now() at time zone 'UTC')::date";

/**
 * Fill the tables around what a section measures, so that its figures are those of a living installation: who owned the vehicles, positions, open and resolved
 * alerts, data used of three months, days of coverage, and readings of the days before.
 */
export async function seedTablesAround(database: BenchDatabase): Promise<void> {
  const { owner } = database;
  await owner.query(`insert into router_ownership (router_id, owned_from, organization_id, device_id)
    select r.id, now() - interval '60 days', r.organization_id, r.device_id from routers r
    where not exists (select from router_ownership o where o.router_id = r.id)`);
  await seedAlerts(database);
  await seedUsage(database);
  await seedCoverage(database);
  await owner.query(`insert into router_positions (router_id, at, latitude, longitude, accuracy, speed, heading, is_jump, stored_at)
    select id, now() - interval '1 day', 40 + 3 * random(), -89 + 3 * random(), 5, 40, 90, false, now() - interval '1 day' from routers`);
  await seedReadings(database, 1, '10 minutes');
  await owner.query('vacuum analyze');
}

async function seedAlerts({ owner }: BenchDatabase): Promise<void> {
  await owner.query(
    `insert into alerts (organization_id, id, main_account_id, rule_id, rule_name, severity, kind, device_id, serial, vehicle_number,
       group_key, state, since, fired_at, resolved_at)
     select organization_id, gen_random_uuid(), main_account_id, gen_random_uuid(), 'Vehicle lost', 'critical', 'offline', id, serial,
       vehicle_number, group_key, case when n = 0 then 'firing' else 'resolved' end, now() - interval '1 hour', now() - interval '1 hour',
       case when n > 0 then now() end
     from (select * from devices order by id limit (select count(*) / $1 from devices)) d, generate_series(0, $2::int) n`,
    [ALERT_OF, RESOLVED],
  );
}

/** Data used by a SIM of each vehicle, in the month and the two before. */
export async function seedUsage({ owner }: BenchDatabase): Promise<void> {
  await owner.query('truncate usage_sims, usage_cycles, usage_totals, usage_days');
  await owner.query(`insert into usage_sims (organization_id, iccid, carrier)
    select organization_id, '8901' || lpad((row_number() over ())::text, 15, '0'), 'Verizon' from devices`);
  await owner.query(`insert into usage_cycles (organization_id, cycle_from, iccid, device_id, sent, received)
    select d.organization_id, c.cycle_from, '8901' || lpad(d.n::text, 15, '0'), d.id, d.n * 7919 % 1000003, d.n * 104729 % 9000011
    from (select *, row_number() over () as n from devices) d
      cross join (values (${MONTH}), ((${MONTH} - interval '1 month')::date), ((${MONTH} - interval '2 months')::date)) c (cycle_from)`);
  await owner.query(`insert into usage_totals (organization_id, day, sent, received)
    select organization_id, day::date, 1000000000, 5000000000 from (select distinct organization_id from devices) o
      cross join generate_series((${MONTH} - interval '1 month'), now() at time zone 'UTC', interval '1 day') day`);
  await owner.query('vacuum analyze usage_sims, usage_cycles, usage_totals, devices');
}

async function seedCoverage({ owner }: BenchDatabase): Promise<void> {
  await owner.query(
    `insert into coverage_vehicle_days (organization_id, day, device_id, carrier, technology, cells, rsrp_samples, rsrp_difference, rsrq_samples, rsrq_difference)
     select organization_id, current_date - d, id, 'Verizon', '5G', 40, 300, 300 * (random() * 6 - 3), 300, 300 * (random() * 2 - 1)
     from devices cross join generate_series(0, $1::int) d`,
    [DAYS],
  );
}

/** Reports of each router, in days before today. @param every a minute, as they are sent, unless only the size counts */
export async function seedReadings({ owner }: BenchDatabase, days: number, every = '1 minute'): Promise<void> {
  if (days === 0) return;
  await owner.query("select ensure_partitions((now() at time zone 'UTC')::date - $1::int, (now() at time zone 'UTC')::date)", [
    days,
  ]);
  for (let day = days; day > 0; day--)
    await owner.query(
      `insert into telemetry_reports (router_id, at, rssi, rsrp, rsrq, temperature, voltage, bytes_sent, bytes_received, battery)
       select r.id, at, -60, -90, -10, 40, 12.5, extract(epoch from at), extract(epoch from at), 90
       from generate_series(date_trunc('day', now(), 'UTC') - $1 * interval '1 day', date_trunc('day', now(), 'UTC') - $1 * interval '1 day'
         + interval '1439 minutes', $2::interval) at, routers r`,
      [day, every],
    );
  // An installation that lives has added these to its coverage; otherwise the server would do so all the while.
  await owner.query(
    "update coverage_progress set (closed_until, marked_until) = (select hour, hour from date_trunc('hour', now(), 'UTC') hour)",
  );
  await owner.query('vacuum analyze telemetry_reports');
}
