import { setImmediate as nextTurn } from 'node:timers/promises';
import { repeatedCell } from '@highline/contract/csv-cell';
import { field } from '../csv/field.ts';
import type { TableShape } from './columns.ts';
import { type ReadOptions, readWritten, type WrittenRow } from './read.ts';
import { plainTitle } from './titles.ts';

/** A row that was rejected, as it was written. */
export interface RejectedRow {
  readonly written: WrittenRow;
  readonly error: string;
}

/** A report of rejected rows: a part of the response. */
export interface MendableReport {
  /** The CSV; empty if no row was rejected. */
  readonly report: string;
  /** Number of rows in it: the first ones, if all of them would be too long for a response. */
  readonly reported: number;
}

/** A report ends with the row that reaches one of these, so it has at least one row. */
export const REPORT_LIMITS = { rows: 10_000, bytes: 2 * 1_048_576 } as const;
/** Columns that the import does not read, which help to recognize a row. */
export const MOST_OTHER_COLUMNS = 20;
/** Rows that are written at once; others have their turn in between. */
const BATCH = 200;
const END = '\r\n';

/**
 * The first rejected rows with their columns and the reason in a last one, which no import reads: mended, it can be imported
 * again (BLK-05). No cell is a formula.
 * @param rejected rows of one file, in its order
 * @param title of the last column
 */
export async function mendableReport(
  rejected: Iterable<RejectedRow> | AsyncIterable<RejectedRow>,
  title = 'Error',
): Promise<MendableReport> {
  const lines: string[] = [];
  let kept: readonly number[] = [];
  let reported = 0;
  let bytes = 0;
  const add = (cells: readonly string[]) => {
    const line = cells.map(field).join(',') + END;
    bytes += Buffer.byteLength(line);
    lines.push(line);
  };
  for await (const { written, error } of rejected) {
    if (reported === 0) {
      kept = columnsOf(written, title);
      add([...kept.map((at) => repeatedCell(written.header[at]!)), title]);
    }
    add([...kept.map((at) => repeatedCell((written.cells[at] ?? '').trim())), repeatedCell(error)]);
    reported += 1;
    if (reported >= REPORT_LIMITS.rows || bytes >= REPORT_LIMITS.bytes) break;
    if (reported % BATCH === 0) await nextTurn();
  }
  return { report: reported === 0 ? '' : `\ufeff${lines.join('')}`, reported };
}

/**
 * The report of a file, whose rejected rows are read once more: which rows are rejected is known only at the end, and to keep them all
 * until then would take many times the size of the file.
 * @param rejected by row, in the order of the file
 */
export async function mendableReportOf(
  file: { readonly path: string; readonly shape: TableShape<string, string>; readonly options: ReadOptions },
  rejected: readonly { readonly row: number; readonly error: string }[],
): Promise<MendableReport> {
  return mendableReport(rejectedRows(file, rejected.slice(0, REPORT_LIMITS.rows)));
}

async function* rejectedRows(
  { path, shape, options }: Parameters<typeof mendableReportOf>[0],
  rejected: readonly { readonly row: number; readonly error: string }[],
): AsyncGenerator<RejectedRow> {
  const errors = new Map(rejected.map(({ row, error }) => [row, error]));
  for await (const { row, written } of readWritten(path, shape, options, [...errors.keys()]))
    yield { written, error: errors.get(row)! };
}

/** Those that the import reads and the first others, in their order; a report that was mended has the reasons of its last import. */
function columnsOf({ header, known }: WrittenRow, title: string): number[] {
  let others = 0;
  return [...header.keys()].filter((at) => {
    if (known.has(at)) return true;
    if (plainTitle(header[at]!) === plainTitle(title)) return false;
    others += 1;
    return others <= MOST_OTHER_COLUMNS;
  });
}
