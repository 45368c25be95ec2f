import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addTestRouters, openRouterDatabase, type RouterDatabase, type TestRouter } from '../../testing/routers.ts';
import { countRows } from '../../testing/counted-rows.ts';
import { readStoredPositions } from '../../testing/stored-positions.ts';
import { closeOldSegments, ensurePositionPartitions } from './position.partitions.ts';
import { storePositions, type PositionRow } from './position.rows.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const DAYS = 30;
let fleet: RouterDatabase;

beforeAll(async () => {
  fleet = await openRouterDatabase();
  await ensurePositionPartitions(fleet.database, NOW, DAYS);
});
afterAll(() => fleet.close());

const newRouter = async (): Promise<TestRouter> => (await addTestRouters(fleet, 1))[0]!;

/** A position some seconds before noon, whose values follow from its time. */
function fixOf({ id: routerId }: TestRouter, ago: number): PositionRow {
  const place = { latitude: (41e6 + ago) / 1e6, longitude: -(87e7 + ago) / 1e7 };
  const motion =
    ago % 3 === 0
      ? { speed: null, heading: null, accuracy: null }
      : { speed: (ago % 900) / 10, heading: (ago % 3600) / 10, accuracy: 4.5 };
  return { routerId, at: NOW.getTime() - ago * 1_000, ...place, ...motion };
}

const store = (rows: readonly PositionRow[]) => fleet.database.write((tx) => storePositions(tx, rows, NOW));

/** What readers get of a router, as it was given to `store`. */
const storedOf = async (router: TestRouter) =>
  (await readStoredPositions(fleet.database.read, router.id)).map(({ at, is_jump: _, ...rest }) => ({
    routerId: router.id,
    at: at.getTime(),
    ...rest,
  }));

const rowsOf = async ({ id }: TestRouter) => {
  const rows = await fleet.database.read
    .selectFrom('position_segments')
    .select(['at', 'seconds'])
    .where('router_id', '=', id)
    .orderBy('at')
    .execute();
  return rows.map(({ seconds }) => seconds.length);
};

/** A report: the first of its positions in seconds before noon, the seconds between them, and how many they are. */
const report = fc.record({
  ago: fc.integer({ min: 1, max: 172_800 }),
  step: fc.integer({ min: 1, max: 90 }),
  count: fc.integer({ min: 1, max: 90 }),
});
const batch = fc.record({ reports: fc.array(report, { minLength: 1, maxLength: 4 }), isLast: fc.boolean() });

test('POS-01-partial positions in any order, late, repeated and across hours and days, are read back each once as they came', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 12 }), async (batches) => {
      const routers = await addTestRouters(fleet, 2);
      const expected = new Map<string, PositionRow>();
      for (const { reports, isLast } of batches) {
        const rows = reports.flatMap(({ ago, step, count }, index) =>
          Array.from({ length: count }, (_, later) => fixOf(routers[index % 2]!, Math.max(1, ago - later * step))),
        );
        await store(rows);
        for (const row of rows) expected.set(`${row.routerId} ${row.at}`, row);
        if (isLast) await closeOldSegments(fleet.database, NOW, DAYS);
      }
      for (const router of routers) {
        const own = [...expected.values()].filter(({ routerId }) => routerId === router.id);
        expect(await storedOf(router)).toEqual(own.toSorted((a, b) => a.at - b.at));
      }
    }),
    { numRuns: 20 },
  );
});

test('POS-01-partial a report each minute fills rows of 60 positions, and a new hour begins a new one', async () => {
  const router = await newRouter();
  const begin = 2 * 3_600;
  for (let ago = begin; ago > 0; ago -= 60) await store([0, 10, 20, 30, 40, 50].map((second) => fixOf(router, ago - second)));
  expect(await rowsOf(router)).toEqual(Array.from({ length: 11 }, () => 60));
  await closeOldSegments(fleet.database, NOW, DAYS);
  expect(await rowsOf(router)).toEqual(Array.from({ length: 12 }, () => 60));
  expect(await storedOf(router)).toHaveLength(720);
});

test('POS-01-partial a trail behind positions that were reported at once is sorted into the same rows', async () => {
  const router = await newRouter();
  const begin = 3_600;
  for (let ago = begin; ago > 0; ago -= 60) {
    await store([fixOf(router, Math.max(1, ago - 59))]);
    await store([0, 10, 20, 30, 40, 50].map((second) => fixOf(router, ago - second)));
  }
  await closeOldSegments(fleet.database, new Date(NOW.getTime() + 3_600_000), DAYS);
  const rows = await rowsOf(router);
  expect(rows.reduce((sum, count) => sum + count, 0)).toBe(420);
  expect(rows.length).toBeLessThanOrEqual(9);
  expect(await storedOf(router)).toHaveLength(420);
});

test('POS-01-partial a jump stays marked when late positions are sorted in before and behind it', async () => {
  const router = await newRouter();
  await store([fixOf(router, 600)]);
  await store([{ ...fixOf(router, 300), latitude: 60 }]);
  await store([fixOf(router, 700), fixOf(router, 400), fixOf(router, 200)]);
  const stored = await readStoredPositions(fleet.database.read, router.id);
  expect(stored.map(({ at, is_jump: isJump }) => [(NOW.getTime() - at.getTime()) / 1_000, isJump])).toEqual([
    [700, false],
    [600, false],
    [400, false],
    [300, true],
    [200, false],
  ]);
});

test('POS-01-partial a jump is marked in a row that is complete at once', async () => {
  const router = await newRouter();
  const begin = 3_600;
  const fixes = Array.from({ length: 130 }, (_, index) => fixOf(router, begin - index * 10));
  await store(fixes.map((fix, index) => (index === 30 ? { ...fix, latitude: 60 } : fix)));
  expect(await rowsOf(router)).toEqual([60, 60]);
  const stored = await readStoredPositions(fleet.database.read, router.id);
  expect(stored.flatMap(({ is_jump: isJump }, index) => (isJump ? index : []))).toEqual([30, 31]);
});

test('POS-01-partial late positions days apart are compared with those of their seconds, however many are between', async () => {
  const router = await newRouter();
  const DAY = 86_400;
  const between = [3, 2, 1].flatMap((day) => Array.from({ length: 300 }, (_, second) => fixOf(router, day * DAY - second)));
  await store(between);
  await closeOldSegments(fleet.database, NOW, DAYS);
  const late = [3 * DAY + 1, 3 * DAY, DAY - 299, DAY - 300].map((ago) => fixOf(router, ago));
  const read = await fleet.database.write(async (tx) => {
    const counted = countRows(tx);
    await storePositions(counted.tx, late, NOW);
    return counted.count();
  });
  expect(read).toBeLessThan(20);
  expect(await storedOf(router)).toHaveLength(between.length + 2);
});

test('POS-01-partial processes that store the same positions at the same time store each once', async () => {
  const router = await newRouter();
  const rows = Array.from({ length: 50 }, (_, index) => fixOf(router, 600 - index));
  await Promise.all([store(rows), store(rows.slice(10)), store(rows.slice(0, 30))]);
  expect(await storedOf(router)).toHaveLength(50);
});

test('POS-01-partial a range has its first second and not its last, and jumps stay marked when a row is divided', async () => {
  const router = await newRouter();
  const far = { ...fixOf(router, 15), latitude: 60 };
  await store([fixOf(router, 20), far, fixOf(router, 10), fixOf(router, 5)]);
  await closeOldSegments(fleet.database, new Date(NOW.getTime() + 3_600_000), DAYS);
  const between = async (first: number, before: number) => {
    const { rows } = await fleet.pool.query<{ ago: number; is_jump: boolean }>(
      `select extract(epoch from $2::timestamptz - at)::int as ago, is_jump
       from positions_between($1, $2::timestamptz - $3 * interval '1 second', $2::timestamptz - $4 * interval '1 second') order by at`,
      [router.id, NOW, first, before],
    );
    return rows.map(({ ago, is_jump: isJump }) => (isJump ? -ago : ago));
  };
  expect(await between(20, 5)).toEqual([20, -15, -10]);
  const whole = await storedOf(router);
  await fleet.pool.query(`select divide_position_segments($1, $2::timestamptz - interval '15 seconds')`, [router.id, NOW]);
  expect(await rowsOf(router)).toEqual([1, 3]);
  expect(await storedOf(router)).toEqual(whole);
  expect(await between(16, 0)).toEqual([-15, -10, 5]);
  expect(await between(100, 20)).toEqual([]);
});
