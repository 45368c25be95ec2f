import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../kernel/ids.ts';
import { runAs } from '../../../testing/database.ts';
import { silentLog } from '../../../testing/log.ts';
import { openRouterDatabase, type RouterDatabase } from '../../../testing/routers.ts';
import { createTelemetry, readings, rollupJob } from '../index.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-11-20T00:00:00Z');
let fleet: RouterDatabase;
const clock = { now: () => new Date(START + 30 * HOUR_MS) };

beforeAll(async () => {
  fleet = await openRouterDatabase();
  await runAs(
    fleet.test.ownerUrl,
    `update telemetry_rollup set rolled_from = '2026-11-20Z', closed_until = '2026-11-20Z', rolled_until = '2026-11-20Z'`,
  );
});
afterAll(() => fleet.close());

async function start() {
  const telemetry = createTelemetry({
    database: fleet.database,
    clock,
    log: silentLog,
    retentionDays: 30,
    settings: { collectMs: 1, batchRows: 20 },
  });
  await telemetry.start();
  return telemetry;
}

const column = (name: string, sign: string) => `select router_id, date_trunc('hour', at, 'UTC') as at, ${sign} from ${name}`;

describe('rollups', () => {
  it('have the values of every reading at the place of its number', () => {
    expect(readings.map(({ number }) => number)).toEqual(readings.map((_, index) => index + 1));
  });

  it('miss no report that is written while hours are closed, by two processes that do both', async () => {
    const nodes = [await start(), await start()];
    const routers = Array.from({ length: 5 }, () => newId());
    const writes: Promise<void>[] = [];
    for (let index = 0; index < 1_200; index++) {
      const hour = Math.floor(index / 50);
      const at = START + hour * HOUR_MS + (index % 50) * 60_000;
      writes.push(nodes[index % 2]!.write(routers[index % 5]!, [{ at, parameter: 'rssi', value: -index }]));
      // The hour is closed while its own reports are written.
      if (index % 50 === 20) {
        const now = new Date(START + (hour + 1) * HOUR_MS + 600_000);
        await Promise.all(nodes.map(({ rollups }) => rollups.run(now)));
      }
    }
    await Promise.all(writes);
    const { rows: late } = await fleet.pool.query('select from telemetry_late');
    expect(late.length).toBeGreaterThan(0);
    await nodes[0]!.rollups.run(new Date(START + 26 * HOUR_MS));
    const differences = await fleet.pool.query(`
      with raw as (${column('telemetry_reports', 'count(*)::int as n, sum(rssi) as sum, min(rssi) as min, max(rssi) as max')} group by 1, 2),
        hours as (${column('telemetry_hours', 'counts[1] as n, sums[1] as sum, mins[1] as min, maxs[1] as max')})
      (table raw except table hours) union all (table hours except table raw)`);
    expect(differences.rows).toEqual([]);
    const days = await fleet.pool.query('select sum(counts[1])::int as n, sum(sums[1]) as sum from telemetry_days');
    expect(days.rows).toEqual([{ n: 1_200, sum: -(1_199 * 1_200) / 2 }]);
    await Promise.all(nodes.map((node) => node.stop()));
  });

  it('are not made while a transaction that adds reports is open, and that keeps no other from adding', async () => {
    const telemetry = await start();
    const client = await fleet.pool.connect();
    await client.query('begin; select telemetry_closed_until()');
    await telemetry.rollups.run(new Date(START + 40 * HOUR_MS));
    const until = async () => (await fleet.pool.query('select closed_until as at from telemetry_rollup')).rows[0].at as Date;
    const before = await until();
    expect(before.getTime()).toBeLessThan(START + 39 * HOUR_MS);
    await telemetry.write(newId(), [{ at: START + 27 * HOUR_MS, parameter: 'rssi', value: -1 }]);
    await client.query('commit');
    client.release();
    await telemetry.rollups.run(new Date(START + 40 * HOUR_MS));
    expect(await until()).toEqual(new Date(START + 39 * HOUR_MS));
    await telemetry.stop();
  });

  it('NOD-02-partial of an hour and its day are made for some routers at a time, and continue after a failure where they were', async () => {
    const routers = Array.from({ length: 5 }, () => newId()).toSorted();
    const hour = new Date(START + 71 * HOUR_MS);
    const job = rollupJob(fleet.database, 2);
    await fleet.pool.query(`select ensure_partitions('2026-11-22', '2026-11-22')`);
    await fleet.pool.query(
      `insert into telemetry_reports (router_id, at, rssi)
        select router, $2::timestamptz + make_interval(mins => minute), -minute from unnest($1::uuid[]) router, generate_series(-1, 1) minute`,
      [routers, hour],
    );
    await runAs(
      fleet.test.ownerUrl,
      `create function reject_router() returns trigger language plpgsql as $$ begin raise exception 'no space'; end $$;
       create trigger reject_router before insert on telemetry_hours for each row
         when (new.router_id = '${routers[3]}' and new.at = '${hour.toISOString()}') execute function reject_router()`,
    );
    const now = new Date(START + 73 * HOUR_MS);
    const rows = async (table: string) =>
      (
        await fleet.pool.query<{ router_id: string; writer: string; count: number; sum: number }>(
          `select router_id, xmin::text as writer, counts[1] as count, sums[1] as sum from ${table}
            where router_id = any ($1::uuid[]) and (at = $2 or at = date_trunc('day', $2::timestamptz, 'UTC')) order by router_id`,
          [routers, hour],
        )
      ).rows;
    const until = async () => (await fleet.pool.query('select rolled_until as at from telemetry_rollup')).rows[0].at as Date;

    await expect(job.run(now)).rejects.toThrow('no space');
    const before = [await rows('telemetry_hours'), await rows('telemetry_days')];
    expect(before.map((made) => made.map((row) => row.router_id))).toEqual([routers.slice(0, 2), routers.slice(0, 2)]);
    expect(await until()).toEqual(hour);

    await runAs(fleet.test.ownerUrl, 'drop trigger reject_router on telemetry_hours');
    await job.run(now);
    const after = [await rows('telemetry_hours'), await rows('telemetry_days')];
    expect(after.map((made) => made.map((row) => row.router_id))).toEqual([routers, routers]);
    expect(after.map((made) => made.slice(0, 2))).toEqual(before);
    expect(after.map((made) => made.map(({ writer }) => made.filter((row) => row.writer === writer).length))).toEqual([
      [2, 2, 2, 2, 1],
      [2, 2, 2, 2, 1],
    ]);
    expect(after[0]!.map(({ count, sum }) => [count, sum])).toEqual(routers.map(() => [2, -1]));
    expect(after[1]!.map(({ count, sum }) => [count, sum])).toEqual(routers.map(() => [3, 0]));
    expect(await until()).toEqual(new Date(START + 72 * HOUR_MS));

    // The next hour begins with the first router, wherever a process ended before.
    await fleet.pool.query(`select ensure_partitions('2026-11-23', '2026-11-23')`);
    await fleet.pool.query(
      'insert into telemetry_reports (router_id, at, rssi) select router, $2, -1 from unnest($1::uuid[]) router',
      [routers, new Date(START + 72 * HOUR_MS)],
    );
    await job.run(new Date(START + 74 * HOUR_MS));
    const next = await fleet.pool.query('select from telemetry_hours where at = $1', [new Date(START + 72 * HOUR_MS)]);
    expect(next.rowCount).toBe(5);
  });
});
