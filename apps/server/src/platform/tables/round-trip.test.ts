import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { identifierCell, safeCell, tagsCell, tagsOf, writeCsv, type CsvColumn } from '../csv/index.ts';
import { workbookOf } from '../xlsx/list-workbook.ts';
import { mendableReport } from './report.ts';
import { openTable, readWritten } from './read.ts';

const folder = mkdtempSync(join(tmpdir(), 'highline-round-trip-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Row {
  readonly serial: string;
  readonly note: string;
  readonly tag: string;
}
const columns: readonly CsvColumn<Row>[] = [
  ['SN', '序號', ({ serial }) => identifierCell(serial)],
  ['Notes', '備註', ({ note }) => safeCell(note)],
  ['Tags', '標籤', ({ tag }) => tagsCell([tag])],
];
const shape = { required: { serial: 'SN', note: 'Notes', tag: 'Tags' } } as const;

async function* streamOf(rows: readonly Row[]) {
  yield* rows;
}

async function pathOf(file: Readable): Promise<string> {
  const path = join(folder, 'file');
  writeFileSync(path, await buffer(file));
  return path;
}

async function imported(path: string): Promise<Row[]> {
  const found: Row[] = [];
  for await (const { cells } of (await openTable(path, shape)).rows) found.push({ ...cells, tag: tagsOf(cells.tag).join() });
  return found;
}

const csvPath = (rows: readonly Row[]) => pathOf(writeCsv(columns, streamOf(rows)));
const workbookPath = (rows: readonly Row[]) => pathOf(workbookOf(writeCsv(columns, streamOf(rows)), { name: 'List', kinds: [] }));
const same = (text: string): Row => ({ serial: text, note: text, tag: text.replaceAll(',', '') });

const texts = [
  'Check:\n- antenna',
  "Check:\n'- antenna",
  "'s-Hertogenbosch 3",
  "''t Zand",
  "'=1",
  "''=1",
  "'-95",
  "'0012",
  '0012',
  '11/05/2026',
  '2026/11/05 12:00:00',
  '2026-11-05',
  'roof; = left',
  "roof;'left'",
  "a;''b",
  '=1;-x',
  '＝1',
  "'",
  "''",
];
const parts = fc.constantFrom("'", '=', '-', ';', '\n', '0012', '3-4', ' ', 'a', '"', '🚌');
const anyText = fc.oneof(fc.string({ unit: parts, minLength: 1 }), fc.string({ unit: 'grapheme', minLength: 1 }));
// Stored texts have no blanks around them; what a damaged or another encoding is recognized by is not among them.
// oxlint-disable-next-line no-control-regex -- characters that no text of ours has
const stored = anyText.map((text) => text.replaceAll(/[\0-\t\v-\x1f\x7f-\x9f\ufffd]/gu, '').trim()).filter((text) => text !== '');
const manyRows = fc.array(stored, { minLength: 200, maxLength: 200 });

test('BLK-05-partial what a CSV of ours says is what an import of it reads: apostrophes, dashes of a second line', async () => {
  const rows = texts.map(same);
  expect(await imported(await csvPath(rows))).toEqual(rows);
  await fc.assert(
    fc.asyncProperty(manyRows, async (all) => {
      const any = all.map((text) => ({ serial: text, note: text, tag: 'x' }));
      expect(await imported(await csvPath(any))).toEqual(any);
    }),
    { numRuns: 30 },
  );
});

test('BLK-05-partial a workbook of ours shows the texts, and an import of it reads them', async () => {
  const rows = texts.map(same);
  expect(await imported(await workbookPath(rows))).toEqual(rows);
  await fc.assert(
    fc.asyncProperty(manyRows, async (all) => {
      const any = all.map((text) => ({ serial: text, note: text, tag: 'x' }));
      expect(await imported(await workbookPath(any))).toEqual(any);
    }),
    { numRuns: 5 },
  );
});

test('BLK-05-partial the report of rejected rows has the same texts as the file, be it a CSV or a workbook', async () => {
  const rows = texts.map(same);
  for (const path of [await csvPath(rows), await workbookPath(rows)]) {
    const rejected = [];
    for await (const { written } of readWritten(
      path,
      shape,
      {},
      rows.map((_, index) => index + 2),
    ))
      rejected.push({ written, error: 'Wrong' });
    const { report } = await mendableReport(rejected);
    const again = join(folder, 'report');
    writeFileSync(again, report);
    expect(await imported(again)).toEqual(rows);
  }
});
