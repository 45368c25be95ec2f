import type { Column } from '../ui/table/column.ts';
import { csvFile } from './download.ts';

/** Rows as CSV: a line of headers, then the text of each column that has one. */
export function rowsFile<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Blob {
  const written = columns.filter(({ text }) => text !== undefined);
  return csvFile([written.map(({ header }) => header), ...rows.map((row) => written.map(({ text }) => text?.(row) ?? ''))]);
}
