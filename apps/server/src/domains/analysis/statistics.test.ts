import type { analysis } from '@highline/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedRecords, type KnownRecord, type KnownRecords } from '../../testing/records.ts';
import { useTestApp } from '../../testing/test-app.ts';

const HOUR_MS = 3_600_000;

const app = useTestApp();
let known: KnownRecords;
let north: string;
let device: string;

beforeAll(async () => {
  const { scope: main } = await app.seeding.mainAccount('Main');
  known = await seedRecords(app, await app.seeding.organization(main, 'Buses'));
  north = known.groups[0]!;
  device = known.devices[0]!.id;
});

const ends = { on: '2026-11-17T00:00:00Z', to: '2026-11-21T00:00:00Z' };

async function statistics(category: analysis.ChartType, query: Record<string, string>) {
  const path = `/data_manager/api/v1/statistics/${category}`;
  return app.call('GET', path, { as: known.admin, query: { ...ends, group: north, ...query } });
}

async function points(category: analysis.ChartType, query: Record<string, string>): Promise<analysis.Point[]> {
  const { status, text, json } = await statistics(category, query);
  expect(status, text).toBe(200);
  return json.result.points;
}

const prepare = (chartType: analysis.ChartType, body: object) =>
  app.call('POST', `/vega_lite_manager/api/v1/prepare/${chartType}`, { as: known.admin, body });

function naive(query: { group?: string; device?: string; property: string }, from = ends.on, to = ends.to): KnownRecord[] {
  const { group = north, device: only, property } = query;
  return known.records.filter(
    (record) =>
      record.property === property &&
      record.group === group &&
      (only === undefined || record.device === only) &&
      record.at >= Date.parse(from) &&
      record.at < Date.parse(to),
  );
}

const mean = (values: readonly number[]) => Number((values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(10));
const numbers = (records: readonly KnownRecord[]) => records.map(({ value }) => value as number);

function countBy(records: readonly KnownRecord[], key: (record: KnownRecord) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const record of records) counts[key(record)] = (counts[key(record)] ?? 0) + 1;
  return counts;
}

const countsOf = (all: readonly analysis.Point[]) => Object.fromEntries(all.map(({ x, y }) => [String(x), y]));

describe('the six queries of Analysis', () => {
  test('OLD-05-partial ANA-01-partial device returns how many records each device of the group has, with any condition', async () => {
    const all = await points('device', { property: 'temperature' });
    expect(countsOf(all)).toEqual(countBy(naive({ property: 'temperature' }), (record) => record.device));
    expect(all.every(({ label }) => label!.startsWith('RPT-'))).toBe(true);
    const conditions = {
      more: (value: number) => value > 2.5,
      less: (value: number) => value < 2.5,
      equal: (value: number) => value === 2.5,
      appear: (value: number) => value === 2.5,
    };
    for (const [condition, holds] of Object.entries(conditions)) {
      const expected = naive({ property: 'temperature' }).filter(({ value }) => holds(value as number));
      const found = countsOf(await points('device', { property: 'temperature', condition, value: '2.50' }));
      expect(found, condition).toEqual(countBy(expected, (record) => record.device));
    }
  });

  test('OLD-05-partial ANA-01-partial record counts in every window, including empty ones, and no future one', async () => {
    const zone = 'America/Chicago';
    const counted = await points('record', { property: 'online', window: '1h', zone, value: 'true' });
    const expected = countBy(
      naive({ property: 'online' }).filter(({ value }) => value === true),
      ({ at }) => String(Math.floor(at / HOUR_MS) * HOUR_MS),
    );
    expect(countsOf(counted.filter(({ y }) => y > 0))).toEqual(expected);
    // From the first hour of the range to the one that has just begun.
    expect([counted[0]!.x, counted.at(-1)!.x]).toEqual([Date.parse(ends.on), Date.parse('2026-11-20T12:00:00Z')]);
    expect(counted).toHaveLength(3 * 24 + 13);
  });

  test('OLD-05-partial ANA-01-partial average is the mean of each day of the zone, in the unit of the property', async () => {
    const { json } = await statistics('average', { property: 'temperature', window: '1d', shift: '-6' });
    const days = Object.groupBy(naive({ property: 'temperature' }), ({ at }) =>
      new Date(at - 6 * HOUR_MS).toISOString().slice(0, 10),
    );
    const expected = Object.entries(days).map(([day, records]) => ({
      x: Date.parse(`${day}T06:00:00Z`),
      y: mean(numbers(records!)),
    }));
    expect(json.result).toMatchObject({ category: 'average', unit: '°C', window: '1d' });
    const sorted = expected.sort((a, b) => a.x - b.x);
    expect(json.result.points.map(({ x }: analysis.Point) => x)).toEqual(sorted.map(({ x }) => x));
    for (const [index, { y }] of (json.result.points as analysis.Point[]).entries()) expect(y).toBeCloseTo(sorted[index]!.y, 9);
  });

  test('OLD-05-partial ANA-01-partial sumarty gives count, least, mean and greatest of a number, and the counts of other values', async () => {
    const values = numbers(naive({ property: 'temperature', device }));
    const summary = countsOf(await points('sumarty', { property: 'temperature', device }));
    expect(summary).toMatchObject({ count: values.length, min: Math.min(...values), max: Math.max(...values) });
    expect(summary['mean']).toBeCloseTo(mean(values), 9);
    const events = countBy(naive({ property: 'event' }), ({ value }) => String(value));
    expect(countsOf(await points('sumarty', { property: 'event' }))).toEqual(events);
  });

  test('OLD-05-partial ANA-01-partial piechart counts each value, the most frequent first', async () => {
    const all = await points('piechart', { property: 'online' });
    expect(countsOf(all)).toEqual(countBy(naive({ property: 'online' }), ({ value }) => String(value)));
    expect(all.map(({ y }) => y)).toEqual(all.map(({ y }) => y).sort((a, b) => b - a));
  });

  test('OLD-05-partial ANA-01-partial runChart gives the single values of one day of one device', async () => {
    const day = { on: '2026-11-19T00:00:00Z', to: '2026-11-20T00:00:00Z' };
    const values = await points('runChart', { property: 'temperature', device, ...day });
    const expected = naive({ property: 'temperature', device }, day.on, day.to).map(({ at: x, value: y }) => ({ x, y }));
    expect(values).toEqual(expected.sort((a, b) => a.x - b.x));
    expect(values.length).toBeGreaterThan(5);
  });

  test('ANA-01-partial ANA-03-partial the defaults are: appears, and today', async () => {
    const { json } = await prepare('device', { groupId: north, propertyId: 'rssi' });
    const today = naive({ property: 'rssi' }, '2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z');
    expect(countsOf(json.result.points)).toEqual(countBy(today, (record) => record.device));
    const yesterday = await prepare('device', { groupId: north, propertyId: 'rssi', dayType: 'yesterday', zone: 'Asia/Taipei' });
    const before = naive({ property: 'rssi' }, '2026-11-18T16:00:00Z', '2026-11-19T16:00:00Z');
    expect(countsOf(yesterday.json.result.points)).toEqual(countBy(before, (record) => record.device));
  });
});

describe('the rules of a query', () => {
  const whole = { propertyId: 'rssi', deviceId: '' };
  test.each<[string, analysis.ChartType, object, string, string]>([
    ['no group', 'device', { ...whole, groupId: '' }, 'RequireErr', 'group'],
    ['no property', 'device', { propertyId: '' }, 'RequireErr', 'property'],
    ['an unknown property', 'device', { propertyId: 'altitude' }, 'RequireErr', 'property'],
    ['an average of a boolean', 'average', { propertyId: 'online' }, 'averageErr', 'property'],
    ['a pie of numbers', 'piechart', whole, 'piechartErr', 'property'],
    ['more than a text', 'record', { propertyId: 'event', conditons: 'more', num: '1' }, 'conditonErr', 'condition'],
    ['less than with a text', 'average', { ...whole, conditons: 'less', num: 'ten' }, 'conditonErr', 'value'],
    ['more than nothing', 'average', { ...whole, conditons: 'more' }, 'RequireErr', 'value'],
    ['equal to nothing', 'device', { propertyId: 'event', conditons: 'equal', num: ' ' }, 'RequireErr', 'value'],
    ['an invalid boolean', 'record', { propertyId: 'online', conditons: 'equal', num: 'yes' }, 'conditonErr', 'value'],
    ['records of a number without a value', 'record', whole, 'RequireErr', 'value'],
    ['a summary of a number without a device', 'sumarty', whole, 'RequireErr', 'device'],
    ['a run chart of a text', 'runChart', { propertyId: 'event' }, 'runChartErr', 'property'],
    ['a run chart without a device', 'runChart', whole, 'runChartErr', 'device'],
  ])('ANA-03-partial %s is rejected', async (_, chartType, body, key, field) => {
    const { status, json } = await prepare(chartType, { groupId: north, ...body });
    expect([status, json.error.detail, json.error.field]).toEqual([400, { key }, field]);
  });

  test.each([
    ['a week', { dayType: 'week' }],
    ['a month', { dayType: 'month' }],
    ['two days', { startDate: '2026-11-19T00:00:00Z', endDate: '2026-11-20T00:00:01Z' }],
    [
      'a day of UTC that is two of the zone',
      { startDate: '2026-11-19T00:00:00Z', endDate: '2026-11-20T00:00:00Z', zone: 'Asia/Taipei' },
    ],
  ])('ANA-03-partial a run chart of %s is rejected', async (_, range) => {
    const { json } = await prepare('runChart', { groupId: north, deviceId: device, propertyId: 'rssi', ...range });
    expect([json.error.detail, json.error.field]).toEqual([{ key: 'runChartDateErr' }, 'date']);
  });

  test('a window that is not available for this many days is rejected, and without one the number of records decides', async () => {
    const rejected = await statistics('average', { property: 'temperature', window: '5m' });
    expect([rejected.status, rejected.json.error.field]).toEqual([400, 'window']);
    expect((await statistics('average', { property: 'temperature' })).json.result.window).toBe('1h');
    expect((await statistics('device', { property: 'temperature' })).json.result.window).toBe('');
  });

  test.each([
    ['a Sunday', 'week', '2026-11-22T12:00:00Z', '2026-11-22T00:00:00Z', '2026-11-23T00:00:00Z'],
    ['the first', 'month', '2026-11-01T12:00:00Z', '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'],
    ['the fifth', 'month', '2026-11-05T12:00:00Z', '2026-11-01T00:00:00Z', '2026-11-06T00:00:00Z'],
  ])(
    'RPT-03-partial on %s, the windows that are offered for the %s until today are those of its chart',
    async (_, dayType, now, on, to) => {
      const before = app.clock.now();
      app.clock.set(now);
      const count = { as: known.admin, query: { on, to, group: north, property: 'temperature' } };
      const { window, windows } = (await app.call('GET', '/data_manager/api/v1/statistics/query_count', count)).json.result;
      const question = { groupId: north, propertyId: 'temperature', dayType };
      const usual = await prepare('average', question);
      const statuses = await Promise.all(
        windows.map(async (one: string) => (await prepare('average', { ...question, window: one })).status),
      );
      app.clock.set(before.toISOString());
      expect(usual.json.result.window).toBe(window);
      expect(statuses).toEqual(windows.map(() => 200));
    },
  );

  test.each<[string, analysis.Window, Record<string, string>]>([
    ['week', '1w', { '2026-11-21': '1w', '2026-11-22': '1w' }],
    ['week', '5m', { '2026-11-22': '5m', '2026-11-23': '1h' }],
    ['month', '1mo', { '2026-11-01': '1mo', '2026-11-05': '1mo' }],
    ['month', '10m', { '2026-11-01': '10m', '2026-11-02': '1h' }],
  ])('RPT-03-partial a stored chart of the %s with windows of %s is drawn on each of its days', async (dayType, window, days) => {
    const before = app.clock.now();
    const drawn: [string, string][] = [];
    for (const day of Object.keys(days)) {
      app.clock.set(`${day}T12:00:00Z`);
      const { json } = await prepare('average', { groupId: north, propertyId: 'temperature', dayType, window });
      drawn.push([day, json.result?.window ?? json.error.field]);
    }
    app.clock.set(before.toISOString());
    expect(Object.fromEntries(drawn)).toEqual(days);
  });

  test('a group or device of another organization is not found', async () => {
    const group = await prepare('device', { groupId: 'unknown', propertyId: 'rssi' });
    expect([group.status, group.json.error.key]).toEqual([404, 'group.not_found']);
    const unknown = await prepare('device', { groupId: north, deviceId: 'unknown', propertyId: 'rssi' });
    expect([unknown.status, unknown.json.error.key]).toEqual([404, 'not_found']);
  });
});
