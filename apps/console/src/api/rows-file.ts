import type { Column } from '../ui/table/column.ts';
import { csvCell, csvFile } from './download.ts';

/** Rows as CSV: a line of headers, then the text of each column that has one. Cells are safe for spreadsheets. */
export function rowsFile<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Blob {
  const written = columns.filter(({ text }) => text !== undefined);
  return csvFile([
    written.map(({ header }) => csvCell(header)),
    ...rows.map((row) => written.map(({ text }) => csvCell(text?.(row) ?? ''))),
  ]);
}
