import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedRecords, type KnownRecord, type KnownRecords } from '../../testing/records.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { DomainError } from '../../kernel/index.ts';
import { createTimedReader } from '../../platform/listing/index.ts';
import { countForWindows } from './record.count.ts';
import { questionOf } from './record.question.ts';

const PATH = '/data_manager/api/v1/records';
const COUNT = '/data_manager/api/v1/statistics/query_count';

const app = useTestApp();
let known: KnownRecords;

beforeAll(async () => {
  const { scope: main } = await app.seeding.mainAccount('Main');
  known = await seedRecords(app, await app.seeding.organization(main, 'Buses'));
});

type Query = Record<string, string | number>;

interface RecordDto {
  readonly device: string;
  readonly field: string;
  readonly field_value: string | number | boolean;
  readonly on: number;
  readonly udid: string;
}

const days = (count: number) => app.clock.now().getTime() - count * 86_400_000;
/** Covers all records of the organization's devices. */
const always = () => ({ on: days(4), to: days(-1) });
const ask = (query: Query, path = PATH) => app.call('GET', path, { as: known.admin, query });
const pick = ({ device, field, field_value: value, on }: RecordDto) => ({ device, property: field, value, at: on });
const toExpected = ({ device, property, value, at }: KnownRecord) => ({ device, property, value, at });

/** The result of a query by a naive scan of the known records. */
function naive(query: Query): KnownRecord[] {
  const { on, to, group, device, property, value, id } = query;
  return known.records.filter(
    (record) =>
      record.at >= Number(on) &&
      record.at < Number(to) &&
      (group === undefined || record.group === group) &&
      (device === undefined || record.device === device) &&
      (property === undefined || record.property === property) &&
      (value === undefined || String(record.value) === value) &&
      (id === undefined || record.group === id || record.device === id),
  );
}

const questions = () =>
  fc.record(
    {
      on: fc.integer({ min: 0, max: 80 }).map((hours) => days(hours / 24)),
      to: fc.integer({ min: -2, max: 60 }).map((hours) => days(hours / 24)),
      group: fc.constantFrom(...known.groups, 'default+group+id', 'no such group'),
      device: fc.constantFrom(...known.devices.map(({ id }) => id), 'no such device'),
      id: fc.constantFrom(...known.groups, ...known.devices.map(({ id }) => id), 'neither'),
      property: fc.constantFrom('temperature', 'rssi', 'online', 'event', 'carrier', 'no such property'),
      value: fc.constantFrom('-3', '4.5', 'true', 'false', 'boot: LocalReboot', 'Verizon', '4.50', ''),
    },
    { requiredKeys: ['on', 'to'] },
  );

describe('collected records', () => {
  test('RPT-01-partial OLD-05-partial API-03-partial any query finds the reports of routers while the organization owned them, newest first, in pages of any size', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(questions(), fc.constantFrom(7, 10, 100), async ({ value, ...rest }, limit) => {
        const query: Query = { ...rest, ...(value === undefined || value === '' ? {} : { value }) };
        const expected = Number(query['to']) > Number(query['on']) ? naive(query).map(toExpected) : undefined;
        const seen: RecordDto[] = [];
        let next: string | null | undefined;
        do {
          const response = await ask({ ...query, limit, ...(typeof next === 'string' ? { cursor: next } : {}) });
          if (expected === undefined) {
            expect([response.status, response.json.error.key]).toEqual([400, 'report.time_range']);
            return;
          }
          expect(response.status, response.text).toBe(200);
          expect(response.json).toMatchObject({ total: expected.length, more: false, offset: seen.length });
          seen.push(...response.json.result);
          next = response.json.next;
        } while (typeof next === 'string');
        expect(seen.map(pick)).toEqual(expected);
        found += seen.length;
      }),
      { numRuns: 60, examples: [[{ ...always() }, 100]] },
    );
    expect(found).toBeGreaterThan(1_000);
  });

  test('RPT-02-partial a page far behind can be opened directly, and the whole list without a limit is streamed', async () => {
    const all = naive(always()).map(toExpected);
    const { json } = await ask({ ...always(), limit: 30, offset: 300 });
    expect(json.result.map(pick)).toEqual(all.slice(300, 330));
    expect(json).toMatchObject({ total: all.length, offset: 300 });
    const streamed = await ask(always());
    expect(streamed.json.total).toBe(all.length);
    expect(streamed.json.result.map(pick)).toEqual(all);
    const behind = await ask({ ...always(), limit: 30, offset: all.length + 5 });
    expect(behind.json).toMatchObject({ result: [], total: all.length, next: null });
  });

  test('RPT-02-partial a record has the present names of its device, type, group, UDID and property', async () => {
    const [device] = known.devices;
    await app.owner.query("update devices set vehicle_number = 'Bus 7', model = 'HL-5' where id = $1", [device!.id]);
    const { json } = await ask({ ...always(), device: device!.id, property: 'temperature', limit: 1 });
    const [record] = naive({ ...always(), device: device!.id, property: 'temperature' });
    expect(json.result).toEqual([
      {
        device: device!.id,
        device_name: 'Bus 7',
        device_type: 'HL-5',
        group: known.groups[0],
        group_name: 'North',
        // The same as the device's own (RPT-02).
        udid: expect.stringMatching(new RegExp(`^os::[0-9A-F]{6}-${device!.serial}$`, 'u')),
        on: record!.at,
        field: 'temperature',
        field_name: 'Temperature',
        field_type: 'number',
        field_value: record!.value,
      },
    ]);
    await app.owner.query("update devices set vehicle_number = '', model = null where id = $1", [device!.id]);
  });

  test("RPT-01-partial a deleted device has its records until the deletion, and none from its router's later owners", async () => {
    const { json } = await ask({ ...always(), device: known.gone });
    expect(json.result.map(pick)).toEqual(naive({ ...always(), device: known.gone }).map(toExpected));
    expect(json.result.length).toBeGreaterThan(20);
    expect(json.result[0]).toMatchObject({ udid: expect.stringMatching(/^os::[0-9A-F]{6}-RPT-5$/u), device_name: 'RPT-5' });
  });

  test('RPT-01-partial without a range a query covers today, and a range before the retention is rejected', async () => {
    const today = { on: Date.parse('2026-11-20T00:00:00Z'), to: Date.parse('2026-11-21T00:00:00Z') };
    expect((await ask({ limit: 1 })).json.total).toBe(naive(today).length);
    const seconds = await ask({ on: today.on / 1_000, to: '2026-11-21T00:00:00Z', limit: 1 });
    expect(seconds.json.total).toBe(naive(today).length);
    const longAgo = await ask({ on: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z', limit: 1 });
    expect([longAgo.status, longAgo.json.error.field]).toEqual([400, 'on']);
    const phrase = await ask({ on: 'yesterday', limit: 1 });
    expect([phrase.status, phrase.json.error.key, phrase.json.error.field]).toEqual([400, 'request.invalid', 'on']);
  });

  test('RPT-01-partial a cursor is valid for its own query, and for no other', async () => {
    const { json } = await ask({ ...always(), limit: 10 });
    const other = await ask({ ...always(), limit: 10, property: 'rssi', cursor: json.next });
    expect([other.status, other.json.error.field]).toEqual([400, 'cursor']);
    const [list, , ...rest] = JSON.parse(Buffer.from(json.next, 'base64url').toString()) as string[];
    for (const moment of ['2026-02-31 00:00:00+00', 'now()', '2026-11-20 12:00:00']) {
      const cursor = Buffer.from(JSON.stringify([list, moment, ...rest])).toString('base64url');
      expect((await ask({ ...always(), limit: 10, cursor })).status, moment).toBe(400);
    }
  });

  test('RPT-03-partial OLD-05-partial the count of a query includes its windows', async () => {
    const query = { ...always(), property: 'temperature' };
    const count = naive(query).length;
    const { json } = await ask(query, COUNT);
    expect(json.result).toEqual({
      count,
      perDay: Math.round(count / 5),
      days: 5,
      windows: ['1mo', '1w', '1d', '1h'],
      window: '1h',
    });
    await app.owner.query("update organizations set tags = '{BD}' where id = $1", [known.scope.organizationId]);
    const month = { on: days(29), to: days(0), property: 'temperature' };
    expect((await ask(month, COUNT)).json.result).toMatchObject({ days: 29, window: '1h' });
    await app.owner.query("update organizations set tags = '{}' where id = $1", [known.scope.organizationId]);
    expect((await ask(month, COUNT)).json.result).toMatchObject({ days: 29, window: '1d' });
  });

  test('RPT-03-partial more records with a value than are counted are estimated from a sample of devices', async () => {
    const { on, to } = always();
    const filter = { property: 'online', value: 'true' };
    const exact = naive({ on, to, ...filter }).length;
    const question = questionOf(known.scope, filter, { from: new Date(on), until: new Date(to) });
    const readers = { reader: app.reader, timed: createTimedReader(app.reader) };
    const most = Math.floor(exact / 2);
    expect(most).toBeGreaterThan(5);
    // The sample has all of these few devices.
    expect((await countForWindows(readers, known.scope, question, most)).count).toBe(exact);
  });

  test('RPT-03-partial a query whose count only takes long is as large as its sample says, and as a large one if that takes long too', async () => {
    const { on, to } = always();
    const filter = { property: 'online', value: 'true' };
    const exact = naive({ on, to, ...filter }).length;
    const question = questionOf(known.scope, filter, { from: new Date(on), until: new Date(to) });
    const timed = createTimedReader(app.reader);
    /** As many reads take too long. */
    const slow = (reads: number) => {
      let left = reads;
      const read: typeof timed.read = async (work, limitMs) => {
        left -= 1;
        if (left >= 0) throw new DomainError('report.too_slow');
        return timed.read(work, limitMs);
      };
      return { reader: app.reader, timed: { read } };
    };
    expect((await countForWindows(slow(1), known.scope, question)).count).toBe(exact);
    expect((await countForWindows(slow(2), known.scope, question)).count).toBe(1_000_001);
  });

  test('RPT-03 a group tagged BD begins with 1h, queried by itself or by a device of it; other groups and all groups do not', async () => {
    const month = { on: days(29), to: days(0), property: 'temperature' };
    const [tagged, other] = known.groups;
    const window = async (filtered: Record<string, string>) => (await ask({ ...month, ...filtered }, COUNT)).json.result.window;
    const inside = known.devices.find(({ group }) => group === tagged)!;
    const outside = known.devices.find(({ group }) => group !== tagged)!;
    expect(await window({ group: tagged! })).toBe('1d');
    await app.owner.query("update groups set tags = '{west,BD}' where organization_id = $1 and key = $2", [
      known.scope.organizationId,
      tagged,
    ]);
    for (const filtered of [{ group: tagged! }, { id: tagged! }, { device: inside.id }, { id: inside.id }])
      expect(await window(filtered), JSON.stringify(filtered)).toBe('1h');
    for (const filtered of [{}, { group: other! }, { device: outside.id }])
      expect(await window(filtered), JSON.stringify(filtered)).toBe('1d');
    await app.owner.query("update groups set tags = '{}' where organization_id = $1", [known.scope.organizationId]);
  });

  test('each property has a type and a unit, and devices are found by their names', async () => {
    const { json } = await ask({}, '/data_manager/api/v1/properties');
    expect(json.result).toHaveLength(18);
    expect(json.result).toContainEqual({
      property_id: 'battery',
      property_name: 'Battery',
      property_type: 'number',
      unit: '%',
    });
    const devices = await ask({ search: 'RPT-', limit: 2, offset: 2 }, '/data_manager/api/v1/devices');
    expect(devices.json.total).toBe(5);
    expect(devices.json.result.map((row: { device_name: string }) => row.device_name)).toEqual(['RPT-2', 'RPT-3']);
    const group = await ask({ group: known.groups[1]! }, '/data_manager/api/v1/devices');
    expect(group.json.result.map((row: { device_id: string }) => row.device_id)).toEqual(
      known.devices.filter((row) => row.group === known.groups[1]).map(({ id }) => id),
    );
  });
});
