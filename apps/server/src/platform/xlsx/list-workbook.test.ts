import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import { safeCell } from '@highline/contract/csv-cell';
import { readWorkbook } from '../tables/workbook.ts';
import { workbookOf } from './list-workbook.ts';

const folder = mkdtempSync(join(tmpdir(), 'highline-list-workbook-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function made(...pieces: readonly (string | Buffer)[]) {
  const source = async function* () {
    yield* pieces;
  };
  const bytes: Buffer[] = [];
  for await (const piece of workbookOf(source(), { name: 'Devices_export', kinds: [undefined, 'number', 'time'] }))
    bytes.push(piece as Buffer);
  return Buffer.concat(bytes);
}

async function read(workbook: Buffer) {
  const path = join(folder, 'file.xlsx');
  writeFileSync(path, workbook);
  const found: { readonly name: string; readonly rows: (readonly string[])[] }[] = [];
  for await (const { name, rows } of readWorkbook(path)) {
    const all = [];
    for await (const { cells } of rows()) all.push(cells);
    found.push({ name, rows: all });
  }
  return found;
}

describe('SHR-08-partial the workbook of a list', () => {
  test('has text, numbers, days and times of their types, and no apostrophe of a CSV; a piece may end anywhere', async () => {
    const csv = Buffer.from(
      `\ufeffName,Bytes,Since\r\n"Müller, ""A"" <&>",1234567890123,12/31/2026\r\n${safeCell('=1+1')},-4.5,2026-12-31\r\n'0012,n/a,12/31/2026 23:59:58\r\n12/31/2026,1,2026/12/31\r\n'tis,0,02/31/2026\r\n`,
    );
    const at = csv.indexOf('ü') + 1;
    const workbook = await made(csv.subarray(0, at), csv.subarray(at));
    expect(await read(workbook)).toEqual([
      {
        name: 'Devices_export',
        rows: [
          ['Name', 'Bytes', 'Since'],
          ['Müller, "A" <&>', '1234567890123', '2026-12-31'],
          ['=1+1', '-4.5', '2026-12-31'],
          ['0012', 'n/a', '2026-12-31 23:59:58'],
          ['12/31/2026', '1', '2026-12-31'],
          ["'tis", '0', '02/31/2026'],
        ],
      },
    ]);
    const sheet = strFromU8(unzipSync(workbook)['xl/worksheets/sheet1.xml']!);
    expect(sheet).toContain('<c s="2"><v>1234567890123</v></c>');
    expect(sheet).toContain('<c s="4"><v>46387</v></c>');
    // As wide as what they contain, a time of 19 characters.
    expect(sheet).toContain('<col min="3" max="3" width="21" customWidth="1"/>');
    expect(sheet).not.toContain('<f>');
  });

  test('is made while its list is read, and ends with its reader', async () => {
    let pieces = 0;
    let isClosed = false;
    const source = async function* () {
      try {
        for (;;) {
          pieces += 1;
          yield `${Array.from({ length: 3 }, () => Math.random()).join(',')}\r\n`.repeat(1_000);
        }
      } finally {
        isClosed = true;
      }
    };
    for await (const _ of workbookOf(source(), { name: 'Endless', kinds: [] })) if (pieces > 20) break;
    await expect.poll(() => isClosed).toBe(true);
    expect(pieces).toBeLessThan(100);
  });
});
