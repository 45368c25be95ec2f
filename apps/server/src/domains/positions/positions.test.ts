import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { silentLog } from '../../testing/log.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase, type TestRouter } from '../../testing/routers.ts';
import { readStoredPositions } from '../../testing/stored-positions.ts';
import { createPositions, type Positions } from './index.ts';
import type { ReportedValues } from './push.ts';

const DAY_MS = 86_400_000;
let now = new Date('2026-11-23T12:00:00Z');
const clock = { now: () => now };
const SECOND = now.getTime() / 1_000;
let fleet: RouterDatabase;

beforeAll(async () => {
  fleet = await openRouterDatabase();
});
afterAll(() => fleet.close());

async function start(settings = {}, retentionDays = 30): Promise<Positions> {
  const positions = createPositions({
    database: fleet.database,
    clock,
    log: silentLog,
    retentionDays,
    settings: { collectMs: 1, ...settings },
  });
  await positions.start();
  return positions;
}

const newRouter = async (): Promise<TestRouter> => (await addTestRouters(fleet, 1))[0]!;
/** A Push! with a trail: seconds after noon, latitude, longitude. */
const trail = (...fixes: readonly (readonly [number, number, number])[]): ReportedValues[] => [
  { values: [['Device.X_HIGHLINE_GPS.Trail', fixes.map(([at, ...rest]) => [SECOND + at, ...rest].join(',')).join(';')]] },
];

const storedOf = async ({ id }: TestRouter) => {
  const rows = await readStoredPositions(fleet.database.read, id);
  return rows.map((row) => [row.at.getTime() / 1_000 - SECOND, row.latitude, row.longitude, row.is_jump]);
};
const lastOf = ({ id }: TestRouter) =>
  fleet.database.read.selectFrom('router_positions').selectAll().where('router_id', '=', id).executeTakeFirst();
const announcedSince = async (position: string) =>
  (
    await sql<{
      organization_id: string;
    }>`select organization_id from outbox where topic = 'positions' and position > ${position}::bigint`.execute(
      fleet.database.read,
    )
  ).rows;
const outboxAt = async () =>
  (await sql<{ at: string }>`select coalesce(max(position), 0)::text as at from outbox`.execute(fleet.database.read)).rows[0]!.at;

describe('positions', () => {
  test('POS-01-partial are durable when they are acknowledged, once for each second, the newest also in its own row', async () => {
    const positions = await start();
    const router = await newRouter();
    const before = await outboxAt();
    await positions.pushed(router.id, trail([-20, 41.1, -87.1], [-10, 41.2, -87.2], [-10, 41.9, -87.9]));
    expect(await storedOf(router)).toEqual([
      [-20, 41.1, -87.1, false],
      [-10, 41.2, -87.2, false],
    ]);
    expect(await announcedSince(before)).toEqual([{ organization_id: fleet.organizationId }]);
    // The same report again, and one that was kept without coverage.
    await positions.pushed(router.id, trail([-20, 41.1, -87.1], [-30, 41, -87]));
    expect(await storedOf(router)).toHaveLength(3);
    expect(await lastOf(router)).toMatchObject({ at: new Date((SECOND - 10) * 1_000), latitude: 41.2, is_jump: false });
    expect(positions.stats()).toMatchObject({ waiting: 0, rejected: { too_many: 1, future: 0 } });
    await positions.stop();
  });

  test('POS-01-partial a jump of 500 km is marked, within a report and against the position before; a long drive is none', async () => {
    const positions = await start();
    const router = await newRouter();
    await positions.pushed(router.id, trail([-90_000, 41, -87], [-86_000, 47, -87], [-85_990, 47.001, -87]));
    await positions.pushed(router.id, trail([-100, 41, -87], [-90, 51, -87]));
    await positions.pushed(router.id, trail([-80, 41, -87]));
    expect(await storedOf(router)).toEqual([
      [-90_000, 41, -87, false],
      [-86_000, 47, -87, true],
      [-85_990, 47.001, -87, false],
      [-100, 41, -87, false],
      [-90, 51, -87, true],
      [-80, 41, -87, true],
    ]);
    await positions.stop();
  });

  test('POS-01-partial 1,000 positions of a second are one, and each kind of rejection has its counter', async () => {
    const positions = await start();
    const router = await newRouter();
    const flood = Array.from({ length: 1_000 }, (_, index) => [-5, 41 + index / 1e5, -87] as const);
    await positions.pushed(router.id, trail(...flood));
    expect(await storedOf(router)).toHaveLength(1);
    expect(positions.pushed(router.id, trail([0, 91, 0], [0, 0, 0], [600, 41, -87], [-8 * 86_400, 41, -87]))).toBeUndefined();
    for (const document of ['', '<presence/>', '<!DOCTYPE a>', '<', 'x'.repeat(20_000)])
      expect(positions.located(router.id, document)).toBeUndefined();
    expect(positions.pushed(router.id, [])).toBeUndefined();
    expect(positions.stats().rejected).toMatchObject({
      too_many: 999,
      outside: 1,
      zero: 1,
      future: 1,
      expired: 1,
      namespace: 1,
      doctype: 1,
      not_xml: 1,
      too_large: 1,
    });
    await positions.stop();
  });

  test('POS-01-partial wait while the database is down, are rejected when too many wait, and none that was acknowledged is lost', async () => {
    const positions = await start({ maxRows: 100 });
    const router = await newRouter();
    const outage = fleet.breakDatabase();
    let isDurable = false;
    const write = positions.pushed(router.id, trail([-3, 41, -87]))!.then(() => (isDurable = true));
    await eventually(() => expect(outage.tries()).toBeGreaterThan(1));
    expect(isDurable).toBe(false);
    const many = Array.from({ length: 100 }, (_, index) => [-200 + index, 41, -87] as const);
    await expect(positions.pushed(router.id, trail(...many))).rejects.toThrow('Too many positions');
    outage.repair();
    await write;
    expect(await storedOf(router)).toHaveLength(1);
    await positions.stop();
  });

  test('POS-01-partial POSITION_DAYS drops whole days; the newest position stays, and the readings keep their own days', async () => {
    const positions = await start({}, 2);
    const router = await newRouter();
    await positions.pushed(router.id, trail([-90_000, 41, -87]));
    const partitions = async () =>
      (
        await sql<{ name: string }>`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'position_segments'::regclass and c.relname < 'position_segments_20261123' order by 1`.execute(
          fleet.database.read,
        )
      ).rows;
    await positions.retention.run(now);
    expect(await partitions()).toEqual([{ name: 'position_segments_20261121' }, { name: 'position_segments_20261122' }]);
    now = new Date(now.getTime() + 2 * DAY_MS);
    await positions.retention.run(now);
    expect(await storedOf(router)).toEqual([]);
    expect(await lastOf(router)).toMatchObject({ latitude: 41 });
    now = new Date(now.getTime() - 2 * DAY_MS);
    await positions.stop();
  });
});
