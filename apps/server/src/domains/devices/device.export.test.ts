import { startsLater, subscriptionState } from '@highline/contract';
import { makeMac } from '@highline/usp';
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { identifierCell, safeCell } from '../../platform/csv/index.ts';
import { useTestApp } from '../../testing/test-app.ts';

const EXPORT = '/data_manager/v1/dm/devices/export';

const app = useTestApp('2026-11-20T12:00:00Z');
let own: OrganizationScope;
let sibling: OrganizationScope;
let mainPerson: Actor;
let user: Actor;

const reportedValues = {
  presence: 'online',
  booted_at: '2026-11-18T10:59:57Z',
  vehicle_number: '0042',
  note: '=HYPERLINK("http://evil.test")',
  model: 'HL-R520 5G',
  firmware: '-2.8.1',
  config: '@SUM(A1)',
  carrier: 'Verizon',
  imsi: '310410123456789',
  iccid: '89148000000000000001',
  mtn: '13125550142',
  cell_id: '26815744',
  tags: '{depot,spare}',
};

beforeAll(async () => {
  const main = (await app.seeding.mainAccount('Home')).scope;
  own = await app.seeding.organization(main, '+Own');
  sibling = await app.seeding.organization(main, 'Sibling');
  mainPerson = app.person(main, 'main');
  user = app.person(own, 'user');
  const routers = ['112233445E66', 'EX2', 'EX3'].map((serial, index) => ({ serial, mac: makeMac(index + 1) }));
  await app.seeding.routers(main, routers);
  const group = await app.seeding.group(own, '-North');
  const [first] = await app.seeding.devices(own, [
    { ...routers[0]!, group, started: '01/02/2026', expired: '12/31/2026' },
    { ...routers[1]!, expired: '11/01/2026' },
  ]);
  await app.seeding.devices(sibling, [{ ...routers[2]!, expired: '11/25/2026' }]);
  for (const [column, value] of Object.entries(reportedValues))
    await app.owner.query(`update devices set ${column} = $2 where id = $1`, [first, value]);
});

async function download(as: Actor, query: Record<string, string> = {}, name = 'Devices_export.csv') {
  const response = await app.call('GET', EXPORT, { as, query });
  expect(response.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
  });
  expect(response.text.startsWith('\ufeff')).toBe(true);
  return parse(response.text, { bom: true });
}

test('SHR-08-partial the devices as CSV have the columns of their screen, no cell runs as a formula and no digit is lost', async () => {
  expect(await download(user)).toEqual([
    [
      '#',
      'Service Status',
      'Online Status',
      'Device Serial#',
      'Vehicle#',
      'Device Model',
      'Uptime',
      'Group',
      'Firmware',
      'Config File',
      'MAC',
      'Carrier',
      'Start Date',
      'Expiration Date',
      'Notes',
      'Tags',
      'Cell ID',
    ],
    [
      '1',
      'Subscribed',
      'Online',
      "'112233445E66",
      "'0042",
      'HL-R520 5G',
      '2d 1h 0m 3s',
      "'-North",
      "'-2.8.1",
      "'@SUM(A1)",
      '00B2D0000001',
      'Verizon',
      '01/02/2026',
      '12/31/2026',
      '\'=HYPERLINK("http://evil.test")',
      'depot, spare',
      '26815744',
    ],
    [
      '2',
      'Not Subscribed',
      'Never connected',
      'EX2',
      '',
      '',
      '',
      'default',
      '',
      '',
      '00B2D0000002',
      '',
      '01/01/2026',
      '11/01/2026',
      '',
      '',
      '',
    ],
  ]);
});

test('SHR-08-partial the CSV contains what the list shows: the same filters, the same order', async () => {
  expect((await download(user, { sort: '-serial' })).slice(1).map((row) => row[3])).toEqual(['EX2', "'112233445E66"]);
  expect((await download(user, { presence: 'online' })).slice(1)).toHaveLength(1);
  expect((await download(user, { search: 'no-such-device' })).slice(1)).toEqual([]);
});

test('SHR-08-partial the SIMs as CSV keep all digits of IMSI and ICCID', async () => {
  expect(await download(user, { layout: 'sims', search: '112233' })).toEqual([
    ['#', 'Device Serial#', 'Vehicle#', 'Carrier', 'IMSI', 'ICCID', 'MTN', 'Notes'],
    [
      '1',
      "'112233445E66",
      "'0042",
      'Verizon',
      "'310410123456789",
      "'89148000000000000001",
      '13125550142',
      '\'=HYPERLINK("http://evil.test")',
    ],
  ]);
});

test('SVC-01-partial SHR-08-partial the service status as CSV has the columns of its list and a name of its own', async () => {
  expect(await download(user, { layout: 'service', sort: 'expires' }, 'Service_export.csv')).toEqual([
    ['#', 'Device Serial#', 'Service Status', 'Expiration Date', 'Group', 'Notes'],
    ['1', 'EX2', 'Not Subscribed', '11/01/2026', 'default', ''],
    ['2', "'112233445E66", 'Subscribed', '12/31/2026', "'-North", '\'=HYPERLINK("http://evil.test")'],
  ]);
});

test("SHR-08-partial the main account's list as CSV names the organizations, in Chinese too", async () => {
  expect(await download(mainPerson, { layout: 'organizations', language: 'zh-TW' })).toEqual([
    ['#', '服務狀態', '到期日', '裝置序號', '裝置型號', '組織', '標籤'],
    ['1', '已訂閱', '12/31/2026', "'112233445E66", 'HL-R520 5G', "'+Own", 'depot, spare'],
    ['2', '未訂閱', '11/01/2026', 'EX2', '', "'+Own", ''],
    ['3', '即將到期', '11/25/2026', 'EX3', '', 'Sibling', ''],
  ]);
});

test('SHR-08-partial an export contains nothing that the list would not show', async () => {
  expect((await app.call('GET', EXPORT, { as: user, query: { org: sibling.organizationId } })).status).toBe(404);
  expect((await app.call('GET', EXPORT, {})).status).toBe(401);
  expect((await app.call('GET', EXPORT, { as: user, query: { layout: 'secrets' } })).status).toBe(400);
});

test('BLK-05-partial BLK-02-partial a file has the columns that the call names, in their order; another name is rejected', async () => {
  app.contacts.set(await routerOf('112233445E66'), { at: new Date('2026-11-20T11:59:00Z') });
  const columns = 'tags,serial,lastSeen,organization,imei';
  expect(await download(user, { columns, zone: 'America/Chicago' })).toEqual([
    ['Tags', 'Device Serial#', 'Last contact', 'Org', 'IMEI'],
    ['depot, spare', "'112233445E66", '11/20/2026 05:59:00', "'+Own", ''],
    ['', 'EX2', '', "'+Own", ''],
  ]);
  for (const named of ['serial,secret', 'serial,serial', ''])
    expect((await app.call('GET', EXPORT, { as: user, query: { columns: named } })).status).toBe(400);
});

async function routerOf(serial: string): Promise<string> {
  const { rows } = await app.owner.query('select router_id from devices where serial = $1', [serial]);
  return rows[0].router_id;
}

test('SHR-08-partial every cell of every column is what its value says, in both languages', async () => {
  const now = new Date('2026-11-20T12:00:00Z');
  const main = (await app.seeding.mainAccount('Cells')).scope;
  const scope = await app.seeding.organization(main, 'Cells');
  const reader = app.person(scope, 'user');
  const values = [
    {
      note: 'roof; =1',
      vehicle: 'MAR1',
      started: '2026-01-01',
      expires: '2026-11-20',
      booted: '2026-11-20T11:59:59.5Z',
      health: 0,
    },
    {
      note: 'two\n"lines", 王小明 🚌',
      vehicle: 'Bus 7',
      started: '2026-11-21',
      expires: '2027-01-01',
      booted: '2026-11-20T12:00:09Z',
      health: 100,
    },
    { note: '\\.', vehicle: '', started: '2026-01-01', expires: '2026-12-20', booted: '2026-10-01T00:00:00Z', health: null },
    { note: '', vehicle: '車 7', started: '2026-01-01', expires: '2026-12-19', booted: null, health: 51 },
    { note: 'plain', vehicle: '3-4', started: null, expires: null, booted: null, health: null },
    { note: '-95', vehicle: "'x", started: '2025-01-01', expires: '2026-11-19', booted: '2026-11-20T12:00:00Z', health: 7 },
  ];
  const routers = values.map((_, index) => ({ serial: `CELLS${index}`, mac: makeMac(0x5000 + index) }));
  await app.seeding.routers(main, routers);
  const ids = await app.seeding.devices(
    scope,
    routers.map((router) => ({ ...router, expired: '12/31/2026' })),
  );
  for (const [index, { note, vehicle, started, expires, booted, health }] of values.entries())
    await app.owner.query(
      `update devices set note = $2, vehicle_number = $3, started_on = $4, expires_on = $5, booted_at = $6, health = $7,
         presence = case when $6::timestamptz is null then 'unknown' else 'online' end where id = $1`,
      [ids[index], note, vehicle, started, expires, booted, health],
    );
  const columns = 'number,service,presence,uptime,started,expires,note,vehicle,health';
  const day = (iso: string | null) => (iso === null ? '' : `${iso.slice(5, 7)}/${iso.slice(8)}/${iso.slice(0, 4)}`);
  const labels = {
    'en-US': {
      subscribed: 'Subscribed',
      expiring: 'Expiring',
      'not-subscribed': 'Not Subscribed',
      starting: 'Starts later',
      online: 'Online',
      unknown: 'Unknown',
    },
    'zh-TW': {
      subscribed: '已訂閱',
      expiring: '即將到期',
      'not-subscribed': '未訂閱',
      starting: '尚未開始',
      online: '線上',
      unknown: '未知',
    },
  };
  const uptimes = {
    'en-US': ['0d 0h 0m 0s', '0d 0h 0m 0s', '50d 12h 0m 0s', '', '', '0d 0h 0m 0s'],
    'zh-TW': ['0天 0時 0分 0秒', '0天 0時 0分 0秒', '50天 12時 0分 0秒', '', '', '0天 0時 0分 0秒'],
  };
  for (const language of ['en-US', 'zh-TW'] as const)
    expect((await download(reader, { columns, language, sort: 'serial' })).slice(1)).toEqual(
      values.map(({ note, vehicle, started, expires, booted, health }, index) => [
        String(index + 1),
        labels[language][
          startsLater(started, expires, now.toISOString().slice(0, 10)) ? 'starting' : subscriptionState(started, expires, now)
        ],
        labels[language][booted === null ? 'unknown' : 'online'],
        uptimes[language][index],
        day(started),
        day(expires),
        safeCell(note),
        identifierCell(vehicle),
        health === null ? '' : String(health),
      ]),
    );
});
