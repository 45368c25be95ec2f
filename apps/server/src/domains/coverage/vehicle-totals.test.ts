import type { coverage } from '@highline/contract';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDevice, openHome, routersNamed } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';

const NOW = '2026-11-20T12:00:00Z';
const DAY_MS = 86_400_000;
const app = useTestApp(NOW);
const fresh = routersNamed('VT');
/** ISO day, some days before today. */
const dayAgo = (ago: number) => new Date(Date.parse(NOW) - ago * DAY_MS).toISOString().slice(0, 10);
const ago = fc.integer({ min: 0, max: 200 });
/** What was compared on a day, of which vehicle on which network. */
const compared = fc.record({
  ago,
  vehicle: fc.nat(2),
  carrier: fc.constantFrom('Northern', 'Southern'),
  cells: fc.integer({ min: 1, max: 9 }),
});
const period = fc.record({ ago, days: fc.integer({ min: 1, max: 92 }), carrier: fc.constantFrom(undefined, 'Southern') });

test('POS-06-partial the comparison of any period is the sum of its days, also after late changes and retention', async () => {
  const { own, user } = await openHome(app);
  const vehicles = [await addDevice(app, own, fresh()), await addDevice(app, own, fresh()), await addDevice(app, own, fresh())];
  const { organizationId } = own;
  await app.owner.query(
    `insert into coverage_networks values ($1, 'Northern', 'LTE', '2026-11-20'), ($1, 'Southern', 'LTE', '2026-11-20')`,
    [organizationId],
  );
  const compare = async (day: string, rows: readonly { vehicle: number; carrier: string; cells: number }[]) => {
    await app.owner.query('delete from coverage_vehicle_days where organization_id = $1 and day = $2', [organizationId, day]);
    for (const { vehicle, carrier, cells } of rows)
      await app.owner.query(
        `insert into coverage_vehicle_days values ($1, $2, $3, $4, 'LTE', $5, $5 * 3, $5 * -7.5, $5 * 2, $5 * 1.5) on conflict do nothing`,
        [organizationId, day, vehicles[vehicle]!.id, carrier, cells],
      );
    await app.owner.query(
      `select add_up_coverage_vehicles($1, d.day) from (select $2::date as day
         union select day from coverage_vehicle_totals where organization_id = $1 and day > $2 order by day) d`,
      [organizationId, day],
    );
  };
  const expectSums = async (of: { ago: number; days: number; carrier: string | undefined }) => {
    const [from, until] = [dayAgo(of.ago + of.days - 1), dayAgo(of.ago)];
    const { rows } = await app.owner.query(
      `select device_id as device, sum(cells)::int as cells, sum(rsrp_samples)::int as samples,
         round((sum(rsrp_difference) / sum(rsrp_samples))::numeric, 1)::float8 as rsrp
       from coverage_vehicle_days where organization_id = $1 and day between $2 and $3 and ($4::text is null or carrier = $4) group by 1 order by 4, 1`,
      [organizationId, from, until, of.carrier ?? null],
    );
    const query = { limit: '10', from, until, ...(of.carrier !== undefined && { carrier: of.carrier }) };
    const { json } = await app.call('GET', '/data_manager/v1/dm/coverage/vehicles', { as: user, query });
    expect((json.result as coverage.CoverageVehicle[]).length).toBe(rows.length);
    expect(json).toMatchObject({ total: rows.length, result: rows });
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(compared, { maxLength: 12 }),
      fc.array(fc.record({ ago, rows: fc.array(compared, { maxLength: 2 }) }), { maxLength: 2 }),
      fc.array(period, { minLength: 2, maxLength: 4 }),
      fc.option(ago),
      async (days, late, periods, oldest) => {
        await app.owner.query('truncate coverage_vehicle_days, coverage_vehicle_totals');
        const inOrder = [...Map.groupBy(days, (each) => each.ago)].toSorted(([a], [b]) => b - a);
        for (const [each, rows] of inOrder) await compare(dayAgo(each), rows);
        for (const each of late) await compare(dayAgo(each.ago), each.rows);
        if (oldest !== null)
          for (const table of ['coverage_vehicle_days', 'coverage_vehicle_totals'])
            await app.owner.query(`delete from ${table} where day < $1`, [dayAgo(oldest)]);
        for (const each of periods) await expectSums(each);
      },
    ),
    { numRuns: 12 },
  );
});
