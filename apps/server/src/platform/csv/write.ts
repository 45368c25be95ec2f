import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';

/** One column: its title, and the cell of a row, made safe by cell.ts. */
export interface CsvColumn<Row> {
  readonly title: string;
  /** @param index number of the row, from 0 */
  cell(row: Row, index: number): string;
}

/** Identifies the file as UTF-8 for spreadsheets that guess otherwise. */
const BYTE_ORDER_MARK = '\ufeff';
const BATCH = 200;
const options = { record_delimiter: 'windows', escape_formulas: false } as const;

/** A CSV file (BOM, commas, CRLF) from a stream of rows, generated in batches as it is read. */
export function writeCsv<Row>(columns: readonly CsvColumn<Row>[], rows: AsyncIterable<Row>): Readable {
  return Readable.from(chunks(columns, rows), { objectMode: false, highWaterMark: 65_536 });
}

async function* chunks<Row>(columns: readonly CsvColumn<Row>[], rows: AsyncIterable<Row>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + stringify([columns.map(({ title }) => title)], options);
  let batch: string[][] = [];
  let index = 0;
  for await (const row of rows) {
    // oxlint-disable-next-line no-loop-func -- the cells are made at once
    batch.push(columns.map((column) => column.cell(row, index)));
    index += 1;
    if (batch.length < BATCH) continue;
    yield stringify(batch, options);
    batch = [];
  }
  if (batch.length > 0) yield stringify(batch, options);
}

/** The reply methods needed to announce a file. */
interface Headers {
  header(name: string, value: string): unknown;
}

/** Answer rows as a CSV file to save under this name. @param name plain ASCII, without extension */
export function answerCsv<Row>(
  answer: Headers,
  name: string,
  columns: readonly CsvColumn<Row>[],
  rows: AsyncIterable<Row>,
): Readable {
  answer.header('content-type', 'text/csv; charset=utf-8');
  answer.header('content-disposition', `attachment; filename="${name}.csv"`);
  answer.header('cache-control', 'no-store');
  return writeCsv(columns, rows);
}
