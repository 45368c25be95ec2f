import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { platform } from 'node:process';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { strToU8, zipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import type { DomainError } from '../../kernel/failure.ts';
import { workbookOf } from '../xlsx/list-workbook.ts';
import type { TableShape } from './columns.ts';
import { numberKind, numberText } from './cell-text.ts';
import { openTable } from './read.ts';

const folder = mkdtempSync(join(tmpdir(), 'highline-workbooks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shape: TableShape<'serial' | 'mac', 'started' | 'note'> = {
  required: { serial: 'SN', mac: 'MAC' },
  optional: { started: 'Start Date', note: 'Notes' },
};

async function read(content: Uint8Array) {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  const { summary, rows } = await openTable(path, shape);
  const all = [];
  for await (const row of rows) all.push(row);
  return { summary, rows: all };
}

interface Parts {
  readonly sheets: Readonly<Record<string, string>>;
  readonly strings?: string;
  readonly styles?: string;
  readonly properties?: string;
}

/** A workbook of these parts, as programs write them. */
function workbook({ sheets, strings, styles, properties = '' }: Parts): Uint8Array {
  const names = Object.keys(sheets);
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns:r="r">${properties}<sheets>${names
      .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names
      .map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`)
      .join('')}</Relationships>`,
    ...Object.fromEntries(names.map((name, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheets[name]!])),
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': strings }),
    ...(styles === undefined ? {} : { 'xl/styles.xml': styles }),
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strToU8(content)])));
}

const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const header = `<row>${['SN', 'MAC'].map(inline).join('')}</row>`;

describe('DEV-05-partial a workbook', () => {
  test('that we write is read', async () => {
    const csv = "SN,Depot,MAC,Notes\r\nA1,North,00B2D0000001,Müller & Söhne <1>\r\n'0012,South,00B2D0000002,'=1+1\r\n";
    const bytes = await buffer(workbookOf(Readable.from([csv]), { name: 'Routers', kinds: [] }));
    expect(await read(bytes)).toEqual({
      summary: { sheet: 'Routers', ignored: ['Depot'] },
      rows: [
        { row: 2, cells: { serial: 'A1', mac: '00B2D0000001', note: 'Müller & Söhne <1>' } },
        { row: 3, cells: { serial: '0012', mac: '00B2D0000002', note: '=1+1' } },
      ],
    });
  });

  test('has its numbers and days as they are shown', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-407]dd\\.mm\\.yyyy;@"/><numFmt numFmtId="165" formatCode="0000000"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>';
    const strings =
      '<sst><si><t>SN</t></si><si><r><t>MA</t></r><r><t>C</t></r><rPh><t>x</t></rPh></si><si><t xml:space="preserve">Start Date</t></si><si><t>a_x000D_b</t></si></sst>';
    const rows =
      '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c r="D2" t="s"><v>2</v></c><c r="E2" t="inlineStr"><is><t>Notes</t></is></c></row>' +
      '<row r="5"><c r="A5" s="3"><v>12345</v></c><c r="C5"><v>178000000001</v></c><c r="D5" s="1"><v>46357</v></c><c r="E5" t="b"><v>1</v></c></row>' +
      '<row r="6"><c r="A6" t="str"><f>"A"&amp;1</f><v>A1</v></c><c r="C6"><v>8.9444765000088781E+18</v></c><c r="D6" s="2"><v>46357</v></c><c r="E6" t="s"><v>3</v></c></row>';
    expect((await read(workbook({ sheets: { A: sheet(rows) }, strings, styles }))).rows).toEqual([
      { row: 5, cells: { serial: '0012345', mac: '178000000001', started: '2026-12-01', note: 'TRUE' } },
      { row: 6, cells: { serial: 'A1', mac: '8.944476500008878E+18', started: '2026-12-01', note: 'a\rb' } },
    ]);
  });

  test('counts its days from 1904 where it says so', async () => {
    const rows = `<row>${['SN', 'MAC', 'Start Date'].map(inline).join('')}</row><row>${inline('A1')}${inline('1')}<c s="1"><v>44895</v></c></row>`;
    const styles = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>';
    const properties = '<workbookPr date1904="1"/>';
    const { rows: read1904 } = await read(workbook({ sheets: { A: sheet(rows) }, styles, properties }));
    expect(read1904[0]!.cells.started).toBe('2026-12-01');
  });

  test('of several sheets is read where the columns are, below a title, with prefixed names', async () => {
    const prefixed =
      '<x:worksheet xmlns:x="y"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>Table 1</x:t></x:is></x:c></x:row>' +
      '<x:row r="2"><x:c r="A2" t="inlineStr"><x:is><x:t>SN</x:t></x:is></x:c><x:c r="B2" t="inlineStr"><x:is><x:t>MAC</x:t></x:is></x:c></x:row>' +
      '<x:row r="3"><x:c r="A3" t="inlineStr"><x:is><x:t>A1</x:t></x:is></x:c><x:c r="B3"><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>';
    const found = await read(
      workbook({ sheets: { Cover: sheet(`<row>${inline('Export Summary')}</row>`), Empty: sheet(''), Routers: prefixed } }),
    );
    expect(found).toEqual({ summary: { sheet: 'Routers', ignored: [] }, rows: [{ row: 3, cells: { serial: 'A1', mac: '1' } }] });
  });
});

// A priority is that of a thread on Linux only.
test.runIf(platform === 'linux')('DEV-05-partial a file is read by a thread that runs after others', async () => {
  const path = join(folder, 'waiting');
  writeFileSync(path, workbook({ sheets: { A: sheet(header + `<row>${inline('A')}</row>`.repeat(1_000)) } }));
  const { rows } = await openTable(path, shape);
  expect(readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)))).toContain(10);
  await rows.return(undefined);
});

describe('DEV-05-partial a workbook that is not read', () => {
  const failureOf = (content: Uint8Array) => read(content).catch((error: DomainError) => [error.key, error.more.reason]);
  const archive = (name: string) => zipSync({ mimetype: strToU8('x'), [name]: strToU8('x') });

  test.each([
    ['OpenDocument', archive('content.xml'), '(.ods)'],
    ['Numbers', archive('Index/Document.iwa'), 'Numbers'],
    ['binary Excel', archive('xl/workbook.bin'), '(.xlsb)'],
    ['another archive', archive('a.txt'), 'ZIP'],
    ['no archive', Buffer.from('PK\u0003\u0004 and nothing else'), 'damaged'],
    ['no XML', workbook({ sheets: { A: '<worksheet><sheetData>' } }), 'damaged'],
    [
      'an entity',
      workbook({ sheets: { A: `<!DOCTYPE x [<!ENTITY a "SN">]>${sheet('<row><c><v>&a;</v></c></row>')}` } }),
      'damaged',
    ],
    ['elements within each other', workbook({ sheets: { A: '<a>'.repeat(100_000) } }), 'damaged'],
  ])('is named: %s', async (_, content, named) => {
    const [key, reason] = (await failureOf(content)) as [string, string];
    expect([key, reason.includes(named)]).toEqual(['csv.not_csv', true]);
  });

  test.each([
    [
      'one row of many cells',
      sheet(header + `<row>${inline('A').repeat(300)}</row>`),
      'A row of the file has more than 200 columns.',
    ],
    [
      'one cell',
      sheet(`${header}<row>${inline('x'.repeat(20_000_000))}</row>`),
      'A cell of the workbook has too many characters.',
    ],
    ['many rows', sheet(header + `<row>${inline('A')}</row>`.repeat(100_001)), 'The file has more than 100,000 rows.'],
    ['nothing, compressed well', sheet(header + ' '.repeat(170_000_000)), 'The workbook is too large to be read.'],
  ])('is too large: %s', async (_, content, reason) => {
    expect(await failureOf(workbook({ sheets: { A: content } }))).toEqual(['request.too_large', reason]);
  });

  test('is too large: many sheets of a size that one may have', async () => {
    const empty = sheet(' '.repeat(42_000_000));
    const sheets = Object.fromEntries(Array.from('ABCDEFG', (name) => [name, empty]));
    expect(await failureOf(workbook({ sheets }))).toEqual(['request.too_large', 'The workbook is too large to be read.']);
  });

  test('has no columns, or no rows', async () => {
    expect(await failureOf(workbook({ sheets: { A: sheet(`<row>${inline('SN')}</row>`) } }))).toEqual([
      'csv.header',
      'Missing: MAC.',
    ]);
    expect(await failureOf(workbook({ sheets: { A: sheet('') } }))).toEqual(['csv.empty', 'The file has no rows.']);
  });
});

test('DEV-05-partial a number format shows a number, a day or leading zeros', () => {
  const kinds = ['General', '0.00', '#,##0', '@', 'dd/mm/yyyy', '[Red]yyyy"年"m"月"d"日"', 'h:mm', '000', '0;[Red]-0', '"day "0'];
  expect(kinds.map((code) => numberKind(164, code))).toEqual([
    'number',
    'number',
    'number',
    'number',
    'date',
    'date',
    'number',
    { digits: 3 },
    { digits: 1 },
    { digits: 1 },
  ]);
  expect([numberText('0.1', 'number', 1900), numberText('46357.5', 'date', 1900)]).toEqual(['0.1', '2026-12-01 12:00:00']);
});
