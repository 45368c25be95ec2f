import type { TextEncodingName } from '@highline/contract';
import { csvCell, importedText, protectedText } from '@highline/contract/csv-cell';
import { type AnyShape, findColumns, type FoundColumns, headerFault } from './columns.ts';
import { findSeparator, HEADER_ROWS, RecordReader } from './delimited.ts';
import { findEncoding, headOf, readText, unreadable } from './encoding.ts';
import { FileFault, notTable } from './file-fault.ts';
import { MAX_ROWS, tooManyRows } from './limits.ts';
import { readWorkbook, type FileRow } from './workbook.ts';

/** How a file is to be read; can be sent to a thread. */
export interface ReadRequest {
  readonly path: string;
  readonly shape: AnyShape;
  readonly encoding?: TextEncodingName | undefined;
  /** Only these rows, in their order, each with all of its cells. */
  readonly only?: readonly number[] | undefined;
  /** Every row with all of its cells, as they are read. */
  readonly isWhole?: boolean | undefined;
}

/** What was found out before the first row. */
export interface FileFacts {
  /** Of a text file. */
  readonly encoding?: TextEncodingName;
  /** The encoding is not proven. */
  readonly isAssumed: boolean;
  /** Of a workbook. */
  readonly sheet?: string;
  readonly header: readonly string[];
  /** Columns that were found, in the order of the cells of a row. */
  readonly columns: readonly string[];
  /** Where they are in the file. */
  readonly known: readonly number[];
}

/** A row with content. */
export interface ReadRow {
  readonly row: number;
  /** Of the columns that were found; of `only` rows, all cells, as a CSV has them. */
  readonly cells: readonly string[];
  /** Title of the first column whose text cannot be read. */
  readonly unreadable?: string;
}

/** First the facts, then rows. */
export type ReadPart = { readonly facts: FileFacts } | { readonly rows: readonly ReadRow[] };

const BATCH = 200;

/**
 * Reads a CSV or a workbook. @throws FileFault
 */
export async function* readRecords(request: ReadRequest): AsyncGenerator<ReadPart> {
  const head = await headOf(request.path);
  if (isArchive(head)) return yield* workbookParts(request);
  rejectOtherKinds(head);
  yield* textParts(request, head);
}

const begins = (head: Buffer, text: string) => head.subarray(0, text.length).toString('latin1') === text;

/** @param head the first bytes of a file */
export function isArchive(head: Buffer): boolean {
  return begins(head, 'PK\u0003\u0004');
}

function rejectOtherKinds(head: Buffer): void {
  if (begins(head, '\u00d0\u00cf\u0011\u00e0'))
    throw notTable('This is an Excel workbook of before 2007 (.xls), or one with a password. Save it as .xlsx or CSV.');
  if (begins(head, '%PDF')) throw notTable('This is a PDF. Send a CSV file or an Excel workbook (.xlsx).');
  if (/^[\ufeff\s]*<(?:!doctype|html|table|\?xml)/iu.test(head.subarray(0, 200).toString()))
    throw notTable('This is a web page or an XML file. Send a CSV file or an Excel workbook (.xlsx).');
}

async function* textParts(request: ReadRequest, head: Buffer): AsyncGenerator<ReadPart> {
  const encoding = await findEncoding(request.path, head, request.encoding);
  const facts = { encoding: encoding.name, isAssumed: encoding.isAssumed };
  yield* parts(request, delimitedRows(request, readText(request.path, encoding)), facts);
}

async function* delimitedRows({ shape }: ReadRequest, pieces: AsyncGenerator<string>): AsyncGenerator<FileRow> {
  const first = await pieces.next();
  const head = first.done === true ? '' : first.value;
  const { separator, skipped } = findSeparator(head, (record) => findColumns(record, shape).at.size);
  const reader = new RecordReader(separator);
  let row = 0;
  function* rowsOf(records: Iterable<string[]>): Generator<FileRow> {
    for (const cells of records) {
      row += 1;
      // One more for the header.
      if (row > MAX_ROWS + 1) throw tooManyRows();
      yield { row, cells };
    }
  }
  yield* rowsOf(reader.read(head.slice(skipped)));
  for await (const piece of pieces) yield* rowsOf(reader.read(piece));
  yield* rowsOf(reader.read('', true));
}

/** Of the first sheet that has the columns. */
async function* workbookParts(request: ReadRequest): AsyncGenerator<ReadPart> {
  let fault: unknown;
  for await (const { name, rows } of readWorkbook(request.path)) {
    try {
      return yield* parts(request, rows(), { sheet: name, isAssumed: false });
    } catch (error) {
      const isOther = error instanceof FileFault && (error.key === 'csv.header' || error.key === 'csv.empty');
      if (!isOther) throw error;
      // What is wrong with the first sheet that has a content is said.
      if (fault === undefined || (fault as FileFault).key === 'csv.empty') fault = error;
    }
  }
  throw fault ?? empty();
}

function empty(): FileFault {
  return new FileFault('csv.empty', { reason: 'The file has no rows.' });
}

const isBlank = (cell: string) => cell.trim() === '';

interface Header extends FoundColumns {
  readonly record: readonly string[];
}

async function* parts(
  { shape, only, isWhole }: ReadRequest,
  rows: AsyncIterable<FileRow>,
  facts: Omit<FileFacts, 'header' | 'columns' | 'known'>,
): AsyncGenerator<ReadPart> {
  // A workbook has text as it is, or as it was in a CSV that was saved as one.
  const isText = facts.sheet === undefined;
  const textOf = isText ? importedText : protectedText;
  let header: Header | undefined;
  let best: Header | undefined;
  let before = 0;
  let filled = 0;
  let next = 0;
  let titles: string[] = [];
  let known: readonly number[] = [];
  let batch: ReadRow[] = [];
  for await (const { row, cells } of rows) {
    if (cells.every(isBlank)) continue;
    if (header === undefined) {
      const candidate = { ...findColumns(cells, shape), record: cells };
      if (best === undefined || candidate.missing.length === 0 || candidate.at.size > best.at.size) best = candidate;
      before += 1;
      if (candidate.missing.length > 0 && before < HEADER_ROWS) continue;
      if (best.missing.length > 0 || best.twice.length > 0) throw headerFault(shape, best);
      header = best;
      known = [...header.at.values()];
      titles = [...header.at.keys()].map((column) => titleOf(shape, column));
      yield { facts: { ...facts, header: header.record, columns: [...header.at.keys()], known } };
      continue;
    }
    filled += 1;
    if (isWhole === true) batch.push({ row, cells: cells.map((cell) => textOf(cell.trim())) });
    else if (only === undefined) {
      const read = known.map((at) => textOf((cells[at] ?? '').trim()));
      const damaged = read.findIndex((cell) => unreadable.test(cell));
      batch.push(damaged < 0 ? { row, cells: read } : { row, cells: read, unreadable: titles[damaged]! });
    } else if (row === only[next]) {
      batch.push({ row, cells: isText ? cells : cells.map(csvCell) });
      next += 1;
      if (next === only.length) break;
    }
    if (batch.length < BATCH) continue;
    yield { rows: batch };
    batch = [];
  }
  if (header === undefined && best !== undefined && (best.missing.length > 0 || best.twice.length > 0))
    throw headerFault(shape, best);
  if (filled === 0) throw empty();
  if (batch.length > 0) yield { rows: batch };
}

function titleOf({ required, optional }: AnyShape, column: string): string {
  return required[column] ?? optional?.[column] ?? column;
}
