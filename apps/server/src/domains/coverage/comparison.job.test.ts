import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { openHome, type Home } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { cellAt } from './hexagons.ts';
import { createCoverageJobs } from './index.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const VEHICLES = 180;
const CELLS = 10;
let large: Home;
let small: Home;

/** Each vehicle of a home drives through the same hexagons on a day, and each is a little worse than the one before. */
async function drive({ own: { organizationId } }: Home, day: string, vehicles: number): Promise<void> {
  const cells = Array.from({ length: CELLS }, (_, index) => cellAt(41 + index / 10, -87));
  await app.owner.query(
    `insert into router_ownership (router_id, organization_id, device_id, owned_from)
       select gen_random_uuid(), $1, gen_random_uuid(), '2026-11-01' from generate_series(1, $2)`,
    [organizationId, vehicles],
  );
  await app.owner.query(
    `insert into coverage_slots select router_id, $2::timestamptz + n * interval '10 minutes', organization_id, device_id, cell, 'Northern', 'LTE', 3,
         array[10, 11, 12 + (place % 5)::int]::smallint[], '{5,5,5}'::smallint[], 0, 0
       from (select *, row_number() over (order by device_id) as place from router_ownership where organization_id = $1) o
         cross join unnest($3::text[]) with ordinality c (cell, n)`,
    [organizationId, `${day}T08:00:00Z`, cells],
  );
  // What the job of slots adds up.
  await app.owner.query(
    `insert into coverage_days (organization_id, cell, day, carrier, technology, resolution, samples, drops, lost_seconds, r10, r11, r12, r13, r14, r15, r16, q5)
       select organization_id, cell, $2, carrier, technology, 8, sum(samples), 0, 0, count(*) filter (where 10 = any (rsrp)), count(*) filter (where 11 = any (rsrp)),
         count(*) filter (where 12 = any (rsrp)), count(*) filter (where 13 = any (rsrp)), count(*) filter (where 14 = any (rsrp)),
         count(*) filter (where 15 = any (rsrp)), count(*) filter (where 16 = any (rsrp)), 3 * count(*)
       from coverage_slots where organization_id = $1 group by 1, 2, 4, 5`,
    [organizationId, day],
  );
  await app.owner.query(`insert into coverage_comparisons values ($1, $2, 1)`, [organizationId, day]);
  await app.owner.query('analyze coverage_slots, router_ownership, coverage_days');
}
/** Rows of slots that were read in a transaction, and before it in its session since that was last counted. */
async function readSlots(tx: Tx): Promise<number> {
  const { rows } = await sql<{ read: number }>`select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as read
    from pg_stat_xact_user_tables where relname like 'coverage_slots%'`.execute(tx);
  return rows[0]!.read;
}
/** The database, which says how many rows of slots were read in its transactions. */
function countingReads(): { database: Database; read: () => number } {
  let read = 0;
  const write: Database['write'] = (work) =>
    app.database.write(async (tx) => {
      const before = await readSlots(tx);
      const result = await work(tx);
      read += (await readSlots(tx)) - before;
      return result;
    });
  return { database: { read: app.database.read, pool: app.database.pool, lists: app.database.lists, write }, read: () => read };
}
const comparedOf = async ({ own }: Home): Promise<number> =>
  (
    await app.owner.query(
      'select count(distinct device_id)::int as vehicles from coverage_vehicle_days where organization_id = $1',
      [own.organizationId],
    )
  ).rows[0].vehicles;
const compare = (database: Database, at: string) => createCoverageJobs(database, 30).comparison.run(new Date(at));

beforeAll(async () => {
  large = await openHome(app);
  small = await openHome(app);
  await app.owner.query(`select ensure_coverage_partitions('2026-11-18', '2026-11-21')`);
  await drive(large, '2026-11-19', VEHICLES);
  await drive(small, '2026-11-20', 4);
});

test('POS-06-partial a day whose comparison fails does not keep those of others from being compared, and is compared later', async () => {
  const { organizationId } = large.own;
  await app.owner.query(`create function fail_here() returns trigger language plpgsql as 'begin raise exception $$timeout$$; end';
      create trigger fail_here before insert on coverage_vehicle_days for each row
        when (new.organization_id = '${organizationId}') execute function fail_here()`);
  const { comparison } = createCoverageJobs(app.database, 30);
  await expect(comparison.run(new Date('2026-11-20T12:00:00Z'))).rejects.toThrow(`Vehicles of ${organizationId} on 2026-11-19`);
  expect([await comparedOf(large), await comparedOf(small)]).toEqual([0, 4]);
  await comparison.run(new Date('2026-11-20T12:00:30Z'));
  await app.owner.query('drop function fail_here cascade');
  await comparison.run(new Date('2026-11-20T12:15:00Z'));
  expect(await comparedOf(large)).toBe(VEHICLES);
});

test('POS-06-partial the slots of a day are read once, however many vehicles there are', async () => {
  await compare(app.database, '2026-11-20T12:30:00Z');
  await app.owner.query('update coverage_comparisons set changes = changes + 1 where organization_id = $1', [
    large.own.organizationId,
  ]);
  const { database, read } = countingReads();
  await compare(database, '2026-11-20T13:00:00Z');
  const { rows } = await app.owner.query(
    `select distinct cells, rsrp_samples as samples, rsrp_difference as difference from coverage_vehicle_days where organization_id = $1 order by 3`,
    [large.own.organizationId],
  );
  // Against a median of −107: of three values one is 2 dB less, one the same, and the third 2 to 10 dB more, in ten hexagons.
  expect(rows).toEqual([0, 20, 40, 60, 80].map((difference) => ({ cells: 10, samples: 30, difference })));
  expect(await comparedOf(large)).toBe(VEHICLES);
  expect(read()).toBe(VEHICLES * CELLS);
});
