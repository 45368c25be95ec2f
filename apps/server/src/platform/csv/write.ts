import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';

type Language = 'en-US' | 'zh-TW';

/** A text in English and in Traditional Chinese. */
export type Bilingual = readonly [english: string, chinese: string];

/** The cell of a row, made safe by cell.ts. @param index number of the row, from 0 */
type Cell<Row> = (row: Row, index: number, language: Language) => string | Bilingual;

/** One column: its titles and its cells. */
export type CsvColumn<Row> = readonly [...title: Bilingual, cell: Cell<Row>];

/** Numbers the rows. */
export const numberColumn: CsvColumn<unknown> = ['#', '#', (_, index) => String(index + 1)];

/** Identifies the file as UTF-8 for spreadsheets that guess otherwise. */
const BYTE_ORDER_MARK = '\ufeff';
const BATCH = 200;
const options = { record_delimiter: 'windows', escape_formulas: false } as const;

/** A CSV file (BOM, commas, CRLF) from a stream of rows, generated in batches as it is read. */
export function writeCsv<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: AsyncIterable<Row>,
  language: Language = 'en-US',
): Readable {
  return Readable.from(chunks(columns, rows, language), { objectMode: false, highWaterMark: 65_536 });
}

async function* chunks<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: AsyncIterable<Row>,
  language: Language,
): AsyncGenerator<string> {
  const textOf = (text: string | Bilingual) => (typeof text === 'string' ? text : text[language === 'en-US' ? 0 : 1]);
  yield BYTE_ORDER_MARK + stringify([columns.map(([english, chinese]) => textOf([english, chinese]))], options);
  let batch: string[][] = [];
  let index = 0;
  for await (const row of rows) {
    // oxlint-disable-next-line no-loop-func -- the cells are made at once
    batch.push(columns.map(([, , cell]) => textOf(cell(row, index, language))));
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

/** What of a call decides over its file. */
interface FileCall {
  readonly reply: Headers;
  readonly query: { readonly language?: Language | undefined };
}

/** Answer rows as a CSV file to save under this name. @param name plain ASCII, without extension */
export function answerCsv<Row>(
  { reply, query }: FileCall,
  name: string,
  columns: readonly CsvColumn<Row>[],
  rows: AsyncIterable<Row>,
): Readable {
  reply.header('content-type', 'text/csv; charset=utf-8');
  reply.header('content-disposition', `attachment; filename="${name}.csv"`);
  reply.header('cache-control', 'no-store');
  return writeCsv(columns, rows, query.language);
}
