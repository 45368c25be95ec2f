import { Readable } from 'node:stream';
import type { FileFormat, Language } from '@highline/contract';
import { stringify } from 'csv-stringify/sync';
import { announceFile, fileNameOf } from '../calls/attachment.ts';
import { workbookOf, type ColumnKind } from '../xlsx/list-workbook.ts';
import { createLineWriter, type CopiedColumn } from './copied-lines.ts';
import { field, inLanguage, type Bilingual } from './field.ts';

/** The cell of a row, made safe by csv-cell.ts of the contract. @param index number of the row, from 0 */
type Cell<Row> = (row: Row, index: number, language: Language) => string | Bilingual;

/** One column: its titles, its cells, and what they are in a workbook. */
export type CsvColumn<Row> = readonly [english: string, chinese: string, cell: Cell<Row>, kind?: ColumnKind];

/** The columns that a file of a list can have, by their ids on its screen. */
export type ListColumns<Id extends string, Row> = Readonly<Record<Id, CsvColumn<Row>>>;

/**
 * The columns of a file in their order: those that the call names, as its list shows them, else the usual ones (BLK-05).
 * @param named ids separated by commas, validated by `columnsOf`
 */
export function chosenColumns<Id extends string, Row>(
  all: ListColumns<Id, Row>,
  named: string | undefined,
  usual: readonly Id[],
): readonly CsvColumn<Row>[] {
  return chosenIds(named, usual).map((id) => all[id]);
}

/** The ids of `chosenColumns`. */
export function chosenIds<Id extends string>(named: string | undefined, usual: readonly Id[]): readonly Id[] {
  return named === undefined ? usual : (named.split(',') as Id[]);
}

/** Numbers the rows. */
export const numberColumn: CsvColumn<unknown> = ['#', '#', (_, index) => String(index + 1), 'number'];

/** Identifies the file as UTF-8 for spreadsheets that guess otherwise. */
const BYTE_ORDER_MARK = '\ufeff';
/** Rows of one piece of the file. */
const BATCH = 200;
const END = '\r\n';
const options = { record_delimiter: 'windows', escape_formulas: false } as const;

/** A CSV file (BOM, commas, CRLF) from a stream of rows, generated in batches as it is read. */
export function writeCsv<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: AsyncIterable<Row>,
  language: Language = 'en-US',
): Readable {
  return Readable.from(pieces(columns, inBatches(rows), language), { objectMode: false, highWaterMark: 65_536 });
}

async function* inBatches<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function* pieces<Row>(
  columns: readonly CsvColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
  language: Language,
): AsyncGenerator<string> {
  const textOf = (text: string | Bilingual) => (typeof text === 'string' ? text : inLanguage(text, language));
  yield titleLine(
    columns.map(([english, chinese]) => [english, chinese] as const),
    language,
  );
  const cells = columns.map(([, , cell]) => cell);
  let index = 0;
  const line = (row: Row) => {
    const fields = cells.map((cell) => field(textOf(cell(row, index, language))));
    index += 1;
    return fields.join(',');
  };
  // Joined, not added to each other: a text of many parts is copied once more when it is sent.
  for await (const batch of batches) yield `${batch.map(line).join(END)}${END}`;
}

/** The first line of a file, behind its byte order mark. */
function titleLine(titles: readonly Bilingual[], language: Language): string {
  return BYTE_ORDER_MARK + stringify([titles.map((title) => inLanguage(title, language))], options);
}

/** What of a call decides over its file. */
interface FileCall {
  readonly reply: Parameters<typeof announceFile>[0];
  readonly query: { readonly language?: Language | undefined; readonly format?: FileFormat | undefined };
}

/** Answer rows as a CSV file or a workbook to save under this name. @param name any text, without extension */
export function sendCsv<Row>(
  { reply, query }: FileCall,
  name: string,
  columns: readonly CsvColumn<Row>[],
  rows: AsyncIterable<Row>,
): Readable {
  const kinds = columns.map(([, , , kind]) => kind);
  return fileOf({ reply, query }, name, writeCsv(columns, rows, query.language), kinds);
}

/** The same from values that PostgreSQL writes as CSV, without empty text in quotes for NULL (`RowStreams.copy`). */
export function respondWithCopy(
  { reply, query }: FileCall,
  name: string,
  columns: readonly CopiedColumn[],
  pieces: AsyncIterable<Buffer>,
): Readable {
  const kinds = columns.map(({ cell, kind }) => (cell === 'number' ? cell : kind));
  const lines = Readable.from(copiedLines(columns, pieces, query.language), { objectMode: false, highWaterMark: 65_536 });
  return fileOf({ reply, query }, name, lines, kinds);
}

const fileTypes: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

function fileOf(
  { reply, query: { format = 'csv' } }: FileCall,
  name: string,
  csv: Readable,
  kinds: readonly (ColumnKind | undefined)[],
): Readable {
  announceFile(reply, `${fileNameOf(name, 'list')}.${format}`, fileTypes[format]);
  return format === 'csv' ? csv : workbookOf(csv, { name, kinds });
}

async function* copiedLines(
  columns: readonly CopiedColumn[],
  pieces: AsyncIterable<Buffer>,
  language: Language = 'en-US',
): AsyncGenerator<string | Buffer> {
  yield titleLine(
    columns.map(({ title }) => title),
    language,
  );
  const linesOf = createLineWriter(columns);
  for await (const piece of pieces) {
    const lines = linesOf(piece);
    if (lines.length > 0) yield lines;
  }
}
