import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { afterAll, describe, expect, test } from 'vitest';
import type { TableShape } from './columns.ts';
import type { WrittenRow } from './read.ts';
import { mendableReport, mendableReportOf, MOST_OTHER_COLUMNS, REPORT_LIMITS } from './report.ts';

const folder = mkdtempSync(join(tmpdir(), 'highline-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const header = ['SN', 'Note'];
const known = new Set([0]);
const row = (...cells: string[]): WrittenRow => ({ header, known, cells });
const rowsOf = (report: string): string[][] => parse(report, { bom: true });

describe('BLK-05-partial the report of an import', () => {
  test('has the rows as they were written with their reasons, and no formula', async () => {
    const rejected = [
      { written: row(' A1 ', '=1+1'), error: 'taken' },
      { written: row('A"2', 'a,b\nc'), error: '@x' },
    ];
    const { report, reported } = await mendableReport(rejected);
    expect(reported).toBe(2);
    expect(report.startsWith('\ufeffSN,Note,Error\r\n')).toBe(true);
    expect(rowsOf(report).slice(1)).toEqual([
      ['A1', "'=1+1", 'taken'],
      ['A"2', 'a,b\nc', "'@x"],
    ]);
    expect(await mendableReport([])).toEqual({ report: '', reported: 0 });
  });

  test('ends after so many rows, and others have their turn meanwhile', async () => {
    let read = 0;
    function* rejected() {
      for (; ; read += 1) yield { written: row(`A${read}`, ''), error: 'taken' };
    }
    const over = new AbortController();
    let passes = 0;
    const others = (async () => {
      for (; !over.signal.aborted; passes += 1) await nextTurn();
    })();
    const { report, reported } = await mendableReport(rejected());
    over.abort();
    await others;
    expect(reported).toBe(REPORT_LIMITS.rows);
    expect(rowsOf(report)).toHaveLength(1 + REPORT_LIMITS.rows);
    expect(read).toBeLessThan(reported + 1);
    expect(passes).toBeGreaterThan(10);
  });

  test('ends after so many bytes, with at least one row', async () => {
    const rejected = (note: string) => Array.from({ length: 100 }, () => ({ written: row('A', note), error: 'taken' }));
    const { report, reported } = await mendableReport(rejected('巴'.repeat(20_000)));
    expect(reported).toBe(Math.ceil(REPORT_LIMITS.bytes / 60_000));
    expect(rowsOf(report)).toHaveLength(1 + reported);
    expect((await mendableReport(rejected('x'.repeat(REPORT_LIMITS.bytes)))).reported).toBe(1);
  });

  test('of a wide file has the columns that the import reads, and the first others', async () => {
    const others = Array.from({ length: 190 }, (_, n) => `Other ${n}`);
    const wide = [...others, 'Error', 'SN'];
    const { report } = await mendableReport([
      { written: { header: wide, known: new Set([wide.length - 1]), cells: wide.map((title) => `of ${title}`) }, error: 'taken' },
    ]);
    const kept = [...others.slice(0, MOST_OTHER_COLUMNS), 'SN'];
    expect(rowsOf(report)).toEqual([
      [...kept, 'Error'],
      [...kept.map((title) => `of ${title}`), 'taken'],
    ]);
  });

  test('reads the rejected rows of a file once more, by their numbers', async () => {
    const path = join(folder, 'rows.csv');
    const shape: TableShape<'serial', 'note'> = { required: { serial: 'SN' }, optional: { note: 'Note' } };
    writeFileSync(path, '\nSN;Note;Mine\nA3;"two\nlines";x\n\n;;\nA6;;y\nA7;;\nA8;;z\n');
    const rejected = [
      { row: 3, error: 'first' },
      { row: 7, error: 'second' },
    ];
    const { report, reported } = await mendableReportOf({ path, shape, options: {} }, rejected);
    expect(reported).toBe(2);
    expect(rowsOf(report)).toEqual([
      ['SN', 'Note', 'Mine', 'Error'],
      ['A3', 'two\nlines', 'x', 'first'],
      ['A7', '', '', 'second'],
    ]);
    // No row was rejected: the file is not read.
    expect(await mendableReportOf({ path: '/nowhere', shape, options: {} }, [])).toEqual({ report: '', reported: 0 });
  });
});
