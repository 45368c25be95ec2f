import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { silentLog } from '../../testing/log.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase, type TestRouter } from '../../testing/routers.ts';
import { createUsage, type Usage } from './index.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const DAY_MS = 86_400_000;
const A = '89014103211118510720';
const B = '8944110068123456783';
const clock = { now: () => new Date(NOW) };
const inUse = { modem: 1, sims: new Map([[1, 1]]) };
let fleet: RouterDatabase;

beforeAll(async () => {
  fleet = await openRouterDatabase();
});
afterAll(() => fleet.close());

async function start(settings = {}, at = clock): Promise<Usage> {
  const usage = createUsage({
    database: fleet.database,
    clock: at,
    log: silentLog,
    retentionDays: 62,
    settings: { collectMs: 1, ...settings },
  });
  await usage.start();
  return usage;
}

/** A router that the organization has had for long. */
async function newRouter(): Promise<TestRouter> {
  const [router] = await addTestRouters(fleet, 1);
  await own(router!, fleet.organizationId, router!.deviceId, '2026-01-01', null);
  return router!;
}

const own = (router: TestRouter, organization: string, device: string, from: string, until: string | null) =>
  fleet.database.write((tx) =>
    tx
      .insertInto('router_ownership')
      .values({
        router_id: router.id,
        organization_id: organization,
        device_id: device,
        owned_from: new Date(from),
        owned_until: until === null ? null : new Date(until),
      })
      .execute(),
  );

/** A report some seconds before noon, of a modem that had counted 1,000 bytes each way before. */
const report = (
  seconds: number,
  sent: number,
  received: number,
  iccid: string | undefined = A,
  uptime = 1_000_000 - seconds,
) => ({
  at: NOW - seconds * 1_000,
  values: Object.entries({
    'Device.Cellular.Interface.1.Stats.BytesSent': 1_000 + sent,
    'Device.Cellular.Interface.1.Stats.BytesReceived': String(1_000 + received),
    'Device.DeviceInfo.UpTime': uptime,
    ...(iccid === undefined ? {} : { 'Device.Cellular.Interface.1.USIM.ICCID': iccid }),
  }),
});

interface Sum {
  readonly day: string;
  readonly iccid: string;
  readonly sent: number;
  readonly received: number;
}

const ledgerOf = async ({ deviceId }: TestRouter, organization = fleet.organizationId) =>
  (
    await sql<Sum>`select day::text, iccid, sent::float8, received::float8 from usage_days
      where organization_id = ${organization}::uuid and device_id = ${deviceId}::uuid and (sent <> 0 or received <> 0) order by 1, 2`.execute(
      fleet.database.read,
    )
  ).rows.map(({ day, iccid, sent, received }) => [day, iccid, sent, received]);
const cyclesOf = async ({ deviceId }: TestRouter) =>
  (
    await sql<{ line: string }>`select concat_ws(' ', cycle_from, iccid, sent, received) as line from usage_cycles
      where device_id = ${deviceId}::uuid order by 1`.execute(fleet.database.read)
  ).rows.map(({ line }) => line);

describe('the ledger of data used', () => {
  test('USE-01-partial a report is in the ledger when it is acknowledged; the first one is where counting begins', async () => {
    const usage = await start();
    const router = await newRouter();
    await usage.reported(router.id, [report(600, 1_000, 2_000)], inUse);
    expect(await ledgerOf(router)).toEqual([]);
    await usage.reported(router.id, [report(300, 1_500, 9_000)], inUse);
    expect(await ledgerOf(router)).toEqual([['2026-11-23', A, 500, 7_000]]);
    expect(await cyclesOf(router)).toEqual([`2026-11-01 ${A} 500 7000`]);
    expect(usage.reported(router.id, [{ at: NOW, values: [['Device.DeviceInfo.UpTime', 5]] }], inUse)).toBeUndefined();
    expect(usage.stats()).toMatchObject({ written: 2, waiting: 0, expired: 0 });
    await usage.stop();
  });

  test('USE-01-partial a repeated report adds nothing, and a late one divides what was added by SIM and by day', async () => {
    const usage = await start();
    const router = await newRouter();
    const yesterday = 13 * 3_600;
    const all = [report(yesterday, 0, 0), report(60, 1_300, 2_600, B)];
    for (let times = 0; times < 2; times++) await usage.reported(router.id, all, inUse);
    expect(await ledgerOf(router)).toEqual([
      ['2026-11-22', A, 100, 200],
      ['2026-11-23', A, 1_200, 2_400],
    ]);
    // Kept without coverage: the switch to the other SIM was before midnight.
    const late = [report(yesterday - 1_800, 10, 20), report(yesterday - 1_800, 10, 20, B), report(12 * 3_600, 300, 600, B)];
    for (let times = 0; times < 3; times++) await usage.reported(router.id, late, inUse);
    expect(await ledgerOf(router)).toEqual([
      ['2026-11-22', A, 10, 20],
      ['2026-11-22', B, 290, 580],
      ['2026-11-23', B, 1_000, 2_000],
    ]);
    expect(await cyclesOf(router)).toEqual([`2026-11-01 ${A} 10 20`, `2026-11-01 ${B} 1290 2580`]);
    await usage.stop();
  });

  test('USE-01-partial reports of zeros alone, the first ones of a modem too, are neither counted nor a beginning', async () => {
    const usage = await start();
    const router = await newRouter();
    await usage.reported(router.id, [report(600, -1_000, -1_000)], inUse);
    await usage.reported(router.id, [report(540, 5e9, 9e9)], inUse);
    await usage.reported(router.id, [report(480, -1_000, -1_000)], inUse);
    await usage.reported(router.id, [report(420, 5e9 + 7, 9e9 + 8)], inUse);
    expect(await ledgerOf(router)).toEqual([['2026-11-23', A, 7, 8]]);
    await usage.stop();
  });

  test('USE-01-partial days are those of the zone of the organization, and late reports are divided as they were before it changed', async () => {
    const usage = await start();
    const router = await newRouter();
    // 04:30 and 05:30 UTC, around 05:00: midnight in New York.
    const all = [report(27_000, 0, 0), report(23_400, 100, 0)];
    const late = report(25_200, 60, 0);
    await usage.reported(router.id, all, inUse);
    expect(await ledgerOf(router)).toEqual([['2026-11-23', A, 100, 0]]);
    await fleet.database.write((tx) =>
      sql`insert into usage_zones values (${fleet.organizationId}::uuid, '2026-11-23T10:00:00Z', 'America/New_York')`.execute(tx),
    );
    await usage.reported(router.id, [late], inUse);
    expect(await ledgerOf(router)).toEqual([['2026-11-23', A, 100, 0]]);
    const other = await newRouter();
    await fleet.database.write((tx) => sql`update usage_zones set from_at = '1970-01-01T00:00:00Z'`.execute(tx));
    await usage.reported(other.id, [...all, late], inUse);
    expect(await ledgerOf(other)).toEqual([
      ['2026-11-22', A, 60, 0],
      ['2026-11-23', A, 40, 0],
    ]);
    await fleet.database.write((tx) => sql`delete from usage_zones`.execute(tx));
    await usage.stop();
  });

  test('USE-02-partial a SIM has the carrier that its router reported with it, not that of the SIM before', async () => {
    const usage = await start();
    const router = await newRouter();
    await fleet.database.write((tx) =>
      sql`update devices set carrier = 'AT&T', iccid = ${A} where id = ${router.deviceId}::uuid`.execute(tx),
    );
    const carrierOf = async (iccid: string) =>
      (await sql<{ carrier: string }>`select carrier from usage_sims where iccid = ${iccid}`.execute(fleet.database.read)).rows;
    await fleet.database.write((tx) => sql`delete from usage_sims`.execute(tx));
    await usage.reported(router.id, [report(60, 0, 0), report(50, 5, 5), report(49, 5, 5, B), report(40, 9, 9, B)], inUse);
    expect([await carrierOf(A), await carrierOf(B)]).toEqual([[{ carrier: 'AT&T' }], [{ carrier: '' }]]);
    await usage.stop();
  });

  test('USE-01-partial a transfer divides by owner, and time in stock belongs to none', async () => {
    const usage = await start();
    const [router] = await addTestRouters(fleet, 1);
    const other = fleet.mainAccountId;
    await own(router!, fleet.organizationId, router!.deviceId, '2026-01-01', '2026-11-23T11:00:00Z');
    await own(router!, other, router!.deviceId, '2026-11-23T11:30:00Z', null);
    await usage.reported(router!.id, [report(7_200, 0, 0), report(0, 1_200, 120)], inUse);
    expect(await ledgerOf(router!)).toEqual([['2026-11-23', A, 600, 60]]);
    expect(await ledgerOf(router!, other)).toEqual([['2026-11-23', A, 300, 30]]);
    await usage.stop();
  });

  test('USE-01-partial a report that names no SIM counts for the one of the last whole answer; one that is too old does not count', async () => {
    const usage = await start();
    const router = await newRouter();
    await fleet.database.write((tx) =>
      sql`update routers set reported = jsonb_build_object('iccid', ${B}::text) where id = ${router.id}::uuid`.execute(tx),
    );
    await usage.reported(router.id, [report(20, 1, 1, ''), report(10, 6, 2, undefined)], inUse);
    expect(await ledgerOf(router)).toEqual([['2026-11-23', B, 5, 1]]);
    expect(usage.reported(router.id, [report(9 * 86_400, 5, 5)], inUse)).toBeUndefined();
    expect(usage.stats().expired).toBe(1);
    await usage.stop();
  });

  test('USE-01-partial two processes that add reports of one router at once, in any order, add up to the same', async () => {
    const [one, other] = [await start({ batchRows: 3 }), await start({ batchRows: 2 })];
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(
          Array.from({ length: 12 }, (_, n) => n),
          { minLength: 12 },
        ),
        async (order) => {
          const router = await newRouter();
          const reports = order.map((n) => report(3 * 86_400 - n * 20_000, n * 1_000, n * 77, n < 5 ? A : B));
          await Promise.all(
            reports.map(async (each, index) => (index % 2 === 0 ? one : other).reported(router.id, [each], inUse)),
          );
          await Promise.all(reports.map(async (each) => other.reported(router.id, [each], inUse)));
          const sums = await ledgerOf(router);
          expect(sums.filter(([, iccid]) => iccid === A).reduce((sum, [, , sent]) => sum + Number(sent), 0)).toBe(5_000);
          expect(sums.reduce((sum, [, , sent, received]) => sum + Number(sent) + Number(received), 0)).toBe(11 * 1_077);
          const again = await newRouter();
          await one.reported(
            again.id,
            reports.toSorted((a, b) => a.at - b.at),
            inUse,
          );
          expect(await ledgerOf(again)).toEqual(sums);
        },
      ),
      { numRuns: 6 },
    );
    await Promise.all([one.stop(), other.stop()]);
  });

  test('USE-01-partial a process that is killed has added all of a batch or nothing: what the router repeats counts once', async () => {
    const usage = await start({ maxRows: 2 });
    const router = await newRouter();
    await usage.reported(router.id, [report(600, 0, 0)], inUse);
    const outage = fleet.breakDatabase();
    const lost = usage.reported(router.id, [report(300, 10, 10), report(200, 20, 20)], inUse)!;
    const fault = lost.catch((error: unknown) => error);
    await eventually(() => expect(outage.tries()).toBeGreaterThan(1));
    await expect(usage.reported(router.id, [report(100, 30, 30)], inUse)).rejects.toThrow('Too many counters');
    // The process ends without having written.
    await usage.stop(0);
    expect(String(await fault)).toContain('stopped before counters');
    outage.repair();
    const next = await start();
    await next.reported(router.id, [report(300, 10, 10), report(200, 20, 20), report(100, 30, 30)], inUse);
    expect(await ledgerOf(router)).toEqual([['2026-11-23', A, 30, 30]]);
    await next.stop();
  });

  test('USE-01-partial USAGE_DAYS deletes days and cycles; readings stay while late ones are accepted; the last counter stays', async () => {
    let now = NOW;
    const moving = { now: () => new Date(now) };
    const usage = await start({}, moving);
    const router = await newRouter();
    await usage.reported(router.id, [report(600, 0, 0), report(300, 10, 10)], inUse);
    now += 100 * DAY_MS;
    await usage.retention.run(new Date(now));
    expect(await ledgerOf(router)).toEqual([]);
    expect(await cyclesOf(router)).toEqual([]);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from all_usage_segments`.execute(
      fleet.database.read,
    );
    expect(rows[0]!.count).toBe(0);
    await usage.reported(router.id, [report(-100 * 86_400 + 60, 110, 10, A, 9_640_000)], inUse);
    const kept = await ledgerOf(router);
    expect(kept.reduce((sum, [, , sent]) => sum + Number(sent), 0)).toBe(100);
    // A late one whose place among the others is no longer known is left out.
    await usage.reported(router.id, [report(-100 * 86_400 + 3_600, 105, 10, A, 9_636_000)], inUse);
    expect(await ledgerOf(router)).toEqual(kept);
    await usage.stop();
  });
});
