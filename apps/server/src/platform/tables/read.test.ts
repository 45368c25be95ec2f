import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../kernel/failure.ts';
import type { TableShape } from './columns.ts';
import { MAX_ROWS } from './limits.ts';
import { openTable } from './read.ts';

const folder = mkdtempSync(join(tmpdir(), 'highline-csv-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shape: TableShape<'serial' | 'mac', 'model'> = {
  required: { serial: 'SN', mac: 'MAC' },
  optional: { model: 'Model' },
};

async function read(content: string | Uint8Array) {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  const rows = [];
  const table = await openTable(path, shape);
  for await (const row of table.rows) rows.push({ row: row.row, cells: row.cells });
  return rows;
}

const failureOf = (content: string | Uint8Array) =>
  read(content).then(
    () => expect.fail('this file was read'),
    (error: unknown) => error as DomainError,
  );

const two = [
  { row: 2, cells: { serial: 'A1', mac: '00B2D0000001' } },
  { row: 3, cells: { serial: 'A2', mac: '00B2D0000002' } },
];

/** A file far too large for memory; the parser's own count shows how much was read. */
describe('a file built to exhaust resources', () => {
  test.each([
    ['one row of delimiters', ','.repeat(31_000_000), 'A row of the file has more than 200 columns.'],
    ['delimiters after good rows', `SN,MAC\nA1,1\n${';,'.repeat(4_000_000)}`, 'A row of the file has more than 200 columns.'],
    ['line breaks alone', '\n'.repeat(31_000_000), 'The file has more than 100,000 rows.'],
    ['empty rows after the header', `SN,MAC\n${',\n'.repeat(2_000_000)}`, 'The file has more than 100,000 rows.'],
  ])('DEV-05-partial is rejected before it is read completely: %s', async (_, content, message) => {
    const before = process.memoryUsage().arrayBuffers;
    expect(await failureOf(content)).toMatchObject({ key: 'request.too_large', message });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });
});

test('DEV-05-partial while a long file is read, others have their turn every few rows', async () => {
  const path = join(folder, 'long');
  const count = 40_000;
  writeFileSync(path, `SN,MAC\n${'NONE,none\n'.repeat(count)}`);
  let ticks = 0;
  let isReading = true;
  const tick = () => {
    ticks += 1;
    if (isReading) setImmediate(tick);
  };
  setImmediate(tick);
  const { rows } = await openTable(path, shape);
  let read = 0;
  for await (const _ of rows) read += 1;
  isReading = false;
  expect(read).toBe(count);
  // The parser had made thousands of rows of each piece of the file at once.
  expect(ticks).toBeGreaterThan(count / 400);
});

describe('a CSV written by a user', () => {
  test.each([
    ['plain', 'SN,MAC\nA1,00B2D0000001\nA2,00B2D0000002\n'],
    ['no line break at the end', 'SN,MAC\nA1,00B2D0000001\nA2,00B2D0000002'],
    ['CRLF', 'SN,MAC\r\nA1,00B2D0000001\r\nA2,00B2D0000002\r\n'],
    ['byte order mark', '\ufeffSN,MAC\nA1,00B2D0000001\nA2,00B2D0000002\n'],
    ['byte order mark and quoted header', '\ufeff"SN","MAC"\nA1,00B2D0000001\nA2,00B2D0000002\n'],
    ['semicolons', 'SN;MAC\nA1;00B2D0000001\nA2;00B2D0000002\n'],
    ['semicolons and a comma in a quoted header', '"SN";"MAC";"a,b,c,d"\nA1;00B2D0000001;x\nA2;00B2D0000002;y\n'],
    ['quotes', '"SN","MAC"\n"A1","00B2D0000001"\n"A2","00B2D0000002"\n'],
    ['another order of columns', 'MAC,SN\n00B2D0000001,A1\n00B2D0000002,A2\n'],
    ['extra columns', '#,SN,Depot,MAC\n1,A1,North,00B2D0000001\n2,A2,South,00B2D0000002\n'],
    ['headers in any case, with blanks', ' s n , Mac \nA1,00B2D0000001\nA2,00B2D0000002\n'],
    ['blanks around cells', 'SN,MAC\n A1 , 00B2D0000001 \nA2,00B2D0000002\n'],
    ['leading apostrophes', "SN,MAC\n'A1,'00B2D0000001\nA2,00B2D0000002\n"],
    [
      'an old code page in a column that is not read',
      Buffer.from('SN,MAC,x\nA1,00B2D0000001,\xdc\nA2,00B2D0000002,\n', 'latin1'),
    ],
  ])('DEV-05-partial is read with %s', async (_, content) => expect(await read(content)).toEqual(two));

  test('DEV-05-partial rows are counted like in a spreadsheet, empty lines and lines within a cell included', async () => {
    const rows = await read('\n\nSN,MAC\n\nA1,1\n,,\n"A2\nstill",2\nA3,3\n');
    expect(rows.map(({ row, cells }) => [row, cells.serial])).toEqual([
      [5, 'A1'],
      [7, 'A2\nstill'],
      [8, 'A3'],
    ]);
  });

  test('DEV-05-partial a missing cell at the end of a row is empty, and an extra one is ignored', async () => {
    expect(await read('SN,MAC,Model\nA1\nA2,2,M,surplus\n')).toEqual([
      { row: 2, cells: { serial: 'A1', mac: '', model: '' } },
      { row: 3, cells: { serial: 'A2', mac: '2', model: 'M' } },
    ]);
  });

  test('DEV-05-partial only one apostrophe is dropped', async () => {
    expect((await read("SN,MAC\n''A1,1\n"))[0]!.cells.serial).toBe("'A1");
  });

  test('DEV-05-partial a quotation mark within a cell is an ordinary character', async () => {
    expect((await read('SN,MAC\n5" rack,1\n'))[0]!.cells.serial).toBe('5" rack');
  });
});

describe('an invalid CSV', () => {
  test('DEV-05-partial a wrong header names the missing and the expected columns', async () => {
    const { key, message, more } = await failureOf('Name,MAC\nA1,1\n');
    expect(key).toBe('csv.header');
    expect(message).toBe('The first line must name the columns SN, MAC. Missing: SN.');
    expect(more.detail).toEqual({ expected: ['SN', 'MAC'], missing: ['SN'] });
  });

  test('DEV-05-partial a header with one column twice is rejected, since either could be meant', async () => {
    expect((await failureOf('SN,MAC,sn\nA1,1,A2\n')).message).toContain('appears twice');
  });

  test.each([
    ['no content', ''],
    ['only empty lines', '\n\r\n\n'],
    ['only a header', 'SN,MAC\n'],
    ['a header and empty cells', 'SN,MAC\n,\n,,,\n'],
  ])('DEV-05-partial a file with %s has no rows', async (_, content) => {
    expect((await failureOf(content)).key).toBe('csv.empty');
  });

  test.each([
    ['a zipped workbook', Buffer.concat([Buffer.from('PK\u0003\u0004'), gzipSync('SN,MAC')])],
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])],
    ['a NUL far into the file', `SN,MAC\n${'A1,1\n'.repeat(50_000)}A2,\0\n`],
    ['a quote that never ends', `SN,MAC\n"A1,1\n${'A2,2\n'.repeat(20)}`],
  ])('DEV-05-partial %s is rejected as another type of file', async (_, content) => {
    const { key, message } = await failureOf(content);
    expect([key, message]).toEqual(['csv.not_csv', 'file type error']);
  });

  test('DEV-05-partial more rows than allowed are rejected with the number', async () => {
    const { key, message } = await failureOf(`SN,MAC\n${'A1,1\n'.repeat(MAX_ROWS + 1)}`);
    expect([key, message]).toEqual(['request.too_large', 'The file has more than 100,000 rows.']);
  });

  test('DEV-05-partial any bytes are either read or rejected with a clear message, and never cause a server fault', async () => {
    let readable = 0;
    const start = fc.constantFrom('', 'SN,MAC\n', '\ufeffSN;MAC\r\n', '"SN","MAC"\n');
    await fc.assert(
      fc.asyncProperty(start, fc.uint8Array({ maxLength: 300 }), async (head, tail) => {
        const content = Buffer.concat([Buffer.from(head), tail]);
        const outcome = await read(content).catch((error: unknown) => error);
        if (Array.isArray(outcome)) readable += 1;
        else expect(outcome).toBeInstanceOf(DomainError);
      }),
      { examples: [['SN,MAC\n', new TextEncoder().encode('A1,1\n')]] },
    );
    expect(readable).toBeGreaterThan(0);
  });
});
