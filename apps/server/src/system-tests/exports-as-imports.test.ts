import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Operation } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import { makeEid, makeIccid } from '@highline/usp';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import { addDevice, openHome, routersNamed } from '../testing/home.ts';
import { useTestApp } from '../testing/test-app.ts';
import { protectedText } from '@highline/contract/csv-cell';
import { REPORT_LIMITS } from '../platform/tables/report.ts';
import { readWorkbook } from '../platform/tables/workbook.ts';
import type { Actor } from '../kernel/scope.ts';

const app = useTestApp();
const fresh = routersNamed('XI');
const DM = '/data_manager/v1/dm';

/** A column of an import: the title that its error names, and the ids of the columns of lists that hold the same. */
interface Field {
  readonly title: string;
  readonly ids: readonly string[];
  readonly required: boolean;
}
const field = (title: string, required: boolean, ...ids: string[]): Field => ({ title, ids, required });
const described = [field('Vehicle#', false, 'vehicle'), field('Notes', false, 'note'), field('Tags', false, 'tags')];
const identity = [field('SN', true, 'serial'), field('MAC', true, 'mac')];
const dates = (required: boolean) => [field('Start Date', required, 'started'), field('Expiry Date', required, 'expires')];

/** Every import, with its columns. The ids `name` of other lists are names of other things. */
const imports: Record<string, { path: string; fields: readonly Field[]; body?: Record<string, string>; as: 'main' | 'admin' }> = {
  devices: { path: `${DM}/devices/batch`, fields: [...identity, ...dates(true), ...described], as: 'main' },
  "a new organization's devices": {
    path: `${DM}/devices/batch`,
    body: { layout: 'organization' },
    fields: [...identity, ...dates(false), ...described],
    as: 'main',
  },
  inventory: {
    path: `${DM}/inventory/batch`,
    fields: [...identity, field('Model', false, 'model'), field('Endpoint ID', false, 'endpoint')],
    as: 'main',
  },
  eSIMs: {
    path: `${DM}/profile/batch`,
    fields: [
      field('SN', true, 'serial'),
      field('EID', true, 'eid'),
      field('Activation Code', true),
      field('ICCID', false, 'iccid'),
      field('APN1', true, 'apn'),
      field('APN2', false, 'apn2'),
      field('NAME', false, 'name of esims.export'),
    ],
    as: 'admin',
  },
};

/** The ids that the description of a call's `columns` lists. */
function columnIds({ query }: Operation): string[] {
  const response = query?.safeParse({ columns: '?' });
  const message = response?.error?.issues.find(({ path }) => path[0] === 'columns')?.message ?? '';
  return /^must name columns of the list, each once: (.+)$/u.exec(message)?.[1]?.split(', ') ?? [];
}
/** Every call that writes the columns of a list as CSV: a new one is tried with every import at once. */
const exports = allOperations
  .filter(({ method, sends }) => method === 'GET' && sends === 'file')
  .flatMap((operation) => {
    const ids = columnIds(operation);
    return ids.length === 0 ? [] : [{ operation, ids }];
  });

const pairs = exports.flatMap((exported) =>
  Object.keys(imports).flatMap((to) =>
    (['en-US', 'zh-TW'] as const).map((language) => [exported.operation.id, to, language, exported] as const),
  ),
);

/** The account service is no part of the application of this test: its file has these titles and a row. */
const users = { 'en-US': '#,Username,Email,Role\n1,a,b,c\n', 'zh-TW': '#,使用者名稱,電子郵件,角色\n1,a,b,c\n' } as const;

async function openFilled() {
  const home = await openHome(app);
  const stocked = fresh();
  const router = fresh();
  const id = await addDevice(app, home.own, router, { started: '01/01/2026', expired: '12/31/2027' });
  await app.owner.query(`update devices set tags = $2, eid = $3, health = 87 where serial = $1`, [
    router.serial,
    ['depot', 'a,b'],
    makeEid(7),
  ]);
  await app.seeding.routers(home.main, [stocked]);
  await app.seeding.esim(home.own, {
    serial: router.serial,
    eid: makeEid(7),
    code: '1$dp.example$PAIR',
    iccid: makeIccid(7),
    apn: 'fleet',
    apn2: '',
    name: 'Second',
  });
  return { ...home, stocked, router, id, admin: app.person(home.own, 'admin') };
}

test('BLK-05-partial every list that is downloaded is among the pairs', () => {
  expect(exports.map(({ operation }) => operation.id).toSorted()).toEqual([
    'accounts.export',
    'alerts.export',
    'coverage.exportDeadZones',
    'coverage.exportVehicles',
    'devices.export',
    'esims.export',
    'groups.export',
    'inventory.export',
    'logs.export',
    'organizations.export',
    'outages.exportOutages',
    'outages.exportSums',
    'recordings.export',
    'settings.export',
    'usage.export',
  ]);
});

describe('BLK-05-partial every header of our exports is understood by every import', () => {
  test.each(pairs)('%s as %s in %s', async (name, to, language, { operation, ids }) => {
    const { own, mainPerson, admin, router } = await openFilled();
    const { path, fields, body = {}, as } = imports[to]!;
    const person = as === 'main' ? mainPerson : admin;
    const reader = operation.scope === 'main' ? mainPerson : admin;
    const written = async () => {
      const response = await app.call('GET', operation.path, { as: reader, query: { language, columns: ids.join(',') } });
      expect(response.status, response.text).toBe(200);
      return response.bytes as Uint8Array<ArrayBuffer>;
    };
    const file = name === 'accounts.export' ? users[language] : await written();
    const present = new Set(ids.map((id) => (id === 'name' ? `name of ${name}` : id)));
    const missing = fields.filter((each) => each.required && !each.ids.some((id) => present.has(id)));
    const response = await app.call('POST', path, {
      as: person,
      query: { dryRun: 'true' },
      body: { ...(path.includes('devices') ? { org: own.organizationId } : {}), ...body },
      file,
    });
    if (missing.length > 0) {
      expect(response.json.error).toMatchObject({ key: 'csv.header', detail: { missing: missing.map(({ title }) => title) } });
      return;
    }
    // The columns of the file are those of the import: what is wrong with a row is said of the row.
    const result = response.json.result ?? response.json.error.detail;
    expect(result.total).toBeGreaterThan(0);
    const known = new Set(['This serial number is already in the inventory.', 'Existing serial number']);
    for (const { serial, error } of result.fail) {
      expect(known).toContain(error);
      if (serial === router.serial) return;
    }
  });
});

describe('SHR-08-partial every list is also a workbook, with the same header and cells', () => {
  const folder = mkdtempSync(join(tmpdir(), 'highline-lists-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(
    exports.filter(({ operation: { id } }) => id !== 'accounts.export').map((each) => [each.operation.id, each] as const),
  )('%s', async (_, { operation, ids }) => {
    const { mainPerson, admin } = await openFilled();
    const as = operation.scope === 'main' ? mainPerson : admin;
    const query = { language: 'en-US', columns: ids.join(',') };
    const csv = await app.call('GET', operation.path, { as, query });
    const workbook = await app.call('GET', operation.path, { as, query: { ...query, format: 'xlsx' } });
    expect([workbook.status, workbook.headers['content-disposition']]).toEqual([
      200,
      String(csv.headers['content-disposition']).replace('.csv', '.xlsx'),
    ]);
    const path = join(folder, 'list.xlsx');
    writeFileSync(path, workbook.bytes);
    const rows: string[][] = [];
    for await (const sheet of readWorkbook(path)) for await (const { cells } of sheet.rows()) rows.push([...cells]);
    // Days and times are dates there, and numbers are numbers.
    const typed = /^(?:-?\d+(?:\.\d+)?|\d{2}\/\d{2}\/\d{4}(?: [\d:]{8})?|\d{4}-\d{2}-\d{2})$/u;
    const values = parse(csv.text, { bom: true }).flatMap((cells, row) =>
      row === 0 ? [] : cells.filter((cell) => typed.test(cell)),
    );
    expect(strFromU8(unzipSync(workbook.bytes)['xl/worksheets/sheet1.xml']!).match(/<v>/gu) ?? []).toHaveLength(values.length);
    const plain = (cell: string) =>
      /^-?\d+\.\d+$/u.test(cell)
        ? String(Number(cell))
        : protectedText(cell).replace(/^(\d{2})\/(\d{2})\/(\d{4})( |$)/u, '$3-$1-$2$4');
    const expected = parse(csv.text, { bom: true }).map((cells) => cells.map(plain).join('|').replace(/\|+$/u, ''));
    expect(rows.map((cells) => cells.map((cell) => cell.replace(/ 00:00:00$/u, '')).join('|'))).toEqual(expected);
  });
});

describe('BLK-05-partial a report of faulty rows is mended and imported again', () => {
  const titles = (text: string) => parse(text, { bom: true })[0]!;
  /** The report as a spreadsheet saves it after one column was corrected, with its apostrophes, in semicolons. */
  const mended = (text: string, title: string, value: (row: readonly string[]) => string) => {
    const [header, ...rows] = parse(text, { bom: true });
    const at = header!.indexOf(title);
    return stringify([header!, ...rows.map((row) => row.with(at, value(row)))], { delimiter: ';' });
  };
  const send = (as: Actor, path: string, file: string, body = {}, query = {}) =>
    app.call('POST', path, { as, file, body, query });

  test('devices', async () => {
    const { own, main, mainPerson } = await openHome(app);
    const [good, bad] = [fresh(), fresh()];
    await app.seeding.routers(main, [good, bad]);
    const file = `Note;SN;MAC;Start Date;Expiry Date;Tags;Extra\n-1+2;${good.serial};${good.mac};01/01/2026;12/31/2026;x;=1+1\n\n'=5;${bad.serial};${bad.mac};2026;12/31/2026;"depot, a\\,b";0042\n`;
    const body = { org: own.organizationId };
    const { json } = await send(mainPerson, `${DM}/devices/batch`, file, body);
    expect(json.result).toMatchObject({ success: 1, failed: 1 });
    const { report } = json.result;
    expect(parse(report, { bom: true })).toEqual([
      ['Note', 'SN', 'MAC', 'Start Date', 'Expiry Date', 'Tags', 'Extra', 'Error'],
      [
        "'=5",
        bad.serial,
        bad.mac,
        '2026',
        '12/31/2026',
        'depot, a\\,b',
        "'0042",
        'Start Date: must be a date such as 12/31/2026, 31.12.2026 or 2026-12-31',
      ],
    ]);
    const again = await send(
      mainPerson,
      `${DM}/devices/batch`,
      mended(report, 'Start Date', () => '01/01/2026'),
      body,
    );
    expect(again.json.result).toMatchObject({ success: 1, failed: 0, report: '' });
    const { rows } = await app.owner.query('select note, tags from devices where serial = $1', [bad.serial]);
    expect(rows).toEqual([{ note: '=5', tags: ['a,b', 'depot'] }]);
    // Imported unchanged, it has one column with the reasons still.
    const twice = await send(mainPerson, `${DM}/devices/batch`, report, body);
    expect(titles(twice.json.error.detail.report)).toEqual(titles(report));
  });

  test('devices, of which too many are faulty for one answer: it says how many are in the report, and how many there are', async () => {
    const { own, mainPerson } = await openHome(app);
    const count = REPORT_LIMITS.rows + 50;
    const lines = Array.from({ length: count }, (_, n) => `N${n},none,01/01/2026,12/31/2026`);
    const file = `SN,MAC,Start Date,Expiry Date\n${lines.join('\n')}\n`;
    const { json } = await send(mainPerson, `${DM}/devices/batch`, file, { org: own.organizationId });
    const { report, ...detail } = json.error.detail;
    expect(detail).toMatchObject({ success: 0, total: count, failed: count, reported: REPORT_LIMITS.rows });
    expect(detail.fail).toHaveLength(1_000);
    expect(detail.fail.at(-1)).toMatchObject({ row: 1_001, serial: 'N999' });
    const rows = parse(report, { bom: true });
    expect([rows.length, rows.at(-1)![0]]).toEqual([1 + REPORT_LIMITS.rows, `N${REPORT_LIMITS.rows - 1}`]);
  });

  test('inventory', async () => {
    const { mainPerson } = await openHome(app);
    const [good, bad] = [fresh(), fresh()];
    const file = `SN,MAC,Model\n${good.serial},${good.mac},HL\n${bad.serial},none,HL\n`;
    const { json } = await send(mainPerson, `${DM}/inventory/batch`, file);
    expect(json.result).toMatchObject({ success: 1, failed: 1 });
    const again = await send(
      mainPerson,
      `${DM}/inventory/batch`,
      mended(json.result.report, 'MAC', () => bad.mac),
    );
    expect(again.json.result).toMatchObject({ success: 1, failed: 0 });
  });

  test('eSIMs', async () => {
    const { admin, router } = await openFilled();
    const file = `SN,EID,Activation Code,ICCID,APN1,APN2,NAME\n${router.serial},'${makeEid(7)},1$dp.example$MEND,,,,Third\n`;
    const { json } = await send(admin, `${DM}/profile/batch`, file);
    const { report } = json.error.detail;
    expect(titles(report)).toEqual(['serial', 'eid', 'ac', 'iccid', 'apn1', 'apn2', 'name', 'error']);
    const again = await send(
      admin,
      `${DM}/profile/batch`,
      mended(report, 'apn1', () => 'fleet'),
    );
    expect(again.json.result).toMatchObject({ success: 1, failed: 0 });
  });
});

describe('BLK-05-partial what an import cannot read', () => {
  test.each(Object.entries(imports))(
    'of %s is never stored: the row is rejected and named, and so are columns that are ignored',
    async (_, to) => {
      const { own, mainPerson, admin } = await openFilled();
      const titles = to.fields.filter(({ required }) => required).map(({ title }) => title);
      const response = await app.call('POST', to.path, {
        as: to.as === 'main' ? mainPerson : admin,
        file: `${titles.join(';')};Depot\nM\ufffdller${';x'.repeat(titles.length)}\n`,
        body: { ...(to.path.includes('devices') ? { org: own.organizationId } : {}), ...to.body },
      });
      const { fail, file } = response.json.error.detail;
      expect(fail).toMatchObject([{ row: 2, error: `${titles[0]}: has a character (�) that was lost when the file was saved.` }]);
      expect(file).toEqual({ encoding: 'utf-8', encodingAssumed: false, ignored: ['Depot'] });
    },
  );

  test('SIM-04-partial of eSIMs may be left out where no profile of the file needs it', async () => {
    const { admin, router } = await openFilled();
    const row = `${router.serial},'${makeEid(7)},1$dp.example$LEAN,fleet`;
    const { json } = await app.call('POST', `${DM}/profile/batch`, { as: admin, file: `SN,EID,Activation Code,APN1\n${row}\n` });
    expect(json.result).toMatchObject({ success: 1, failed: 0 });
    const preloaded = `${router.serial},'${makeEid(7)},preload,fleet`;
    const missing = await app.call('POST', `${DM}/profile/batch`, {
      as: admin,
      file: `SN,EID,Activation Code,APN1\n${preloaded}\n`,
    });
    expect(missing.json.error.detail.fail).toMatchObject([{ row: 2, error: 'ICCID is required for preloaded profile.' }]);
  });

  test.each(Object.entries(imports))('SHR-01-partial of %s has a reason where there are no rows', async (_, to) => {
    const { own, mainPerson, admin } = await openFilled();
    const response = await app.call('POST', to.path, {
      as: to.as === 'main' ? mainPerson : admin,
      file: '',
      body: { ...(to.path.includes('devices') ? { org: own.organizationId } : {}), ...to.body },
    });
    expect(response.json.error).toMatchObject({ key: 'csv.empty', reason: 'The file has no rows.' });
  });
});

describe('BLK-05-partial an import can be checked first', () => {
  test('it says what it would set, before and after, how often, and which tags are new', async () => {
    const { own, main, mainPerson, router } = await openFilled();
    const routers = Array.from({ length: 101 }, () => fresh());
    await app.seeding.routers(main, routers);
    const lines = routers.map(
      ({ serial, mac }, at) => `${serial},${mac},01/01/2026,12/31/2026,${at === 0 ? 'Bus 1' : ''},"depot, spare"`,
    );
    const file = `SN,MAC,Start Date,Expiry Date,Vehicle#,Tags\n${lines.join('\n')}\n${router.serial},${router.mac},01/01/2026,12/31/2026,,\n`;
    const response = await app.call('POST', `${DM}/devices/batch`, {
      as: mainPerson,
      file,
      body: { org: own.organizationId },
      query: { dryRun: 'true' },
    });
    const { changes, ...rest } = response.json.result;
    expect(rest).toMatchObject({ dryRun: true, success: 101, failed: 1 });
    expect(changes.fields).toEqual([
      { field: 'group', rows: 101 },
      { field: 'vehicle', rows: 1 },
      { field: 'tags', rows: 101 },
      { field: 'started', rows: 101 },
      { field: 'expired', rows: 101 },
    ]);
    expect(changes.newTags).toEqual(['spare']);
    expect(changes.rows).toHaveLength(100);
    expect(changes.rows[0]).toEqual({
      row: 2,
      serial: routers[0]!.serial,
      changes: [
        { field: 'group', before: '', after: 'default' },
        { field: 'vehicle', before: '', after: 'Bus 1' },
        { field: 'tags', before: '', after: 'depot, spare' },
        { field: 'started', before: '', after: '01/01/2026' },
        { field: 'expired', before: '', after: '12/31/2026' },
      ],
    });
    expect((await app.owner.query('select 1 from devices where serial = $1', [routers[0]!.serial])).rows).toEqual([]);
  });

  test('BLK-02-partial a row with a tag that is too long, or with too many, is named', async () => {
    const { own, main, mainPerson } = await openHome(app);
    const routers = [fresh(), fresh(), fresh()];
    await app.seeding.routers(main, routers);
    const tags = ['x'.repeat(33), Array.from({ length: 21 }, (_, at) => `t${at}`).join(', '), ' b ,a,, b'];
    const lines = routers.map(({ serial, mac }, at) => `${serial},${mac},01/01/2026,12/31/2026,"${tags[at]}"`);
    const { json } = await app.call('POST', `${DM}/devices/batch`, {
      as: mainPerson,
      file: `SN,MAC,Start Date,Expiry Date,Tags\n${lines.join('\n')}\n`,
      body: { org: own.organizationId },
    });
    expect(json.result.fail.map(({ row, error }: { row: number; error: string }) => [row, error])).toEqual([
      [2, `Tags: "${'x'.repeat(33)}" must have at most 32 characters`],
      [3, 'Tags: must be at most 20'],
    ]);
    const { rows } = await app.owner.query('select tags from devices where serial = $1', [routers[2]!.serial]);
    expect(rows).toEqual([{ tags: ['a', 'b'] }]);
    // The file of the list has the same tags.
    const file = await app.call('GET', `${DM}/devices/export`, { as: mainPerson, query: { columns: 'tags,serial' } });
    expect(file.text).toContain(`"a, b",${routers[2]!.serial}`);
  });
});
