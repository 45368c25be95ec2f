import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { summaryKinds, type SummaryKind } from '@highline/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { readWorkbook } from '../../platform/tables/workbook.ts';
import { addDevice, openHome, routersNamed } from '../../testing/home.ts';
import { readPdfPages } from '../../testing/pdf.ts';
import { unzip } from '../../testing/zip.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { openSummary, writeSummary } from './summary.file.ts';
import type { InventoryRow } from './summaries.queries.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const fresh = routersNamed('SF');
const folder = mkdtempSync(join(tmpdir(), 'highline-summary-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let own: OrganizationScope;
let user: Actor;
/** A formula, markup, text from right to left with a sign that reverses it, an emoji, and Chinese. */
const odd = ['=1+1', '<b>&', 'حافلة \u202e7', '🚌👩‍🔧 12', '公車 88'];

const file = async (query: Readonly<Record<string, string>>) => {
  const { status, bytes } = await app.call('GET', '/data_manager/v1/dm/summaries/file', {
    as: user,
    query: { from: '2026-10-01', until: '2026-10-31', zone: 'Asia/Taipei', ...query },
  });
  expect(status).toBe(200);
  return bytes;
};
const sheetOf = async (workbook: Uint8Array): Promise<(readonly string[])[]> => {
  const path = join(folder, 'summary.xlsx');
  writeFileSync(path, workbook);
  const found: (readonly string[])[] = [];
  for await (const { rows } of readWorkbook(path)) for await (const { cells } of rows()) found.push(cells);
  return found;
};

beforeAll(async () => {
  const home = await openHome(app);
  ({ own, user } = home);
  for (const name of odd)
    await addDevice(app, own, fresh(), { columns: { vehicle_number: name, started_on: '2026-01-02', expires_on: '2027-01-31' } });
  const [bus] = (await app.owner.query<{ id: string; router_id: string }>(`select id, router_id from devices order by serial`))
    .rows;
  await app.owner.query(
    `insert into outages (organization_id, device_id, router_id, began_at, ended_at, kind, reason, carrier, technology, serving_cell)
     values ($1, $2, $3, '2026-10-09T23:00:00Z', '2026-10-09T23:04:00Z', 'lost', 'no-answer', '', '', '')`,
    [own.organizationId, bus!.id, bus!.router_id],
  );
});

describe('files of summaries', () => {
  test.each([
    ['en-US', '10/01/2026 – 10/31/2026, Asia/Taipei', '10/10/2026 07:00:00', '01/31/2027'],
    ['zh-TW', '2026/10/01 – 2026/10/31, Asia/Taipei', '2026/10/10 07:00:00', '2027/01/31'],
  ] as const)(
    'RPM-02-partial days and times are in the order of %s in every file, as on the screen; a workbook has them as dates',
    async (language, period, moment, day) => {
      const csv = (await file({ kind: 'outages', language, format: 'csv' })).toString('utf8');
      expect(csv).toContain(period);
      expect(csv).toContain(moment);
      const [page] = await readPdfPages(await file({ kind: 'outages', language, format: 'pdf' }));
      expect(page).toContain(period);
      expect(page).toContain(moment);
      expect((await file({ kind: 'subscriptions', language, format: 'csv' })).toString('utf8')).toContain(day);
      const rows = await sheetOf(await file({ kind: 'subscriptions', language, format: 'xlsx' }));
      // The reader of workbooks writes dates, and only those, in this form.
      expect(rows.at(-1)).toContain('2027-01-31');
    },
  );

  test('RPM-02-partial the text of a PDF can be searched in both languages, also of names in other scripts', async () => {
    for (const [language, title, vehicle] of [
      ['en-US', 'Device list', 'Vehicle'],
      ['zh-TW', '裝置清冊', '車輛'],
    ] as const) {
      const [page, ...more] = await readPdfPages(await file({ kind: 'inventory', language, format: 'pdf' }));
      expect(more).toEqual([]);
      for (const text of [title, vehicle, 'Own', '=1+1', '<b>&', '公車 88', '1 / 1']) expect(page).toContain(text);
    }
  });

  test('RPM-02-partial names with a formula, markup, text from right to left, emoji and Chinese are the same in CSV, workbook and PDF', async () => {
    const csv = parse(await file({ kind: 'inventory', format: 'csv' }), { bom: true, relax_column_count: true });
    const inCsv = csv.map(([name]) => name);
    const inSheet = (await sheetOf(await file({ kind: 'inventory', format: 'xlsx' }))).map(([name]) => name);
    for (const name of odd) {
      expect(inCsv).toContain(name.startsWith('=') ? `'${name}` : name);
      expect(inSheet).toContain(name);
    }
    const [page] = await readPdfPages(await file({ kind: 'inventory', format: 'pdf' }));
    // What order letters have that are read from right to left: platform/pdf/document.test.ts.
    for (const name of ['=1+1', '<b>&', '12', '公車 88']) expect(page).toContain(name);
  });

  test('RPM-02-partial every kind is a PDF of one page when there is little or nothing in it, and says so', async () => {
    for (const [index, kind] of summaryKinds.entries()) {
      const language = index % 2 === 0 ? 'en-US' : 'zh-TW';
      const pages = await readPdfPages(await file({ kind, language, format: 'pdf', from: '2026-08-01', until: '2026-08-02' }));
      expect(pages, kind).toHaveLength(1);
      if (kind === 'alerts')
        expect(pages[0]).toContain(language === 'zh-TW' ? '此期間沒有資料。' : 'There is nothing in this period.');
    }
  });
});

async function collect(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A summary of vehicles that are not stored: it counts those that were read. */
async function manyVehicles(count: number, kind: SummaryKind = 'inventory') {
  const read = { rows: 0, isClosed: false };
  const vehicle: InventoryRow = {
    vehicle_number: '',
    serial: '',
    model: 'R1',
    firmware: '3.1.0',
    config: null,
    group_name: 'default',
    carrier: 'AT&T',
    iccid: '8901260000009876547',
    started_on: '2026-01-02',
    expires_on: '2027-01-31',
    org_name: 'Own',
  };
  const streams = {
    ...app.streams,
    async *open<Row>(): AsyncGenerator<Row> {
      try {
        for (read.rows = 1; read.rows <= count; read.rows += 1)
          yield { ...vehicle, vehicle_number: `Bus ${read.rows}`, serial: `S${read.rows}` } as Row;
      } finally {
        read.isClosed = true;
      }
    },
  };
  const sources = {
    reader: app.reader,
    streams,
    expiringDays: 30,
    keptDays: 30,
    positionDays: 30,
    findStreet: async () => undefined,
  };
  const summary = await openSummary(sources, own, { kind, language: 'en-US' }, app.clock.now());
  return { read, write: (format: 'csv' | 'pdf' | 'xlsx') => writeSummary(summary, sources, format).content };
}

describe('a summary of a hundred thousand vehicles', () => {
  test('RPM-02-partial is a PDF of the first 2,000 that names the files with the rest, and reads no more of them', async () => {
    const { read, write } = await manyVehicles(100_000);
    const pages = await readPdfPages(await collect(write('pdf')));
    expect(pages.at(-1)).toContain('The first 2,000 rows; the Excel and CSV files have the rest.');
    expect(pages.join(' ')).toContain('Bus 2000 ');
    expect(pages.join(' ')).not.toContain('Bus 2001 ');
    expect(read).toMatchObject({ isClosed: true });
    expect(read.rows).toBeLessThan(2_200);
    // The titles of its columns stand on each page.
    for (const page of pages.slice(0, -1)) expect(page).toContain('Serial number');
  });

  test.each(['csv', 'xlsx'] as const)(
    'RPM-02-partial is a %s file with all of them, made as it is read: a reader that stops stops it',
    async (format) => {
      const stopped = await manyVehicles(100_000);
      for await (const _ of stopped.write(format)) break;
      expect(stopped.read.rows).toBeLessThan(10_000);
      await expect.poll(() => stopped.read.isClosed).toBe(true);
      const { write } = await manyVehicles(100_000);
      const bytes = await collect(write(format));
      const text = format === 'csv' ? bytes.toString('utf8') : unzip(bytes).get('xl/worksheets/sheet1.xml')!;
      expect(text.match(/Bus \d+/gu)).toHaveLength(100_000);
      expect(text.slice(-1_000)).toContain('Bus 100000');
    },
  );
});

const programOf = (name: string) => (spawnSync(name, ['--version']).error === undefined ? name : undefined);
const office = programOf('soffice');
if (office === undefined)
  process.stdout.write('LibreOffice (soffice) is not installed: workbooks of summaries are read by our own reader alone.\n');
const pdfToText = programOf('pdftotext');
if (pdfToText === undefined)
  process.stdout.write('Poppler (pdftotext) is not installed: documents of summaries are read by PDF.js alone.\n');

describe('read by programs of others', () => {
  test.skipIf(office === undefined)(
    'RPM-02-partial LibreOffice opens the workbook with its dates and names, and evaluates nothing',
    async () => {
      writeFileSync(join(folder, 'opened.xlsx'), await file({ kind: 'subscriptions', language: 'zh-TW', format: 'xlsx' }));
      execFileSync(
        office!,
        [
          `-env:UserInstallation=file://${folder}/profile`,
          '--headless',
          '--convert-to',
          'csv:Text - txt - csv (StarCalc):44,34,76',
          '--outdir',
          folder,
          join(folder, 'opened.xlsx'),
        ],
        { stdio: 'ignore' },
      );
      const lines = readFileSync(join(folder, 'opened.csv'), 'utf8').split('\n');
      expect(lines[0]).toMatch(/^訂閱/u);
      for (const name of odd) expect(lines.some((line) => line.startsWith(`${name},`))).toBe(true);
      expect(lines.find((line) => line.startsWith('公車 88,'))).toContain('2026/01/02,2027/01/31');
    },
  );

  test.skipIf(pdfToText === undefined)('RPM-02-partial pdftotext reads the text of both languages', async () => {
    for (const [language, texts] of [
      ['en-US', ['Device list', 'Serial number', '公車 88']],
      ['zh-TW', ['裝置清冊', '序號', '公車 88']],
    ] as const) {
      writeFileSync(join(folder, 'read.pdf'), await file({ kind: 'inventory', language, format: 'pdf' }));
      const text = execFileSync(pdfToText!, ['-layout', join(folder, 'read.pdf'), '-'], { encoding: 'utf8' });
      for (const part of texts) expect(text).toContain(part);
    }
  });
});
