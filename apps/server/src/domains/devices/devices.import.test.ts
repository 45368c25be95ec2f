import { DEFAULT_GROUP_KEY, DEFAULT_GROUP_NAME } from '@highline/contract';
import { makeMac } from '@highline/usp';
import writeXlsxFile from 'write-excel-file/node';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';

const BATCH = '/data_manager/v1/dm/devices/batch';
const HEADER = 'SN,MAC,Start Date,Expiry Date';

const app = useTestApp();
let main: MainScope;
let own: OrganizationScope;
let admin: Actor;

beforeAll(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
  admin = app.person(main, 'main');
});

beforeEach(async () => {
  own = await app.seeding.organization(main, 'Own');
  admin = app.person(own, 'admin');
});

let count = 0;
async function stock(many: number) {
  const routers = Array.from({ length: many }, () => {
    count += 1;
    return { serial: `CSV${String(count).padStart(6, '0')}`, mac: makeMac(count) };
  });
  await app.seeding.routers(main, routers);
  return routers;
}

type Router = { readonly serial: string; readonly mac: string };
const line = ({ serial, mac }: Router, started = '01/01/2026', expired = '12/31/2026') =>
  `${serial},${mac},${started},${expired}`;
const fileOf = (lines: readonly string[]) => [HEADER, ...lines, ''].join('\n');
const upload = (file: string | Uint8Array<ArrayBuffer>, query: Record<string, string> = {}, as = admin) =>
  app.call('POST', BATCH, { as, file, query, body: { device_type_id: 'highline-router' } });
const devicesOf = async (scope: OrganizationScope) => {
  const { rows } = await app.owner.query<{ serial: string }>(
    'select serial from devices where organization_id = $1 order by serial',
    [scope.organizationId],
  );
  return rows.map((row) => row.serial);
};

describe('devices from a CSV', () => {
  test('DEV-05-partial every row becomes a device of the default group, with one entry in the log for the file', async () => {
    const routers = await stock(3);
    const { status, json } = await upload(fileOf(routers.map(({ serial, mac }) => line({ serial: serial.toLowerCase(), mac }))));
    expect(status).toBe(200);
    expect(json.result).toMatchObject({ dryRun: false, success: 3, total: 3, failed: 0, fail: [] });
    expect(json.result.ids).toHaveLength(3);
    expect(await devicesOf(own)).toEqual(routers.map(({ serial }) => serial));
    const { rows } = await app.owner.query(
      "select action, detail from audit_entries where chain_id = $1 and action like 'Imported%'",
      [own.organizationId],
    );
    expect(rows).toEqual([
      {
        action: 'Imported 3 devices',
        detail: { count: 3, serials: routers.map(({ serial }) => serial), digest: expect.stringMatching(/^[0-9a-f]{64}$/u) },
      },
    ]);
  });

  test('DEV-05-partial byte order mark, CRLF, semicolons, quotes, empty lines, days without zeros and columns in any order are accepted', async () => {
    const [a, b] = (await stock(2)) as [Router, Router];
    const spaced = b.mac.toLowerCase().match(/../gu)!.join(':');
    const file = `\ufeff"MAC";" s n ";"EXPIRY DATE";"start date";"Note"\r\n\r\n"${a.mac}";"${a.serial}";"12/31/2026";"1/1/2026";"x;y"\r\n;;;;\r\n'${spaced};'${b.serial};2026-12-31;2026-01-01;\r\n`;
    expect((await upload(file)).json.result).toMatchObject({ success: 2, total: 2 });
    expect(await devicesOf(own)).toEqual([a.serial, b.serial]);
  });

  test('DEV-05-partial good rows are imported and every bad row is listed with its row number', async () => {
    const [good, badMac, noStart, badEnd, reversed, last] = (await stock(6)) as [Router, Router, Router, Router, Router, Router];
    const { status, json } = await upload(
      fileOf([
        line(good),
        line({ serial: 'UNKNOWN', mac: good.mac }),
        line({ ...badMac, mac: '00B2D0ZZZZZZ' }),
        line(noStart, ''),
        '',
        line(badEnd, '01/01/2026', '02/30/2026'),
        line(reversed, '12/31/2026', '01/01/2026'),
        line(good),
        line({ serial: '=1+1', mac: good.mac }),
        line(last),
      ]),
    );
    expect(status).toBe(200);
    expect(json.result).toMatchObject({ success: 2, total: 9, failed: 7 });
    expect(json.result.fail.map(({ row, error }: { row: number; error: string }) => [row, error])).toEqual([
      [3, 'Incorrect serial number'],
      [4, 'Incorrect MAC address'],
      [5, 'Start Date: must be a date such as 12/31/2026, 31.12.2026 or 2026-12-31'],
      [7, 'Expiry Date: there is no day 02/30/2026'],
      [8, 'The expiry date must not be before the start date.'],
      [9, 'Existing serial number'],
      [10, 'Incorrect serial number'],
    ]);
    expect(await devicesOf(own)).toEqual([good.serial, last.serial]);
  });

  test('DEV-05-partial a dry run returns the same result and writes nothing', async () => {
    const routers = await stock(2);
    const file = fileOf([...routers.map((router) => line(router)), line({ serial: 'UNKNOWN', mac: makeMac(1) })]);
    const dry = (await upload(file, { dryRun: 'true' })).json.result;
    expect(dry).toMatchObject({ dryRun: true, success: 2, failed: 1, ids: [] });
    expect(await devicesOf(own)).toEqual([]);
    expect(await app.logOf(own.organizationId)).toEqual(['Created organization Own']);
    const real = (await upload(file)).json.result;
    expect({ ...real, dryRun: true, ids: [] }).toEqual(dry);
  });

  test('DEV-06-partial the same file again adds nothing and explains why with 400', async () => {
    const routers = await stock(2);
    const file = fileOf(routers.map((router) => line(router)));
    await upload(file);
    const again = await upload(file);
    expect(again.status).toBe(400);
    expect(again.json.error).toMatchObject({ key: 'csv.all_failed', reason: 'Existing serial number' });
    expect(again.json.error.detail).toMatchObject({ success: 0, total: 2, failed: 2 });
    expect(await devicesOf(own)).toHaveLength(2);
    expect((await app.logOf(own.organizationId)).filter((action) => action.startsWith('Imported'))).toHaveLength(1);
  });

  test('DEV-06-partial routers of another main account are answered like unknown ones', async () => {
    const foreignUser = (await app.seeding.mainAccount('Abroad')).scope;
    const [mine] = (await stock(1)) as [Router];
    const foreign = { serial: 'ABROAD1', mac: makeMac(888_888) };
    await app.seeding.routers(foreignUser, [foreign]);
    const { json } = await upload(fileOf([line(mine), line(foreign)]));
    expect(json.result.fail).toEqual([{ row: 3, ...foreign, error: 'Incorrect serial number' }]);
  });

  test('DEV-05-partial two concurrent uploads of one file add each router once', async () => {
    const routers = await stock(50);
    const sibling = await app.seeding.organization(main, 'Sibling');
    const lines = routers.map((router) => line(router));
    const responses = await Promise.all([
      upload(fileOf(lines)),
      upload(fileOf(lines.toReversed()), {}, app.person(sibling, 'admin')),
    ]);
    expect(sorted(responses.map(({ status }) => status))).toEqual([200, 400]);
    expect([...(await devicesOf(own)), ...(await devicesOf(sibling))]).toHaveLength(50);
  });

  test('DEV-05-partial a user may not import, and another organization is not found', async () => {
    const [router] = (await stock(1)) as [Router];
    const sibling = await app.seeding.organization(main, 'Sibling');
    expect((await upload(fileOf([line(router)]), {}, app.person(own, 'user'))).status).toBe(403);
    const foreign = await app.call('POST', BATCH, {
      as: admin,
      file: fileOf([line(router)]),
      body: { org: sibling.organizationId },
    });
    expect(foreign.status).toBe(404);
    expect([...(await devicesOf(own)), ...(await devicesOf(sibling))]).toEqual([]);
  });
});

describe('the days of a file', () => {
  const imported = async (query: Record<string, string>, ...days: readonly (readonly [started: string, expired: string])[]) => {
    const routers = await stock(days.length);
    const { status, json } = await upload(
      fileOf(days.map(([started, expired], at) => line(routers[at]!, started, expired))),
      query,
    );
    const { rows } = await app.owner.query<{ days: string }>(
      "select started_on || ' ' || expires_on as days from devices where organization_id = $1 order by serial",
      [own.organizationId],
    );
    const result = json.result ?? json.error.detail;
    return {
      status,
      json,
      result,
      days: rows.map((row) => row.days),
      fail: result.fail?.map((row: { error: string }) => row.error),
    };
  };

  test.each([
    ['day first with dots', ['01.12.2026', '2. 1. 2028'], ['2026-12-01 2028-01-02']],
    ['year first with slashes', ['2026/12/01', '2028/1/2'], ['2026-12-01 2028-01-02']],
    ['year first with dots, and with a time', ['2026.12.01 8:30', '2028-01-02 00:00:00'], ['2026-12-01 2028-01-02']],
    ['in Chinese', ['2026年12月1日', '2028年1月2日'], ['2026-12-01 2028-01-02']],
    ['month first, where nothing decides', ['03/04/2026', '05/06/2027'], ['2026-03-04 2027-05-06']],
  ] as const)('DEV-05-partial are read: %s', async (_, days, stored) => {
    expect((await imported({}, days)).days).toEqual(stored);
  });

  test('DEV-05-partial one value above 12 decides the order of its column, and of the other where nothing else does', async () => {
    const { days, result } = await imported(
      {},
      ['03/04/2026', '05/06/2027'],
      ['25/04/2026', '05/06/2027'],
      ['1-2-2026', '1-2-2027'],
    );
    expect(days).toEqual(['2026-04-03 2027-06-05', '2026-04-25 2027-06-05', '2026-02-01 2027-02-01']);
    expect(result.dates).toEqual([]);
  });

  test('DEV-05-partial that could be read either way are a question, and read as chosen', async () => {
    const either = { column: 'Start Date', example: '03/04/2026', readings: { mdy: '2026-03-04', dmy: '2026-04-03' } };
    const rejected = await imported({ dates: 'ask' }, ['03/04/2026', '05/05/2027']);
    expect([rejected.status, rejected.json.error.key, rejected.days]).toEqual([400, 'csv.dates_ambiguous', []]);
    expect(rejected.json.error.detail.dates).toMatchObject([either]);
    const chosen = await imported({ dates: 'dmy' }, ['03/04/2026', '05/05/2027']);
    expect([chosen.days, chosen.result.dates]).toEqual([['2026-04-03 2027-05-05'], [{ ...either, order: 'dmy' }]]);
  });

  test('DEV-05-partial that do not exist are named as such', async () => {
    expect((await imported({}, ['31.02.2028', '31.12.2028'], ['01.01.26', '31.12.2028'])).fail).toEqual([
      'Start Date: there is no day 31.02.2028',
      'Start Date: must be a date such as 12/31/2026, 31.12.2026 or 2026-12-31',
    ]);
  });
});

describe('the columns of a file', () => {
  test('DEV-05-partial a group is set by its name in any case; one that does not exist rejects its row and is not made', async () => {
    const group = await app.seeding.group(own, 'Bus Depot');
    const [a, b, c] = (await stock(3)) as [Router, Router, Router];
    const file = [
      'Pos.;Group;SN;MAC;Start Date;Expiry Date;Depot',
      `1; bus  depot ;${a.serial};${a.mac};01.12.2026;31.12.2027;x`,
    ];
    file.push(`2;;${b.serial};${b.mac};01.12.2026;31.12.2027;x`, `3;Trams;${c.serial};${c.mac};01.12.2026;31.12.2027;x`);
    const dry = await upload(file.join('\n'), { dryRun: 'true' });
    const groupsOf = (rows: readonly { readonly changes: readonly { readonly field: string; readonly after: string }[] }[]) =>
      rows.map(({ changes }) => changes.find(({ field }) => field === 'group')?.after);
    expect(groupsOf(dry.json.result.changes.rows)).toEqual(['Bus Depot', DEFAULT_GROUP_NAME]);
    const { json } = await upload(file.join('\n'));
    expect(json.result).toMatchObject({ success: 2, failed: 1, file: { ignored: ['Pos.', 'Depot'], encoding: 'utf-8' } });
    expect(json.result.fail).toMatchObject([{ row: 4, error: 'Group: there is no group “Trams”' }]);
    expect([dry.json.result.success, dry.json.result.fail]).toEqual([2, json.result.fail]);
    const { rows } = await app.owner.query('select serial, group_key from devices where organization_id = $1 order by serial', [
      own.organizationId,
    ]);
    expect(rows).toEqual([
      { serial: a.serial, group_key: group },
      { serial: b.serial, group_key: DEFAULT_GROUP_KEY },
    ]);
    expect((await app.owner.query('select 1 from groups where organization_id = $1', [own.organizationId])).rows).toHaveLength(2);
  });

  test('DEV-05-partial of a workbook are read, with its days as such', async () => {
    const [a] = (await stock(1)) as [Router];
    const bytes = await writeXlsxFile([
      [{ value: 'SN' }, { value: 'MAC' }, { value: 'Start Date' }, { value: 'Expiry Date' }, { value: 'Vehicle#' }],
      [
        { value: a.serial },
        { value: a.mac },
        { value: new Date('2026-12-01'), type: Date, format: 'dd.mm.yyyy' },
        { value: '31.12.2027' },
        { value: 'Straße' },
      ],
    ]).toBuffer();
    const { json } = await upload(new Uint8Array(bytes));
    expect(json.result).toMatchObject({ success: 1, file: { sheet: 'Sheet1', ignored: [] } });
    const { rows } = await app.owner.query(
      'select started_on::text, expires_on::text, vehicle_number from devices where serial = $1',
      [a.serial],
    );
    expect(rows).toEqual([{ started_on: '2026-12-01', expires_on: '2027-12-31', vehicle_number: 'Straße' }]);
  });
});

describe('a file that cannot be read', () => {
  test.each([
    ['a wrong header', 'Serial,Hardware,From,To\nA,B,C,D\n', 'csv.header'],
    ['a header without the days', 'SN,MAC\nA,B\n', 'csv.header'],
    ['no rows', `${HEADER}\n\n`, 'csv.empty'],
    ['binary', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0, 0]), 'csv.not_csv'],
  ])('DEV-05-partial %s is rejected with an explanation and nothing is added', async (_, file, key) => {
    const { status, json } = await upload(file);
    expect([status, json.error.key]).toEqual([400, key]);
    expect(await devicesOf(own)).toEqual([]);
  });

  test('DEV-05-partial the error for a wrong header contains the expected columns', async () => {
    expect((await upload('SN,MAC,From\nA,B,C\n')).json.error.message).toBe(
      'The first line must name the columns SN, MAC, Start Date, Expiry Date. Missing: Start Date, Expiry Date.',
    );
  });

  test('DEV-05-partial a call without a file has no rows', async () => {
    const form = new Response(new FormData());
    const headers = { 'content-type': form.headers.get('content-type')! };
    const response = await app.call('POST', BATCH, { as: admin, headers, body: Buffer.from(await form.arrayBuffer()) });
    expect(response.json.error.key).toBe('csv.empty');
  });
});

test('DEV-05-partial 5,000 rows are added in one go, the bad ones among them listed', async () => {
  const routers = await stock(5_000);
  const lines = routers.map((router, index) => (index % 100 === 50 ? line({ ...router, mac: makeMac(999_999) }) : line(router)));
  const { status, json } = await upload(fileOf(lines));
  expect(status).toBe(200);
  expect(json.result).toMatchObject({ success: 4_950, total: 5_000, failed: 50 });
  expect(json.result.fail[0]).toEqual({
    row: 52,
    serial: routers[50]!.serial,
    mac: makeMac(999_999),
    error: 'Incorrect MAC address',
  });
  expect(json.result.ids).toHaveLength(200);
  const { rows } = await app.owner.query<{ devices: number; routers: number; intervals: number }>(
    `select (select count(*)::int from devices where organization_id = $1) as devices,
      (select count(*)::int from routers where organization_id = $1) as routers,
      (select count(*)::int from router_ownership where organization_id = $1) as intervals`,
    [own.organizationId],
  );
  expect(rows[0]).toEqual({ devices: 4_950, routers: 4_950, intervals: 4_950 });
});

describe("the wizard's CSV", () => {
  const chief = () => app.person(main, 'main');
  const send = (file: string, body: Record<string, string>, query: Record<string, string> = {}, as = chief()) =>
    app.call('POST', BATCH, { as, file, query, body: { layout: 'organization', ...body } });

  test('ORG-03-partial it needs SN and MAC only; devices without dates are not subscribed, and given dates are validated', async () => {
    const [bare, dated, half, wrong] = (await stock(4)) as [Router, Router, Router, Router];
    const spaced = bare.mac.match(/../gu)!.join(':');
    const plain = await send(`SN,MAC\n${bare.serial},${spaced}\n`, { org: own.organizationId });
    expect(plain.json.result).toMatchObject({ dryRun: false, success: 1, total: 1 });
    const file = [HEADER, line(dated), line(half, '01/01/2026', ''), line(wrong, '12/31/2026', '01/01/2026'), ''].join('\n');
    expect((await send(file, { org: own.organizationId })).json.result).toMatchObject({
      success: 1,
      fail: [
        { row: 3, error: 'Expiry Date: must be a date such as 12/31/2026, 31.12.2026 or 2026-12-31' },
        { row: 4, error: 'The expiry date must not be before the start date.' },
      ],
    });
    const { rows } = await app.owner.query(
      'select serial, started_on::text, expires_on::text from devices where organization_id = $1 order by serial',
      [own.organizationId],
    );
    expect(rows).toEqual([
      { serial: bare.serial, started_on: null, expires_on: null },
      { serial: dated.serial, started_on: '2026-01-01', expires_on: '2026-12-31' },
    ]);
    const list = await app.call('GET', '/data_manager/v1/dm/devices', { as: admin, query: { service: 'not-subscribed' } });
    expect(list.json.result.map((row: { serial_number: string }) => row.serial_number)).toEqual([bare.serial]);
  });

  test('ORG-03-partial a main account can check it before the organization exists, against its own inventory, and nothing is written', async () => {
    const [mine] = (await stock(1)) as [Router];
    const foreignUser = (await app.seeding.mainAccount('Abroad')).scope;
    const foreign = { serial: 'ABROAD2', mac: makeMac(999_999) };
    await app.seeding.routers(foreignUser, [foreign]);
    const file = `SN,MAC\n${mine.serial},${mine.mac}\n${foreign.serial},${foreign.mac}\n`;
    const dry = await send(file, {}, { dryRun: 'true' });
    expect(dry.json.result).toMatchObject({
      dryRun: true,
      success: 1,
      ids: [],
      fail: [{ row: 3, error: 'Incorrect serial number' }],
    });
    const real = await send(file, {});
    expect([real.status, real.json.error.message]).toEqual([400, 'Please select an org']);
    const { rowCount } = await app.owner.query('select 1 from routers where serial = $1 and organization_id is not null', [
      mine.serial,
    ]);
    expect(rowCount).toBe(0);
  });

  test('ORG-03-partial missing columns, and missing dates where a device list needs them, are reported', async () => {
    const [router] = (await stock(1)) as [Router];
    const rows = `SN,MAC\n${router.serial},${router.mac}\n`;
    expect((await send(`SN\n${router.serial}\n`, { org: own.organizationId })).json.error.key).toBe('csv.header');
    expect((await upload(rows)).json.error.key).toBe('csv.header');
    expect((await send(rows, { org: own.organizationId, layout: 'other' })).status).toBe(400);
  });
});
