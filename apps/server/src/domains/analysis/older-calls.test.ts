import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../../kernel/scope.ts';
import { seedRecords, withAccount, type KnownRecords } from '../../testing/records.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = useTestApp();
let known: KnownRecords;
let head: Actor;
let foreign: string;

beforeAll(async () => {
  const { scope: main } = await app.seeding.mainAccount('Main');
  known = await seedRecords(app, await app.seeding.organization(main, 'Buses'));
  head = await withAccount(app, main, 'main');
  const { scope: other } = await app.seeding.mainAccount('Other');
  foreign = (await app.seeding.organization(other, 'Elsewhere')).organizationId;
});

describe('calls of the older data platform', () => {
  test('OLD-05 SAY-11-partial statistics, query_count, records, prepare and store_draw answer with the fields of the spec, with the organization as project', async () => {
    const [device] = known.devices;
    const project = known.scope.organizationId;
    const day = { on: '2026-11-19T00:00:00Z', to: '2026-11-20T00:00:00Z' };
    const ask = (path: string, query: Record<string, string>) =>
      app.call('GET', `/data_manager/api/v1/${path}`, { as: head, query: { realm: 'highline', project, ...day, ...query } });
    const matching = known.records.filter(({ at }) => at >= Date.parse(day.on) && at < Date.parse(day.to));

    const records = await ask('records', { limit: '20', offset: '10' });
    expect(records.json.total).toBe(matching.length);
    expect(records.json.result.map((row: { field_value: unknown }) => row.field_value)).toEqual(
      matching.slice(10, 30).map(({ value }) => value),
    );

    const count = await ask('statistics/query_count', {});
    expect(count.json.result).toMatchObject({ count: matching.length, days: 1, windows: ['1d', '1h', '30m', '10m', '5m'] });

    const property = 'temperature';
    const temperatures = matching.filter((record) => record.device === device!.id && record.property === property);
    for (const category of ['device', 'average', 'sumarty', 'runChart']) {
      const query = {
        device: device!.id,
        group: device!.group,
        property,
        shift: '-6',
        window: '1h',
        ...(category === 'runChart' ? { shift: '0' } : {}),
      };
      const { status, text, json } = await ask(`statistics/${category}`, query);
      expect(status, text).toBe(200);
      expect(json.result.category).toBe(category);
      expect(json.result.points.length).toBeGreaterThan(0);
      if (category === 'device') expect(json.result.points[0].y).toBe(temperatures.length);
    }
    for (const category of ['record', 'piechart'])
      expect((await ask(`statistics/${category}`, { group: device!.group, property: 'online' })).json.result.category).toBe(
        category,
      );

    const input = {
      projectId: project,
      groupId: device!.group,
      deviceId: device!.id,
      propertyId: property,
      dayType: 'yesterday',
    };
    const chart = await app.call('POST', '/vega_lite_manager/api/v1/prepare/runChart', { as: head, body: input });
    expect(chart.json.result.points).toHaveLength(temperatures.length);
    expect(chart.json.result.spec.data.values).toHaveLength(temperatures.length);

    // SAY-11: charts have the unit of the reader.
    const warm = await app.call('POST', '/vega_lite_manager/api/v1/prepare/runChart', {
      as: head,
      body: { ...input, temperature: '°F' },
    });
    const valuesOf = ({ json }: typeof chart): number[] => json.result.points.map(({ y }: { y: number }) => y);
    expect(valuesOf(warm)).toEqual(valuesOf(chart).map((celsius) => celsius * 1.8 + 32));
    expect([chart.json.result.unit, warm.json.result.unit]).toEqual(['°C', '°F']);
    expect(JSON.stringify(warm.json.result.spec.encoding)).toContain('(°F)');

    const { spec } = chart.json.result as { spec: object };
    const content = { mark: 'line', title: 'Temperature', argsLabel: ['Yesterday'], theme: 'dark', projectId: project };
    const drawing = { org: project, creator: head.accountId, spec, api: { chartType: 'runChart', arguments: input }, content };
    const pinned = await app.call('POST', '/vega_lite_manager/api/v1/store_draw', { as: head, body: drawing });
    expect(pinned.json.result).toMatchObject({ creator: head.accountId, spec, content });
  });

  test('ANA-01-partial API-03-partial a query names the organization or a group as its project, a kind of chart by its mark, and a range by two dates', async () => {
    const { organizationId: org } = known.scope;
    const [device] = known.devices;
    const range = { dayType: '', startDate: '2026-11-19T00:00:00Z', endDate: '2026-11-20T00:00:00Z', propertyId: 'online' };
    const prepare = async (kind: string, body: object) => {
      const { status, json } = await app.call('POST', `/vega_lite_manager/api/v1/prepare/${kind}`, { as: known.admin, body });
      return { status, ...json } as { status: number; result: { points: { y: number }[] }; error: { message: string } };
    };
    const sum = async (body: object) =>
      (await prepare('device', { ...range, ...body })).result.points.reduce((total, { y }) => total + y, 0);
    const matching = known.records.filter(
      ({ at, property }) => property === 'online' && at >= Date.parse(range.startDate) && at < Date.parse(range.endDate),
    );
    const ofGroup = matching.filter((record) => known.devices.find(({ id }) => id === record.device)?.group === device!.group);
    expect(ofGroup.length).toBeLessThan(matching.length);
    expect([await sum({ projectId: org }), await sum({ projectId: org.toUpperCase(), window: '' })]).toEqual([
      matching.length,
      matching.length,
    ]);
    expect([await sum({ projectId: device!.group }), await sum({ projectId: org, groupId: device!.group })]).toEqual([
      ofGroup.length,
      ofGroup.length,
    ]);
    expect((await prepare('device', range)).error.message).toBe('Please enter the group');
    for (const projectId of [foreign, 'no-such-group'])
      expect((await prepare('device', { ...range, projectId })).status).toBe(404);

    for (const mark of ['line', 'bar', 'area', 'arc']) {
      const input = { ...range, projectId: org, window: '1h' };
      const records = await prepare('record', { ...input, mark });
      expect(await prepare(mark, input)).toEqual(records);
      expect(records.result).toMatchObject({ chartType: 'record', mark });
    }
    const pin = {
      spec: {},
      api: { chartType: 'record', arguments: { ...range, projectId: device!.group } },
      content: { mark: 'bar', title: 'Of a group', argsLabel: [], projectId: device!.group },
    };
    const as = await withAccount(app, known.scope, 'admin');
    const pinned = (body: object) => app.call('POST', '/vega_lite_manager/api/v1/store_draw', { as, body });
    expect((await pinned(pin)).json).toMatchObject({ result: pin });
    // Under the name by which `prepare` drew it, it is the same pin, whatever mark its content has.
    for (const mark of ['bar', 'line']) {
      const drawn = { ...pin, api: { ...pin.api, chartType: 'bar' }, content: { ...pin.content, mark } };
      expect((await pinned(drawn)).json).toMatchObject({ result: pin });
    }
    expect((await pinned({ ...pin, content: { ...pin.content, projectId: foreign } })).status).toBe(404);
  });

  test('API-03-partial all_devices, an empty device and an empty window mean all', async () => {
    const day = { on: '2026-11-19T00:00:00Z', to: '2026-11-20T00:00:00Z', property: 'online' };
    const ask = async (path: string, query: Record<string, string>) => {
      const response = await app.call('GET', `/data_manager/api/v1/${path}`, { as: known.admin, query: { ...day, ...query } });
      expect(response.status, response.text).toBe(200);
      return response.json as { result: unknown };
    };
    for (const path of ['statistics/device', 'statistics/record', 'statistics/query_count', 'records']) {
      const all = await ask(path, { limit: '1' });
      expect(JSON.stringify(all)).toMatch(/[1-9]/u);
      const isStatistic = /device|record$/u.test(path);
      for (const device of ['all_devices', ''])
        expect(await ask(path, { limit: '1', device, ...(isStatistic ? { window: '' } : {}) })).toEqual(all);
    }
  });

  test("API-03-partial another main account's project is not found, and neither is a call that names two", async () => {
    const { organizationId: org } = known.scope;
    for (const query of [{ project: foreign }, { org: foreign }, { org, project: foreign }]) {
      const { status } = await app.call('GET', '/data_manager/api/v1/records', {
        as: known.admin,
        query: { ...query, limit: 5 },
      });
      expect(status, JSON.stringify(query)).toBe(404);
    }
    const body = { org, projectId: foreign, groupId: known.groups[0], propertyId: 'rssi' };
    expect((await app.call('POST', '/vega_lite_manager/api/v1/prepare/device', { as: head, body })).status).toBe(404);
    expect((await app.call('GET', '/data_manager/api/v1/records', { as: head, query: { limit: 5 } })).json.error.message).toBe(
      'Please select an org',
    );
  });
});
