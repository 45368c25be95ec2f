import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../kernel/failure.ts';
import type { TableShape } from './columns.ts';
import { openTable, type ReadOptions } from './read.ts';

const folder = mkdtempSync(join(tmpdir(), 'highline-encodings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shape: TableShape<'serial' | 'mac', 'note'> = { required: { serial: 'SN', mac: 'MAC' }, optional: { note: 'Notes' } };

async function read(content: string | Uint8Array, options: ReadOptions = {}) {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  const { summary, rows } = await openTable(path, shape, options);
  const all = [];
  for await (const row of rows) all.push(row);
  return { summary, all, notes: all.map(({ cells }) => cells.note) };
}

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
/** Text of Latin letters and bytes of an old code page. */
const bytes = (text: string) => Buffer.from(text, 'latin1');
const text = 'SN\tMAC\tNotes\r\nA1\t1\tMüllerstraße €\r\n';
/** More than is read at once, so that the proof is at its end. */
const filler = 'A0,0,plain\n'.repeat(20_000);

describe('DEV-05-partial the encoding of a file', () => {
  test.each([
    ['UTF-8', Buffer.from(text), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`), 'utf-8'],
    ['UTF-8 with two marks', Buffer.from(`\ufeff\ufeff${text}`), 'utf-8'],
    ['UTF-8 with marks within', Buffer.from(`\r\n\ufeff${text.replace('A1', '\ufeffA1')}`), 'utf-8'],
    ['UTF-16 LE with a mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
    ['UTF-16 LE', Buffer.from(text, 'utf16le'), 'utf-16le'],
    ['UTF-16 BE with a mark', utf16be(`\ufeff${text}`), 'utf-16be'],
    ['UTF-16 BE', utf16be(text), 'utf-16be'],
  ])('is proven: %s', async (_, content, encoding) => {
    const { summary, all, notes } = await read(content);
    expect([notes, all[0]!.cells.serial]).toEqual([['Müllerstraße €'], 'A1']);
    expect(summary).toMatchObject({ encoding, encodingAssumed: false });
  });

  test('is that of Excel for Windows where the bytes are no Unicode, and the answer says that this is assumed', async () => {
    const { summary, notes } = await read(bytes('SN;MAC;Notes\r\nA1;1;M\xfcllerstra\xdfe \x80\r\n'));
    expect(notes).toEqual(['Müllerstraße €']);
    expect(summary).toMatchObject({ encoding: 'windows-1252', encodingAssumed: true });
  });

  test('is that of Excel for Mac where lines end as there', async () => {
    const { summary, notes } = await read(bytes('SN;MAC;Notes\rA1;1;M\x9fllerstra\xa7e\rA2;2;\r'));
    expect(notes).toEqual(['Müllerstraße', '']);
    expect(summary).toMatchObject({ encoding: 'macintosh', encodingAssumed: true });
  });

  test('is decided by the whole file, not by its beginning', async () => {
    const { summary, notes } = await read(bytes(`SN,MAC,Notes\n${filler}A1,1,Z\xfcrich\n`));
    expect([notes.at(-1), summary.encoding]).toEqual(['Zürich', 'windows-1252']);
  });

  test.each([
    ['windows-1250', bytes('SN;MAC;Notes\r\nA1;1;\xa3\xf3d\x9f\r\n'), 'Łódź'],
    ['big5', Buffer.concat([bytes('SN,MAC,Notes\r\nA1,1,'), Buffer.from([0xa5, 0x78, 0xa5, 0x5f])]), '台北'],
    ['macintosh', bytes('SN,MAC,Notes\nA1,1,M\x9fller\n'), 'Müller'],
  ] as const)('can be chosen: %s', async (encoding, content, note) => {
    const { summary, notes } = await read(content, { encoding });
    expect(notes).toEqual([note]);
    expect(summary).toMatchObject({ encoding, encodingAssumed: false });
  });

  test('that does not fit is said of each row that has such a character in a column that is read, and of no other', async () => {
    const damaged = await read('SN,MAC,Notes,Depot\nA1,1,M\ufffdllerstra\ufffde,x\nA2,2,good,M\ufffdller\n');
    expect(damaged.all.map(({ row, fault }) => [row, fault])).toEqual([
      [2, 'Notes: has a character (�) that was lost when the file was saved.'],
      [3, undefined],
    ]);
    const other = await read(bytes('SN,MAC,Notes\nA1,1,\x81rhus\n'));
    expect(other.all[0]!.fault).toBe(
      'Notes: cannot be read as windows-1252. Choose the encoding of the file, or save it as UTF-8.',
    );
    const chosen = await read(bytes('SN,MAC,Notes\nA1,1,M\xfcller\n'), { encoding: 'utf-8' });
    expect(chosen.all[0]!.fault).toContain('Notes: ');
  });
});

describe('DEV-05-partial the separator of a file', () => {
  const rows = (separator: string) => `SN${separator}MAC${separator}Notes\nA1${separator}1${separator}x\n`;
  test.each([
    ['commas', rows(',')],
    ['semicolons', rows(';')],
    ['tabs', rows('\t')],
    ['vertical bars', rows('|')],
    ['sep=; in a first line', `sep=;\r\n${rows(';')}`],
    ['sep=, in a first line', `sep=,\r\n${rows(',')}`],
    ['sep= and a tab in a first line', `sep=\t\r\n${rows('\t')}`],
    ['SEP=| in a first line behind a mark', `\ufeffSEP=|\n${rows('|')}`],
    ['sep=: in a first line, which no file has otherwise', `sep=:\n${rows(':')}`],
    ['"sep=;" in quotes', `"sep=;"\r\n${rows(';')}`],
    ['sep=";"', `sep=";"\r\n${rows(';')}`],
    ['a first line that was saved as a row', `sep=;;;\r\n${rows(';')}`],
    ['a first line that names another separator', `sep=,\r\n${rows(';')}`],
    ['lines that end with CR', rows(',').replaceAll('\n', '\r')],
    ['quotes around everything', '"SN";"MAC";"Notes"\n"A1";"1";"x"\n'],
    ['more commas than tabs in a title', 'SN\tMAC\tNotes\t"a,b,c,d,e"\nA1\t1\tx\t\n'],
  ])('is found: %s', async (_, content) => {
    const { all } = await read(content);
    expect(all.map(({ row, cells }) => [row, cells])).toEqual([[2, { serial: 'A1', mac: '1', note: 'x' }]]);
  });

  test('is a character within quotes', async () => {
    expect((await read('SN;MAC;Notes\nA1;1;"a;b ""c"", d\r\ne"\n')).notes).toEqual(['a;b "c", d\r\ne']);
  });
});

describe('DEV-05-partial a file that is read', () => {
  test('may have a title above its header, and its other columns are named', async () => {
    const { summary, all } = await read('Depot list;;;;\n;;;;\nPos.;SN;MAC; Depot ;Price\n1;A1;1;North;9\n');
    expect(summary.ignored).toEqual(['Pos.', 'Depot', 'Price']);
    expect(all).toEqual([{ row: 4, cells: { serial: 'A1', mac: '1' } }]);
  });

  test.each([
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), '(.xls)'],
    ['a PDF', Buffer.from('%PDF-1.7\n'), 'PDF'],
    ['a web page that a program calls workbook', Buffer.from('\ufeff<html><table><tr><td>SN'), 'web page'],
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), 'not a text'],
  ])('is none of another kind, which is named: %s', async (_, content, named) => {
    const error = await read(content).catch((caught: unknown) => caught as DomainError);
    expect(error).toMatchObject({ key: 'csv.not_csv', message: 'file type error' });
    expect((error as DomainError).more.reason).toContain(named);
  });

  test('that cannot be read says why, in the reason too', async () => {
    const reasonOf = (content: string) => read(content).catch((error: DomainError) => [error.key, error.more.reason]);
    expect(await reasonOf('SN,MAC\n')).toEqual(['csv.empty', 'The file has no rows.']);
    expect(await reasonOf('Name,MAC\nx,1\n')).toEqual(['csv.header', 'Missing: SN.']);
    expect(await reasonOf(`SN,MAC\n${'x'.repeat(1_048_576)},1\n`)).toEqual([
      'request.too_large',
      'A row of the file has more than 65,536 characters.',
    ]);
  });
});
