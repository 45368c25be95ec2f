import { Readable } from 'node:stream';
import type { Language } from '@highline/contract';
import { stringify } from 'csv-stringify/sync';

/** A text in English and in Traditional Chinese. */
export type Bilingual = readonly [english: string, chinese: string];

/** The cell of a row, made safe by cell.ts. @param index number of the row, from 0 */
type Cell<Row> = (row: Row, index: number, language: Language) => string | Bilingual;

/** One column: its titles and its cells. */
export type CsvColumn<Row> = readonly [...title: Bilingual, cell: Cell<Row>];

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
export const numberColumn: CsvColumn<unknown> = ['#', '#', (_, index) => String(index + 1)];

/** Identifies the file as UTF-8 for spreadsheets that guess otherwise. */
const BYTE_ORDER_MARK = '\ufeff';
/** Rows of one piece of the file. */
const BATCH = 200;
const END = '\r\n';
/** What a field with quotes contains. */
const special = /[",\r\n]/u;
const options = { record_delimiter: 'windows', escape_formulas: false } as const;

/** A CSV file (BOM, commas, CRLF) from a stream of rows, generated in batches as it is read. */
export function writeCsv<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: AsyncIterable<Row>,
  language: Language = 'en-US',
): Readable {
  return writeBatches(columns, inBatches(rows), language);
}

function writeBatches<Row>(
  columns: readonly CsvColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
  language: Language = 'en-US',
): Readable {
  return Readable.from(pieces(columns, batches, language), { objectMode: false, highWaterMark: 65_536 });
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
  const textOf = (text: string | Bilingual) => (typeof text === 'string' ? text : text[language === 'en-US' ? 0 : 1]);
  yield BYTE_ORDER_MARK + stringify([columns.map(([english, chinese]) => textOf([english, chinese]))], options);
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

/** As csv-stringify writes it, which takes half of the time of a long file. */
function field(text: string): string {
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The reply methods needed to announce a file. */
interface Headers {
  header(name: string, value: string): unknown;
}

/** What of a call decides over its file. */
interface FileCall {
  readonly reply: Headers;
  readonly query: { readonly language?: Language | undefined };
}

/** Answer rows as a CSV file to save under this name. @param name plain ASCII, without extension */
export function answerCsv<Row>(
  call: FileCall,
  name: string,
  columns: readonly CsvColumn<Row>[],
  rows: AsyncIterable<Row>,
): Readable {
  return answerBatches(call, name, columns, inBatches(rows));
}

/** The same from rows that are read in batches. */
export function answerBatches<Row>(
  { reply, query }: FileCall,
  name: string,
  columns: readonly CsvColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): Readable {
  reply.header('content-type', 'text/csv; charset=utf-8');
  reply.header('content-disposition', `attachment; filename="${name}.csv"`);
  reply.header('cache-control', 'no-store');
  return writeBatches(columns, batches, query.language);
}
