import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addTestRouters, openRouterDatabase, type RouterDatabase, type TestRouter } from '../../testing/routers.ts';
import { countRows } from '../../testing/counted-rows.ts';
import { closeOldSegments, ensureUsagePartitions } from './usage.partitions.ts';
import { storeReadings, type RouterReading } from './usage.writes.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const [A, B] = ['8901000000000000001', '8901000000000000002'];
let fleet: RouterDatabase;

beforeAll(async () => {
  fleet = await openRouterDatabase();
  await ensureUsagePartitions(fleet.database, NOW);
});
afterAll(() => fleet.close());

async function newRouter(): Promise<TestRouter> {
  const [router] = await addTestRouters(fleet, 1);
  const { id, deviceId } = router!;
  await fleet.pool.query(
    `insert into router_ownership (router_id, organization_id, device_id, owned_from) values ($1, $2, $3, '2026-01-01')`,
    [id, fleet.organizationId, deviceId],
  );
  return router!;
}

/** A reading some minutes before noon: 1,000 bytes more each minute, in both directions. */
const readingOf = ({ id: routerId }: TestRouter, ago: number, iccid = A): RouterReading => {
  const bytes = 1_000 * (1_000 - ago);
  return {
    routerId,
    modem: 1,
    at: NOW.getTime() - ago * MINUTE_MS,
    iccid,
    uptime: 60 * (1_000 - ago),
    sent: bytes,
    received: bytes,
  };
};

const store = (rows: readonly RouterReading[]) => fleet.database.write((tx) => storeReadings(tx, rows));

/** How many readings are in each complete row. */
const rowsOf = async ({ id }: TestRouter) => {
  const { rows } = await sql<{
    iccid: string;
    count: number;
  }>`select iccid, cardinality(milliseconds) as count from usage_segments
    where router_id = ${id}::uuid order by at`.execute(fleet.database.read);
  return rows.map(({ iccid, count }) => [iccid, count]);
};
const sentOf = async ({ deviceId }: TestRouter) => {
  const { rows } = await sql<{ sent: number }>`select sum(sent)::int as sent from usage_days
    where device_id = ${deviceId}::uuid`.execute(fleet.database.read);
  return rows[0]!.sent;
};

test('USE-01-partial a reading each minute fills a row an hour, and another SIM begins a new one', async () => {
  const router = await newRouter();
  for (let ago = 180; ago > 0; ago--) await store([readingOf(router, ago, ago > 30 ? A : B)]);
  expect(await rowsOf(router)).toEqual([
    [A, 60],
    [A, 60],
    [A, 30],
  ]);
  await closeOldSegments(fleet.database, NOW);
  expect(await rowsOf(router)).toHaveLength(4);
  expect(await sentOf(router)).toBe(179_000);
});

test('USE-01-partial late and repeated readings are compared with those in rows, whichever have them', async () => {
  const router = await newRouter();
  await fleet.pool.query(`insert into usage_readings select * from jsonb_populate_recordset(null::usage_readings, $1::jsonb)`, [
    JSON.stringify(
      [500, 490].map((ago) => ({ ...readingOf(router, ago), router_id: router.id, at: new Date(readingOf(router, ago).at) })),
    ),
  ]);
  await fleet.pool.query(
    `insert into usage_heads (router_id, modem, at, iccid, uptime, sent, received, first_at)
     select router_id, modem, at, iccid, uptime, sent, received, $2 from usage_readings where router_id = $1 order by at desc limit 1`,
    [router.id, new Date(readingOf(router, 500).at)],
  );
  await store([readingOf(router, 495), readingOf(router, 480)]);
  for (let ago = 400; ago > 100; ago -= 2) await store([readingOf(router, ago)]);
  const whole = 1_000 * (490 - 102);
  expect(await sentOf(router)).toBe(whole);
  // Each again, some between others, and one that another SIM had used in between.
  for (const ago of [495, 480, 490, 400, 250, 102]) await store([readingOf(router, ago)]);
  await store([readingOf(router, 251), readingOf(router, 103), readingOf(router, 479)]);
  expect(await sentOf(router)).toBe(whole);
  await store([readingOf(router, 301, B)]);
  await closeOldSegments(fleet.database, new Date(NOW.getTime() + HOUR_MS));
  await store([readingOf(router, 301, B), readingOf(router, 350)]);
  const { rows } = await fleet.pool.query(
    `select iccid, sum(sent)::int as sent from usage_days where device_id = $1 group by 1 order by 1`,
    [router.deviceId],
  );
  expect(rows).toEqual([
    { iccid: A, sent: whole - 1_000 },
    { iccid: B, sent: 1_000 },
  ]);
});

test('USE-01-partial late readings days apart are compared with those around each, however many are between', async () => {
  const router = await newRouter();
  const DAY = 1_440;
  // 1,000 bytes a minute over three days, of which most is silence.
  const at = (ago: number) => ({
    ...readingOf(router, ago),
    sent: 1_000 * (5 * DAY - ago),
    received: 1,
    uptime: 60 * (5 * DAY - ago),
  });
  const left = [3 * DAY - 30, DAY - 150];
  for (const day of [3, 2, 1])
    await store(
      Array.from({ length: 180 }, (_, minute) => day * DAY - minute).flatMap((ago) => (left.includes(ago) ? [] : at(ago))),
    );
  const whole = await sentOf(router);
  const read = await fleet.database.write(async (tx) => {
    const counted = countRows(tx);
    await storeReadings(counted.tx, [...left.map(at), at(DAY - 200), at(2 * DAY)]);
    return counted.count();
  });
  expect(read).toBeLessThan(400);
  expect(whole).toBe(1_000 * (2 * DAY + 179));
  expect(await sentOf(router)).toBe(1_000 * (2 * DAY + 200));
  expect((await rowsOf(router)).reduce((sum, [, count]) => sum + Number(count), 0)).toBeGreaterThan(500);
});
