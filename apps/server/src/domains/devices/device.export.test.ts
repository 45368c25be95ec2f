import { makeMac } from '@highline/usp';
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
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
  const answer = await app.call('GET', EXPORT, { as, query });
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
  });
  expect(answer.text.startsWith('\ufeff')).toBe(true);
  return parse(answer.text, { bom: true });
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
      'Offline',
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
