import { sql } from 'kysely';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../testing/log.ts';
import { numbersFrom, seedRecords, type KnownRecords } from '../../testing/records.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createTelemetry, readings, type Telemetry } from '../router-state/index.ts';
import { findProperty } from './property.catalogue.ts';
import { requestedDevices, requestedGroups, type RecordQuestion } from './record.question.ts';
import { piecesOf, readRolledRange, rolledSourcesOf, type RolledRange } from './rolled-records.queries.ts';

const HOUR_MS = 3_600_000;
const app = useTestApp();
const NOTHING: RolledRange = { from: new Date(0), until: new Date(0) };
let known: KnownRecords;
let telemetry: Telemetry;
let now: number;
const draw = numbersFrom(11);

beforeAll(async () => {
  const { scope: main } = await app.seeding.mainAccount('Main');
  known = await seedRecords(app, await app.seeding.organization(main, 'Buses'));
  now = app.clock.now().getTime();
  telemetry = createTelemetry({
    database: app.database,
    clock: app.clock,
    log: silentLog,
    retentionDays: 30,
    settings: { collectMs: 1 },
  });
  await telemetry.start();
  const begin = new Date(now - 7 * 24 * HOUR_MS);
  await app.owner.query('update telemetry_rollup set rolled_from = $1, closed_until = $1, rolled_until = $1', [begin]);
  // Devices that got their routers within an hour, at the full hour, and at midnight of UTC.
  for (const [index, owned] of [now - 50.4 * HOUR_MS, now - 47 * HOUR_MS, now - 36 * HOUR_MS].entries())
    await app.owner.query('update router_ownership set owned_from = $1 where device_id = $2', [
      new Date(owned),
      known.devices[index]!.id,
    ]);
});

/** Reports of all devices at any time of the last days, so that most of them come after their hour was rolled up. */
async function report(count: number): Promise<void> {
  for (const { routerId } of known.devices) {
    const samples = Array.from({ length: count }, () => {
      const at = now - draw(76 * 3_600) * 1_000;
      return { at, parameter: readings[draw(readings.length)]!.key, value: (draw(800) - 400) / 8 };
    });
    await telemetry.write(routerId, samples);
  }
}

const ids = ['rssi', 'temperature', 'online', 'carrier'];
const questions = fc.record({
  from: fc.oneof(fc.integer({ min: 0, max: 80 * 60 }), fc.integer({ min: 60 * 60, max: 80 * 60 })),
  minutes: fc.oneof(fc.integer({ min: 1, max: 80 * 60 }), fc.constant(80 * 60)),
  width: fc.constantFrom(30, 60, 180, 24 * 60, 100 * 24 * 60),
  // Zones are off by whole, half and quarter hours.
  shift: fc.constantFrom(0, 60, 8 * 60, 330, 345),
  device: fc.option(fc.nat(5)),
  properties: fc.subarray(ids, { minLength: 1 }),
});
type Drawn = typeof questions extends fc.Arbitrary<infer Value> ? Value : never;

const everything: Drawn = { from: 76 * 60, minutes: 80 * 60, width: 100 * 24 * 60, shift: 0, device: null, properties: ids };

function questionOf({ from, minutes, width, shift, device, properties }: Drawn) {
  const begin = now - from * 60_000;
  const range = { from: new Date(begin), until: new Date(Math.min(begin + minutes * 60_000, now + HOUR_MS)) };
  const chosen = device === null ? {} : { device: known.devices[device]?.id ?? known.gone };
  const question: RecordQuestion = {
    key: '',
    range,
    properties: properties.map((id) => findProperty(id)!),
    devices: requestedDevices(known.scope, chosen),
    groups: requestedGroups(known.scope, chosen),
    value: { kind: 'any' },
  };
  const starts: Date[] = [];
  const step = width * 60_000;
  for (let at = Math.floor((begin + shift * 60_000) / step) * step - shift * 60_000; at < range.until.getTime(); at += step)
    starts.push(new Date(at));
  return { question, starts };
}

async function responses({ question, starts }: ReturnType<typeof questionOf>, rolled: RolledRange) {
  const window = sql`width_bucket(u.at, ${starts.map((start) => start.toISOString())}::timestamptz[])`;
  return app.reader.rows(
    sql`select ${window} as window, u.device_id, sum(u.count)::int as count, sum(u.sum) as sum, min(u.min) as min, max(u.max) as max
      from (${rolledSourcesOf(question, starts, rolled)}) u group by 1, 2 order by 1, 2`,
  );
}

const rolledRange = () => readRolledRange((statement) => app.reader.rows(statement));

async function areEqual(): Promise<void> {
  const rolled = await rolledRange();
  let rows = 0;
  await fc.assert(
    fc.asyncProperty(questions, async (drawn) => {
      const question = questionOf(drawn);
      const expected = await responses(question, NOTHING);
      rows += expected.length;
      expect(await responses(question, rolled)).toEqual(expected);
    }),
    { numRuns: 30, examples: [[everything]] },
  );
  expect(rows).toBeGreaterThan(20);
}

describe('rollups by hour and day', () => {
  test('NOD-05-partial answer every question as the single values do, whatever its windows, borders of ownership and late reports', async () => {
    await report(150);
    await telemetry.rollups.run(new Date(now));
    expect((await rolledRange()).until).toEqual(new Date(now - HOUR_MS));
    await areEqual();
    await report(40);
    const { rows: marks } = await app.owner.query<{ n: number }>('select count(*)::int as n from telemetry_late');
    expect(marks[0]!.n).toBeGreaterThan(100);
    await areEqual();
    await telemetry.rollups.run(new Date(now));
    expect((await app.owner.query('select from telemetry_late')).rowCount).toBe(0);
    await areEqual();
    const { rows } = await app.owner.query<{ hours: number; days: number }>(
      'select (select count(*) from telemetry_hours)::int as hours, (select count(*) from telemetry_days)::int as days',
    );
    expect(rows[0]!.hours).toBeGreaterThan(300);
    expect(rows[0]!.days).toBeGreaterThan(12);
  });

  test('a time range is split at its borders, at those of windows and where rollups end', () => {
    const time = (text: string) => new Date(`2026-11-${text}:00Z`);
    const range = { from: time('17T22:30'), until: time('20T01:10') };
    const rolled = { from: time('01T00:00'), until: time('19T20:00') };
    const from = (text: string, until: string) => ({ from: time(text), until: time(until) });
    expect(piecesOf(range, [], rolled)).toEqual({
      single: [from('17T22:30', '17T23:00'), from('19T20:00', '20T01:10')],
      hours: [from('17T23:00', '18T00:00'), from('19T00:00', '19T20:00')],
      days: [from('18T00:00', '19T00:00')],
    });
    expect(piecesOf(range, [time('17T18:30'), time('18T18:30')], rolled)).toEqual({
      single: [from('17T22:30', '17T23:00'), from('18T18:00', '18T19:00'), from('19T20:00', '20T01:10')],
      hours: [from('17T23:00', '18T18:00'), from('18T19:00', '19T20:00')],
      days: [],
    });
  });
});
