import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeCell } from '@highline/contract/csv-cell';
import { sendCsv, numberColumn, writeCsv, type CsvColumn } from './write.ts';

/** The file as text, with its byte order mark. */
const text = async (file: Readable) => (await buffer(file)).toString('utf8');

async function* rowsOf(values: readonly string[]) {
  for (const value of values) yield { value };
}
const columns = [numberColumn, ['Value, "quoted"', '值', (row: { value: string }) => safeCell(row.value)]] as const;

test('SHR-08-partial a CSV begins with a byte order mark, ends its lines with CRLF, and every value is read back unchanged', async () => {
  const values = ['plain', 'with, comma', 'with "quotes"', 'two\nlines', 'semi;colon', '王小明 🚌', 'x'.repeat(10_000)];
  const file = await text(writeCsv(columns, rowsOf(values)));
  expect(file.startsWith('\ufeff#,"Value, ""quoted"""\r\n1,plain\r\n')).toBe(true);
  const records = parse(file, { bom: true, columns: false });
  expect(records).toHaveLength(values.length + 1);
  expect(records.slice(1).map(([, value]) => value)).toEqual(values);
});

test('SHR-08-partial any text is read back unchanged, next to any other', async () => {
  const values = fc.array(
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(',', '"', '\r', '\n', ' ', 'a', ';') })),
  );
  const raw: readonly CsvColumn<{ value: string }>[] = [
    ['a', 'a', (row) => row.value],
    ['b', 'b', () => 'end'],
  ];
  await fc.assert(
    fc.asyncProperty(values, async (texts) => {
      const records = parse(await text(writeCsv(raw, rowsOf(texts))), { bom: true, record_delimiter: '\r\n' });
      expect(records.slice(1)).toEqual(texts.map((value) => [value, 'end']));
    }),
    { numRuns: 50 },
  );
});

test('SHR-08-partial a long list is written in batches, with every row once and in order', async () => {
  const values = Array.from({ length: 1_003 }, (_, index) => `row ${index}`);
  const records = parse(await text(writeCsv(columns, rowsOf(values))), { bom: true });
  expect(records.slice(1).map(([number]) => number)).toEqual(values.map((_, index) => String(index + 1)));
});

test('SHR-08-partial a list without rows still names its columns', async () => {
  expect(await text(writeCsv(columns, rowsOf([])))).toBe('\ufeff#,"Value, ""quoted"""\r\n');
});

test('SHR-08-partial a file that cannot be read completely does not look complete', async () => {
  async function* broken() {
    yield { value: 'first' };
    throw new Error('lost');
  }
  await expect(text(writeCsv(columns, broken()))).rejects.toThrow('lost');
});

test('SHR-08-partial the answer has the content type and the file name', async () => {
  const headers: Record<string, string> = {};
  const reply = { header: (name: string, value: string) => (headers[name] = value) };
  const file = sendCsv({ reply, query: {} }, 'Devices_export', columns, rowsOf(['a']));
  expect(await text(file)).toContain('\r\n1,a');
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="Devices_export.csv"',
  });
});

test('SHR-08-partial titles and cells are in the language of the call, English by default', async () => {
  const yesNo: CsvColumn<{ value: string }> = ['Is a', '是 a', (row) => (row.value === 'a' ? ['Yes', '是'] : ['No', '否'])];
  const languages: CsvColumn<{ value: string }> = ['L', 'L', (_, __, language) => language];
  const write = (language?: 'zh-TW') => text(writeCsv([yesNo, languages], rowsOf(['a', 'b']), language));
  expect([await write(), await write('zh-TW')]).toEqual([
    '\ufeffIs a,L\r\nYes,en-US\r\nNo,en-US\r\n',
    '\ufeff是 a,L\r\n是,zh-TW\r\n否,zh-TW\r\n',
  ]);
});
