import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { newId } from '../../../kernel/ids.ts';
import { silentLog } from '../../../testing/log.ts';
import { openRouterDatabase, type RouterDatabase } from '../../../testing/routers.ts';
import { createTelemetry, readings, valuesOfReport, type Sample, type Telemetry } from '../index.ts';

const DAY_MS = 86_400_000;
let fleet: RouterDatabase;
const now = new Date('2026-11-20T12:00:00Z');
const clock = { now: () => now };

beforeAll(async () => {
  fleet = await openRouterDatabase();
});
afterAll(() => fleet.close());

async function start(settings = {}): Promise<Telemetry> {
  const telemetry = createTelemetry({ database: fleet.database, clock, log: silentLog, retentionDays: 30, settings });
  await telemetry.start();
  return telemetry;
}

async function rowsOf(routerId: string) {
  const { rows } = await sql<{ name: string; at: Date; value: number }>`
    select p.name, t.at, v.value from telemetry_reports t cross join lateral ${valuesOfReport('t')}
      join telemetry_parameters p on p.id = v.parameter
    where t.router_id = ${routerId}::uuid and v.value is not null order by t.at, p.id`.execute(fleet.database.read);
  return rows;
}

const sample = (value: number, at = now.getTime()): Sample => ({ at, parameter: 'voltage', value });

describe('telemetry', () => {
  it('has the same parameters as the database', async () => {
    const { rows } = await sql<{ name: string }>`select name from telemetry_parameters order by id`.execute(fleet.database.read);
    expect(rows.map(({ name }) => name)).toEqual(readings.map(({ key }) => key));
    const columns = await sql<{ name: string }>`select attname as name from pg_attribute
      where attrelid = 'telemetry_reports'::regclass and attnum > 2 and not attisdropped order by attnum`.execute(
      fleet.database.read,
    );
    expect(columns.rows).toEqual(rows);
  });

  it('is in the table, to the microsecond and the last digit, when write resolves', async () => {
    const telemetry = await start();
    const router = newId();
    const samples = readings.map(({ key: parameter }, index) => ({ at: now.getTime() - 1, parameter, value: index - 2.125 }));
    await telemetry.write(router, samples);
    expect(await rowsOf(router)).toEqual(
      samples.map(({ at, parameter, value }) => ({ name: parameter, at: new Date(at), value })),
    );
    await telemetry.stop();
  });

  it('stores the values of one report in one row, and a second value of a parameter in another', async () => {
    const telemetry = await start();
    const router = newId();
    const at = now.getTime();
    await telemetry.write(router, [
      sample(12, at - 1),
      { at: at - 1, parameter: 'battery', value: 90 },
      sample(13, at - 1),
      sample(14),
    ]);
    const { rows } = await sql`select at, voltage, battery, rssi from telemetry_reports
      where router_id = ${router}::uuid order by voltage`.execute(fleet.database.read);
    expect(rows).toEqual([
      { at: new Date(at - 1), voltage: 12, battery: 90, rssi: null },
      { at: new Date(at - 1), voltage: 13, battery: null, rssi: null },
      { at: now, voltage: 14, battery: null, rssi: null },
    ]);
    await telemetry.stop();
  });

  it('stores values of the far future with the current time, leaves out values older than the series, and invalid numbers', async () => {
    const telemetry = await start();
    const router = newId();
    await telemetry.write(router, [
      sample(1, now.getTime() + 400 * DAY_MS),
      sample(2, now.getTime() - 400 * DAY_MS),
      sample(3, now.getTime() - 5 * DAY_MS),
      sample(Number.NaN),
      sample(4, Number.NaN),
      { at: now.getTime(), parameter: 'altitude' as never, value: 1 },
    ]);
    expect((await rowsOf(router)).map(({ at, value }) => [at.getTime(), value])).toEqual([
      [now.getTime() - 5 * DAY_MS, 3],
      [now.getTime(), 1],
    ]);
    expect(telemetry.stats()).toMatchObject({ written: 2, expired: 1, waiting: 0 });
    await telemetry.stop();
  });

  it('keeps its rows while the database is down, and writes every one once it is back', async () => {
    const telemetry = await start({ collectMs: 1, batchRows: 1_000 });
    const router = newId();
    const outage = fleet.breakDatabase();
    let durable = 0;
    const writes = Array.from({ length: 300 }, (_, index) =>
      telemetry.write(router, [sample(index), sample(index)]).then(() => durable++),
    );
    await eventually(() => expect(outage.tries()).toBeGreaterThan(1));
    expect(durable).toBe(0);
    outage.repair();
    await Promise.all(writes);
    expect(await rowsOf(router)).toHaveLength(600);
    await telemetry.stop();
  });

  it('survives that its connection is cut under load without losing what it confirmed', async () => {
    const telemetry = await start({ collectMs: 1, batchRows: 500 });
    const router = newId();
    const confirmed: number[] = [];
    const writes = Array.from({ length: 2_000 }, async (_, index) => {
      await telemetry.write(router, [sample(index)]);
      confirmed.push(index);
    });
    await fleet.cutConnections();
    await Promise.all(writes);
    const kept = new Set((await rowsOf(router)).map(({ value }) => value));
    expect(confirmed.filter((value) => !kept.has(value))).toEqual([]);
    expect(kept.size).toBe(2_000);
    await telemetry.stop();
  });

  it('ANA-01-partial stores a report once that a router sends again after it has connected again, and every other one', async () => {
    const before = await start();
    const [router, other] = [newId(), newId()];
    const at = now.getTime() - 60_000;
    const kept = [sample(12, at), sample(13, at + 1), { at: at + 1, parameter: 'battery' as const, value: 90 }];
    await before.write(router, kept, now.getTime());
    await before.stop();
    const telemetry = await start();
    // The first one again with the time that it had before it was taken for one of the future.
    const again = [sample(12, at + 900), ...kept.slice(1)];
    await telemetry.write(router, [...again, sample(15, at), sample(16, at + 1), sample(14, at + 2)], now.getTime());
    await telemetry.write(other, kept, now.getTime());
    expect((await rowsOf(router)).map((each) => [each.at.getTime() - at, each.name, each.value])).toEqual([
      [0, 'voltage', 12],
      [0, 'voltage', 15],
      [1, 'voltage', 13],
      [1, 'voltage', 16],
      [1, 'battery', 90],
      [2, 'voltage', 14],
    ]);
    expect(await rowsOf(other)).toHaveLength(3);
    expect(telemetry.stats()).toMatchObject({ written: 6 });
    await telemetry.stop();
  });

  it('stores a batch once whose commit was not acknowledged', async () => {
    const { pool } = fleet.database;
    let commits = 0;
    const connect = async () => {
      const client = await pool.connect();
      const query = client.query.bind(client) as (...parameters: unknown[]) => Promise<unknown>;
      const commit = async () => {
        await query('commit');
        if (commits++ === 0) throw new Error('Connection terminated unexpectedly');
      };
      return {
        query: (first: unknown, ...rest: unknown[]) => (first === 'commit' ? commit() : query(first, ...rest)),
        release: (isBroken?: boolean) => client.release(isBroken),
      };
    };
    const database = { ...fleet.database, pool: { connect } as unknown as typeof pool };
    const telemetry = createTelemetry({ database, clock, log: silentLog, retentionDays: 30 });
    await telemetry.start();
    const router = newId();
    await telemetry.write(router, [sample(12), sample(13)]);
    expect(commits).toBe(2);
    expect(await rowsOf(router)).toHaveLength(2);
    await telemetry.stop();
  });

  it('rejects rows above its limit, and those that still wait at the end of the timeout', async () => {
    const telemetry = await start({ collectMs: 1, maxRows: 10 });
    const outage = fleet.breakDatabase();
    const held = telemetry.write(
      newId(),
      Array.from({ length: 10 }, () => sample(1)),
    );
    const heldOutcome = held.catch((error: unknown) => error);
    await expect(telemetry.write(newId(), [sample(1)])).rejects.toThrow('Too many');
    await telemetry.stop(1);
    expect(await heldOutcome).toMatchObject({ name: 'RowsRejected' });
    outage.repair();
  });

  it('creates a missing partition instead of losing the batch', async () => {
    const telemetry = await start({ collectMs: 1 });
    await sql`select drop_partitions_before('2026-11-16'::date) from generate_series(1, 100)`.execute(fleet.database.read);
    const router = newId();
    await telemetry.write(router, [sample(1, now.getTime() - 6 * DAY_MS)]);
    expect(await rowsOf(router)).toHaveLength(1);
    await telemetry.stop();
  });

  it('drops expired days and keeps the others', async () => {
    const telemetry = await start();
    await sql`select ensure_partitions('2026-10-01'::date, '2026-11-20'::date)`.execute(fleet.database.read);
    const [old, recent] = [newId(), newId()];
    await sql`insert into telemetry_reports values (${old}::uuid, '2026-10-02T00:00:00Z', 1), (${recent}::uuid, '2026-10-22T00:00:00Z', 1)`.execute(
      fleet.database.read,
    );
    await telemetry.retention.run(now);
    expect(await rowsOf(old)).toEqual([]);
    expect(await rowsOf(recent)).toHaveLength(1);
    await telemetry.stop();
  });
});
