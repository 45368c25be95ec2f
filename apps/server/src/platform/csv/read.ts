import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import { parse, type CsvError } from 'csv-parse';
import { DomainError } from '../../kernel/failure.ts';
import { acceptedTitles, plainTitle } from './titles.ts';

/** One row with any content, by column name. */
export interface CsvRow<Required extends string, Optional extends string = never> {
  /** Row number as in a spreadsheet: the first line of the file is row 1. */
  readonly row: number;
  readonly cells: Readonly<Record<Required, string> & Partial<Record<Optional, string>>>;
  /** Every cell as it was written, and the titles of all columns: what a report of faulty rows repeats. Not to be kept, it may be wide. */
  readonly written: WrittenRow;
}

/** A row as the file has it. */
export interface WrittenRow {
  /** The same array for each row of a file. */
  readonly header: readonly string[];
  /** Where the columns are that the import reads; the same for each row of a file. */
  readonly known: ReadonlySet<number>;
  readonly cells: readonly string[];
}

/** Required and optional columns of a file, by their titles. */
export interface CsvShape<Required extends string, Optional extends string = never> {
  readonly required: Readonly<Record<Required, string>>;
  readonly optional?: Readonly<Record<Optional, string>>;
}

/** A file with more rows than this, empty ones included, is rejected before it is processed. */
export const MAX_CSV_ROWS = 100_000;
/** Cells per row. `max_record_size` counts only characters of cells, so a row of delimiters would be unlimited. */
export const MAX_CSV_COLUMNS = 200;
const MAX_RECORD = 65_536;

/**
 * Read a CSV as a stream, in the forms spreadsheets write: a byte order mark, CRLF, `;` for `,`, quotes, empty lines, columns in
 * any order and extra ones; titles are compared ignoring case and blanks, and those of our own exports are accepted too (BLK-05). One leading apostrophe of a cell is dropped.
 * @throws DomainError `csv.not_csv` (another kind of file, UTF-16, an unclosed quote), `csv.header` (detail: expected, missing),
 * `csv.empty`, `request.too_large`
 */
export async function* readCsv<Required extends string, Optional extends string = never>(
  path: string,
  shape: CsvShape<Required, Optional>,
): AsyncGenerator<CsvRow<Required, Optional>> {
  const chunks = plainText(path);
  const first = await chunks.next();
  const head = first.done === true ? '' : first.value;
  const parser = parse({
    delimiter: delimiterOf(head),
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_RECORD,
    // Called at the end of each cell, before the row is complete.
    cast: (cell, { index }) => {
      if (index >= MAX_CSV_COLUMNS) throw tooManyColumns();
      return cell;
    },
  });
  const feeding = feed(parser, head, chunks);
  try {
    yield* namedRows(parser, shape);
  } catch (error) {
    throw readable(error);
  } finally {
    parser.destroy();
    await feeding;
  }
}

async function* namedRows<Required extends string, Optional extends string>(
  records: AsyncIterable<unknown>,
  shape: CsvShape<Required, Optional>,
): AsyncGenerator<CsvRow<Required, Optional>> {
  let columns: Map<string, number> | undefined;
  let header: readonly string[] = [];
  let known: ReadonlySet<number> = new Set();
  let row = 0;
  let filled = 0;
  for await (const record of records as AsyncIterable<string[]>) {
    row += 1;
    // One more for the header.
    if (row > MAX_CSV_ROWS + 1) throw tooManyRows();
    if (record.every((cell) => cell.trim() === '')) continue;
    if (columns === undefined) {
      columns = findColumns(record, shape);
      header = record;
      known = new Set(columns.values());
      continue;
    }
    filled += 1;
    const cells = cellsOf(record, columns) as CsvRow<Required, Optional>['cells'];
    yield { row, cells, written: { header, known, cells: record } };
  }
  if (columns === undefined || filled === 0) throw new DomainError('csv.empty');
}

function cellsOf(record: readonly string[], columns: ReadonlyMap<string, number>): Record<string, string> {
  return Object.fromEntries(
    [...columns].map(([column, columnAt]) => [column, (record[columnAt] ?? '').trim().replace(/^'/u, '')]),
  );
}

function findColumns(record: readonly string[], shape: CsvShape<string, string>): Map<string, number> {
  const titles = record.map(plainTitle);
  const columns = new Map<string, number>();
  for (const [column, title] of Object.entries({ ...shape.optional, ...shape.required })) {
    const accepted = acceptedTitles(title).find((candidate) => titles.includes(candidate));
    if (accepted === undefined) continue;
    const columnAt = titles.indexOf(accepted);
    columns.set(column, columnAt);
    if (titles.includes(accepted, columnAt + 1)) throw headerFailure(shape, `The column ${title} appears twice.`, []);
  }
  const missing = Object.entries(shape.required).filter(([column]) => !columns.has(column));
  if (missing.length === 0) return columns;
  const names = missing.map(([, title]) => title);
  throw headerFailure(shape, `Missing: ${names.join(', ')}.`, names);
}

function tooManyRows(): DomainError {
  return new DomainError('request.too_large', {
    message: `The file has more than ${MAX_CSV_ROWS.toLocaleString('en-US')} rows.`,
  });
}

function tooManyColumns(): DomainError {
  return new DomainError('request.too_large', { message: `A row of the file has more than ${MAX_CSV_COLUMNS} columns.` });
}

function headerFailure(shape: CsvShape<string, string>, reason: string, missing: readonly string[]): DomainError {
  const expected = Object.values(shape.required);
  return new DomainError('csv.header', {
    message: `The first line must name the columns ${expected.join(', ')}. ${reason}`,
    field: 'file',
    reason,
    detail: { expected, missing },
  });
}

/** The separator used most in the first non-empty line, outside quotes. */
function delimiterOf(text: string): ',' | ';' {
  const line = text.split(/\r?\n/u).find((candidate) => candidate.replaceAll(/[\s,;]/gu, '') !== '') ?? '';
  const bare = line.replaceAll(/"[^"]*"/gu, '');
  return bare.split(';').length > bare.split(',').length ? ';' : ',';
}

/** The file's text, chunk by chunk. @throws DomainError `csv.not_csv` at the first byte that cannot be CSV text */
async function* plainText(path: string): AsyncGenerator<string> {
  // Lenient: a column that is not read may use an old code page.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    // A NUL or another control character: a spreadsheet's own format, an image, UTF-16 …
    if (chunk.some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)) throw notCsv();
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

function notCsv(reason?: string): DomainError {
  return new DomainError('csv.not_csv', { field: 'file', ...(reason === undefined ? {} : { reason }) });
}

async function feed(parser: ReturnType<typeof parse>, head: string, chunks: AsyncGenerator<string>): Promise<void> {
  try {
    await write(parser, head);
    for await (const chunk of chunks) {
      if (parser.destroyed) return;
      await write(parser, chunk);
    }
    parser.end();
  } catch (error) {
    parser.destroy(error as Error);
  }
}

/** Pass a chunk to the parser and wait until it accepts more; a destroyed parser accepts none. */
async function write(parser: ReturnType<typeof parse>, chunk: string): Promise<void> {
  if (parser.destroyed || chunk === '' || parser.write(chunk)) return;
  await new Promise<void>((resolve) => {
    const finish = () => {
      parser.off('drain', finish).off('close', finish);
      resolve();
    };
    parser.on('drain', finish).on('close', finish);
  });
}

function readable(error: unknown): unknown {
  const code = (error as Partial<CsvError>).code;
  if (code === undefined || !code.startsWith('CSV_')) return error;
  return notCsv(code === 'CSV_QUOTE_NOT_CLOSED' ? 'A quotation mark is never closed.' : 'A row cannot be read.');
}
