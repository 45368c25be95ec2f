import { stringify } from 'csv-stringify/sync';
import { repeatedCell } from './cell.ts';
import type { WrittenRow } from './read.ts';
import { plainTitle } from './titles.ts';

/** A row that was rejected, as it was written. */
export interface RejectedRow {
  readonly written: WrittenRow;
  readonly error: string;
}

/**
 * The rejected rows of a file with all their columns and the reason in a last one, which no import reads: mended, it can be imported
 * again (BLK-05). No cell is a formula. Empty if no row was rejected.
 * @param title of the last column
 */
export function mendableReport(rejected: readonly RejectedRow[], title = 'Error'): string {
  const header = rejected[0]?.written.header;
  if (header === undefined) return '';
  // A report that was mended has the reasons of its last import.
  const kept = header.flatMap((other, at) => (plainTitle(other) === plainTitle(title) ? [] : [at]));
  const lines = rejected.map(({ written, error }) => [
    ...kept.map((at) => repeatedCell((written.cells[at] ?? '').trim())),
    repeatedCell(error),
  ]);
  const titles = [...kept.map((at) => repeatedCell(header[at]!)), title];
  return `\ufeff${stringify([titles, ...lines], { record_delimiter: 'windows' })}`;
}
