import { makeMac } from '@highline/usp';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { createBinding } from '../../testing/bindings.ts';
import { useTestApp } from '../../testing/test-app.ts';

const GROUPS = '/data_manager/v1/dm/group';
const DEFAULT = 'default+group+id';

const app = useTestApp('2026-11-20T12:00:00Z');
let own: OrganizationScope;
let user: Actor;
let north: string;
let south: string;
let formula: string;
let firmwarePk: string;
let configPk: string;

/** North: two of four routers have both files. South: a config file for the next boot. The third: nothing bound, no device. */
beforeAll(async () => {
  const main = (await app.seeding.mainAccount('Home')).scope;
  app.clock.set('2026-11-10T12:00:00Z');
  own = await app.seeding.organization(main, 'Own');
  app.clock.set('2026-11-15T23:30:00Z');
  north = await app.seeding.group(own, 'North depot');
  app.clock.set('2026-11-16T04:59:59Z');
  south = await app.seeding.group(own, 'South');
  app.clock.set('2026-11-20T12:00:00Z');
  formula = await app.seeding.group(own, '=1+1 🚌 מרכז');
  const routers = [1, 2, 3, 4, 5, 6].map((n) => ({ serial: `GL${n}`, mac: makeMac(n) }));
  await app.seeding.routers(main, routers);
  const groupOf = [north, north, north, north, south, undefined];
  const ids = await app.seeding.devices(
    own,
    routers.map((router, index) => ({ ...router, ...(groupOf[index] === undefined ? {} : { group: groupOf[index] }) })),
  );
  const firmware = await createBinding(app.owner, own, { group: north, kind: 'firmware', label: '2.8.1', state: 'successful' });
  const config = await createBinding(app.owner, own, {
    group: north,
    kind: 'config',
    label: 'depot_a.cfg',
    state: 'successful',
  });
  await createBinding(app.owner, own, {
    group: south,
    kind: 'config',
    label: 'south.cfg',
    schedule: 'bootup',
    postpone: '2026-12-01T03:00:00Z',
  });
  // The first router lacks both files, the second one of them, where it failed: two routers, three targets.
  const target = 'update rollout_targets set state = $3 where binding_id = $1 and device_id = $2';
  await app.owner.query(target, [firmware.id, ids[0], 'downloading']);
  await app.owner.query(target, [config.id, ids[0], 'waiting']);
  await app.owner.query(target, [config.id, ids[1], 'failed']);
  [firmwarePk, configPk] = [firmware.profile, config.profile];
  await app.owner.query('update groups set description = $2 where key = $1', [north, 'All of the north 100%']);
  user = app.person(own, 'user');
});

const list = (query: Record<string, string | number>, as = user) => app.call('GET', GROUPS, { as, query });
const names = async (query: Record<string, string | number>) => {
  const { status, json } = await list({ limit: 10, ...query });
  expect(status, JSON.stringify(json)).toBe(200);
  return json.result.map((row: { groupName: string }) => row.groupName);
};

describe('the columns of the list', () => {
  test('GRP-01-partial a group carries its files, schedule and how many of its routers have every bound file', async () => {
    const { json } = await list({ limit: 10, sort: 'name', search: 'North' });
    expect(json).toMatchObject({ total: 1, offset: 0 });
    expect(json.result[0]).toEqual({
      id: north,
      group: north,
      groupName: 'North depot',
      group_name: 'North depot',
      description: 'All of the north 100%',
      tags: [],
      reportSeconds: null,
      created: '2026-11-15T23:30:00.000Z',
      deviceCount: 4,
      number: 2,
      schedule: 'immediate',
      postpone: null,
      firmware: '2.8.1',
      config: 'depot_a.cfg',
      bind: {
        firmware: [
          { profile: firmwarePk, otaSchedule: 'immediate', postpone: null, name: '2.8.1', version: null, state: 'running' },
        ],
        config: [
          { profile: configPk, otaSchedule: 'immediate', postpone: null, name: 'depot_a.cfg', version: 1, state: 'running' },
        ],
        status: [
          {
            group: north,
            file: firmwarePk,
            kind: 'firmware',
            success: 3,
            fail: 0,
            failed: 0,
            rolledBack: 0,
            unsupported: 0,
            busy: 1,
          },
          {
            group: north,
            file: configPk,
            kind: 'config',
            success: 2,
            fail: 1,
            failed: 1,
            rolledBack: 0,
            unsupported: 0,
            busy: 0,
          },
        ],
      },
      successful: 2,
      org: own.organizationId,
    });
  });

  test('ATT-01-partial the filter finds the groups whose routers failed, and those whose rollout is paused', async () => {
    expect(await names({ rollout: 'failed' })).toEqual(['North depot']);
    expect(await names({ rollout: 'paused' })).toEqual([]);
  });

  test('GRP-01-partial a postponed file reports its time in epoch seconds, and no router has it yet', async () => {
    const { json } = await list({ limit: 10, search: 'South' });
    expect(json.result[0]).toMatchObject({
      schedule: 'bootup',
      postpone: Date.parse('2026-12-01T03:00:00Z') / 1_000,
      firmware: '',
      config: 'south.cfg',
      successful: 0,
      deviceCount: 1,
    });
  });

  test('GRP-01-partial GRP-05-partial a group with nothing bound is immediate, as its form says, and has no success, whatever its devices', async () => {
    const { json } = await list({ limit: 1 });
    expect(json.result[0]).toMatchObject({
      group: DEFAULT,
      schedule: 'immediate',
      postpone: null,
      successful: 0,
      deviceCount: 1,
    });
    expect(json.result[0].bind).toEqual({ firmware: [], config: [], status: [] });
    expect(await names({ schedule: 'immediate' })).toContain('default');
    expect(await names({ schedule: 'bootup' })).not.toContain('default');
  });

  test('GRP-01-partial serial numbers come with a page that asks for them, and with the whole list', async () => {
    const [plain, withDevices] = [await list({ limit: 10 }), await list({ limit: 10, devices: 'true' })];
    expect(plain.json.result[0].devices).toBeUndefined();
    const whole = await list({});
    for (const { json } of [withDevices, whole]) {
      expect(json.total).toBe(4);
      expect(json.result.map((row: { devices: string[] }) => row.devices)).toEqual([
        ['GL6'],
        [],
        ['GL1', 'GL2', 'GL3', 'GL4'],
        ['GL5'],
      ]);
    }
  });

  test('GRP-01-partial a file that was removed, and one that ended, are no longer counted', async () => {
    const group = await app.seeding.group(own, 'Ended');
    const { id } = await createBinding(app.owner, own, { group, kind: 'firmware', label: '2.7.0' });
    await app.owner.query('update bindings set ended_at = now() where id = $1', [id]);
    const { json } = await list({ limit: 10, search: 'Ended' });
    expect(json.result[0]).toMatchObject({ firmware: '', schedule: 'immediate', bind: { firmware: [], status: [] } });
    await app.owner.query('delete from groups where key = $1', [group]);
  });
});

describe('the order of the list', () => {
  test.each([
    [{}, ['default', '=1+1 🚌 מרכז', 'North depot', 'South']],
    [{ sort: 'name' }, ['=1+1 🚌 מרכז', 'default', 'North depot', 'South']],
    [{ sort: '-name' }, ['South', 'North depot', 'default', '=1+1 🚌 מרכז']],
    [{ sort: 'created' }, ['default', 'North depot', 'South', '=1+1 🚌 מרכז']],
    [{ sort: '-devices' }, ['North depot', 'default', 'South', '=1+1 🚌 מרכז']],
    [{ sort: '-description' }, ['North depot', '=1+1 🚌 מרכז', 'default', 'South']],
    [{ sort: 'firmware' }, ['North depot', '=1+1 🚌 מרכז', 'default', 'South']],
    [{ sort: '-config' }, ['South', 'North depot', '=1+1 🚌 מרכז', 'default']],
    [{ sort: 'schedule' }, ['South', '=1+1 🚌 מרכז', 'default', 'North depot']],
    [{ sort: '-schedule' }, ['=1+1 🚌 מרכז', 'default', 'North depot', 'South']],
    [{ sort: 'postpone' }, ['South', '=1+1 🚌 מרכז', 'default', 'North depot']],
  ])('GRP-01-partial sorted by %j', async (query, expected) => {
    // By its bytes "bootup" comes before "immediate".
    expect(await names(query)).toEqual(expected);
  });

  test('SHR-04-partial the page that contains a group is found, in every order', async () => {
    for (const query of [{}, { sort: '-name' }, { sort: '-devices' }, { sort: 'firmware' }]) {
      const { json } = await list({ limit: 2, around: south, ...query });
      expect(json.result.map((row: { group: string }) => row.group)).toContain(south);
      const same = await list({ limit: 2, offset: json.offset, ...query });
      expect(same.json.result).toEqual(json.result);
    }
    const first = await list({ limit: 2, around: 'default group id', sort: 'name' });
    expect([first.json.offset, first.json.result.at(-1).group]).toEqual([0, DEFAULT]);
    for (const around of ['no-such-group', `a\u0001b`]) expect((await list({ limit: 2, around })).json.offset).toBe(0);
  });

  test('GRP-01-partial 25 groups are 3 pages of 10, without one twice or missing', async () => {
    const main = (await app.seeding.mainAccount('Many')).scope;
    const many = await app.seeding.organization(main, 'Many');
    for (let n = 1; n < 25; n++) await app.seeding.group(many, `Group ${n}`);
    const person = app.person(many, 'user');
    const pages = await Promise.all([0, 10, 20].map((offset) => list({ limit: 10, offset }, person)));
    expect(pages.map(({ json }) => [json.result.length, json.total, json.offset])).toEqual([
      [10, 25, 0],
      [10, 25, 10],
      [5, 25, 20],
    ]);
    expect(new Set(pages.flatMap(({ json }) => json.result.map((row: { id: string }) => row.id))).size).toBe(25);
  });
});

describe('the search panel', () => {
  test.each([
    [{ search: 'depot' }, ['North depot']],
    [{ search: 'DEPOT' }, []],
    [{ search: '🚌', field: 'group' }, ['=1+1 🚌 מרכז']],
    [{ search: 'מרכז' }, ['=1+1 🚌 מרכז']],
    [{ search: '8.1', field: 'firmware' }, ['North depot']],
    [{ search: '%', field: 'firmware' }, []],
    [{ search: 't_a.', field: 'config' }, ['North depot']],
    [{ search: 'cfg', field: 'config' }, ['North depot', 'South']],
    [{ search: '100%', field: 'description' }, ['North depot']],
    [{ schedule: 'immediate' }, ['default', '=1+1 🚌 מרכז', 'North depot']],
    [{ schedule: 'bootup' }, ['South']],
    [{ schedule: 'bootup', search: 'North' }, []],
    [{ schedule: 'bootup', search: 'south', field: 'config', sort: '-devices' }, ['South']],
  ])('GRP-05-partial %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
    const whole = await list(query);
    expect(whole.json.result.map((row: { groupName: string }) => row.groupName)).toEqual(expected);
  });

  test.each([
    ['both days of a range are included', { from: '11/15/2026', until: '11/16/2026' }, ['North depot', 'South']],
    ['one day', { from: '11/16/2026', until: '11/16/2026' }, ['South']],
    [
      'in New York both were still created on the 15th',
      { from: '11/15/2026', until: '11/15/2026', zone: 'America/New_York' },
      ['North depot', 'South'],
    ],
    [
      'in Taipei both were created on the 16th',
      { from: '11/16/2026', until: '11/16/2026', zone: 'Asia/Taipei' },
      ['North depot', 'South'],
    ],
    ['from a day on', { from: '11/20/2026' }, ['=1+1 🚌 מרכז']],
    ['up to a day', { until: '11/14/2026' }, ['default']],
    ['empty days filter nothing', { from: '', until: '' }, ['default', '=1+1 🚌 מרכז', 'North depot', 'South']],
  ])('GRP-05-partial days of creation: %s', async (_, query, expected) => {
    expect(await names(query as Record<string, string>)).toEqual(expected);
  });

  test.each([
    [{ until: '11/21/2026' }, 'until'],
    [{ from: '11/21/2026' }, 'from'],
    [{ until: '11/21/2026', zone: 'America/New_York' }, 'until'],
    [{ from: '11/16/2026', until: '11/15/2026' }, 'until'],
    [{ from: '02/30/2026' }, 'from'],
    [{ until: 'yesterday' }, 'until'],
    [{ until: '11/15/2026', zone: 'Mars/Olympus' }, 'zone'],
    [{ schedule: 'never' }, 'schedule'],
    [{ field: 'serial', search: 'x' }, 'field'],
    [{ sort: 'successful' }, 'sort'],
    [{ cursor: 'x' }, 'cursor'],
    [{ limit: 201 }, 'limit'],
  ])('GRP-05-partial %j is rejected by the field', async (query, field) => {
    const { status, json } = await list({ limit: 10, ...query });
    expect([status, json.error.field]).toEqual([400, field]);
  });

  test('GRP-05-partial where it is tomorrow already, a range may end tomorrow', async () => {
    app.clock.set('2026-11-20T18:00:00Z');
    expect((await list({ limit: 10, until: '11/21/2026', zone: 'Asia/Taipei' })).status).toBe(200);
    app.clock.set('2026-11-20T12:00:00Z');
  });
});

describe('the file', () => {
  const download = async (query: Record<string, string> = {}) => {
    const { text, headers } = await app.call('GET', `${GROUPS}/export`, { as: user, query });
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="Groups_export.csv"',
    });
    expect(text.startsWith('\ufeff')).toBe(true);
    return parse(text, { bom: true });
  };

  test('GRP-03-partial SHR-08-partial Groups_export has the columns of the screen, and no cell of it runs as a formula', async () => {
    expect(await download({ sort: 'name', zone: 'America/New_York' })).toEqual([
      ['#', 'Group', 'Firmware', 'Config File', 'Schedule to Update', 'Postpone Update Until', 'Update Status', 'Description'],
      ['4', "'=1+1 🚌 מרכז", '', '', 'Immediate', '', 'Successful: 0/0', ''],
      ['1', 'default', '', '', 'Immediate', '', 'Successful: 0/1', ''],
      ['2', 'North depot', '2.8.1', 'depot_a.cfg', 'Immediate', '', 'Successful: 2/4', 'All of the north 100%'],
      ['3', 'South', '', 'south.cfg', 'Up on next bootup', '11/30/2026', 'Successful: 0/1', ''],
    ]);
  });

  test('GRP-03-partial SHR-08-partial it is filtered like the list and in Chinese on request', async () => {
    const rows = await download({ schedule: 'bootup', language: 'zh-TW' });
    expect(rows).toEqual([
      ['#', '群組', '韌體', '設定檔', '更新排程', '延後更新至', '更新狀態', '說明'],
      ['3', 'South', '', 'south.cfg', '下次開機時更新', '2026/12/01', '成功：0/1', ''],
    ]);
    expect((await app.call('GET', `${GROUPS}/export`, { as: user, query: { zone: 'Mars/Olympus' } })).status).toBe(400);
  });
});

describe('one group', () => {
  const get = (key: string) => app.call('GET', `${GROUPS}/${encodeURIComponent(key)}`, { as: user });

  test('GRP-08-partial a group has its number, bindings and entity tag; the default group is number 1', async () => {
    const responses = await Promise.all([DEFAULT, 'default group id', north, south, formula].map(get));
    expect(responses.map(({ json }) => json.result.number)).toEqual([1, 1, 2, 3, 4]);
    expect(responses[2]!.json.result).toMatchObject({
      groupName: 'North depot',
      firmware: '2.8.1',
      successful: 2,
      deviceCount: 4,
    });
    expect(responses[2]!.headers['etag']).toMatch(/^"1\.[-0-9a-f.]+"$/u);
  });

  test.each(['no-such-group', '\u{1F68C}', 'x'.repeat(290), '00000000-0000-7000-8000-000000000000'])(
    'GRP-08-partial %s is not a group',
    async (key) => {
      const { status, json } = await get(key);
      expect([status, json.error.key]).toEqual([404, 'group.not_found']);
    },
  );
});

test('GRP-01-partial the whole list names every device of every group once, however many a group has', async () => {
  const main = (await app.seeding.mainAccount('Large')).scope;
  const large = await app.seeding.organization(main, 'Large');
  const depot = await app.seeding.group(large, 'Depot');
  await app.seeding.group(large, 'Empty');
  const counts: Record<string, number> = { Depot: 1_501, default: 500, Empty: 0 };
  for (const [key, count] of [
    [depot, 1_501],
    [DEFAULT, 500],
  ] as const)
    await app.owner.query(
      `insert into devices (organization_id, id, main_account_id, router_id, serial, mac, group_key)
        select $1, gen_random_uuid(), $2, gen_random_uuid(), 'L"' || lpad(((i * 7919) % 10007)::text, 6, '0'), '00B2D0000000', $3
        from generate_series(1, $4::int) i`,
      [large.organizationId, large.mainAccountId, key, count],
    );
  const as = app.person(large, 'user');
  const { json } = await app.call('GET', GROUPS, { as });
  const paged = await app.call('GET', GROUPS, { as, query: { limit: 50, devices: 'true' } });
  expect(json).toEqual({ result: paged.json.result, total: 3 });
  const named = json.result.map(({ group_name: name, devices }: { group_name: string; devices: string[] }) => [
    name,
    devices.length,
  ]);
  expect(Object.fromEntries(named)).toEqual(counts);
  for (const { devices } of json.result) expect(devices).toEqual([...new Set<string>(devices)].sort());
});
