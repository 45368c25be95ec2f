import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { deviceAdding, TextEncodingName } from '@highline/contract';
import { DomainError } from '../../kernel/failure.ts';
import { Slices } from '../process/slices.ts';
import type { TableShape } from './columns.ts';
import { headOf } from './encoding.ts';
import { FileFault, type FaultDetail, type FaultKey } from './file-fault.ts';
import { type FileFacts, isArchive, readRecords, type ReadPart, type ReadRequest, type ReadRow } from './records.ts';

/** One row with any content, by column name. */
export interface TableRow<Required extends string, Optional extends string = never> {
  /** Row number as in a spreadsheet: the first line of the file is row 1. */
  readonly row: number;
  readonly cells: Readonly<Record<Required, string> & Partial<Record<Optional, string>>>;
  /** A column that is read has text that was damaged, or is in another encoding: the row must not be stored. */
  readonly fault?: string;
}

/** A row as the file has it. */
export interface WrittenRow {
  /** The same array for each row of a file. */
  readonly header: readonly string[];
  /** Where the columns are that the import reads; the same for each row of a file. */
  readonly known: ReadonlySet<number>;
  readonly cells: readonly string[];
}

export interface ReadOptions {
  /** Of a CSV, chosen by the user; else it is decided by its bytes. */
  readonly encoding?: TextEncodingName | undefined;
}

/** What the response of an import says about its file. */
export type FileSummary = deviceAdding.ImportedFile;

/** A file whose header was read. */
export interface Table<Required extends string, Optional extends string> {
  readonly summary: FileSummary;
  /** To be read once. */
  readonly rows: AsyncGenerator<TableRow<Required, Optional>>;
}

/** Larger files, and all workbooks, are read in a thread: a text of this size takes a few milliseconds. */
const SMALL_BYTES = 32_768;
const MEMORY_MB = 512;
/** Titles of columns that are not read: as many are named, and so much of each. */
const NAMED_COLUMNS = 50;
const LONGEST_TITLE = 60;
/** Rows that are passed on before other calls may run. */
const ROWS_AT_ONCE = 20;

/**
 * Read a CSV or an Excel workbook (.xlsx) in the forms that spreadsheets write: UTF-8, UTF-16 or an old code page, a byte order mark,
 * any line ends, commas, semicolons, tabs or vertical bars, a `sep=` line, quotes, empty lines, columns in any order and extra ones. Titles
 * are compared ignoring case and blanks, and those of our own exports are accepted too (BLK-05). One leading apostrophe of a cell
 * is dropped.
 * @throws DomainError `csv.not_csv` (another kind of file, an unclosed quote), `csv.header` (detail: expected, missing),
 * `csv.empty`, `request.too_large`; also while rows are read
 */
export async function openTable<Required extends string, Optional extends string = never>(
  path: string,
  shape: TableShape<Required, Optional>,
  { encoding }: ReadOptions = {},
): Promise<Table<Required, Optional>> {
  const parts = partsOf({ path, shape, encoding });
  const facts = await factsOf(parts);
  return { summary: summaryOf(facts), rows: namedRows<Required, Optional>(parts, facts) };
}

/** A file whose columns are known only once its titles are read. */
export interface WholeTable {
  readonly header: readonly string[];
  /** Where the columns of the shape are. */
  readonly known: readonly number[];
  /** With all of their cells, to be read once. */
  readonly rows: AsyncGenerator<Pick<ReadRow, 'row' | 'cells'>>;
  /** @param read the columns that the import reads */
  summarize(read: ReadonlySet<number>): FileSummary;
}

/** As `openTable`, with every column. @throws DomainError as `openTable` */
export async function openWholeTable(
  path: string,
  shape: TableShape<string, string>,
  { encoding }: ReadOptions = {},
): Promise<WholeTable> {
  const parts = partsOf({ path, shape, encoding, isWhole: true });
  const facts = await factsOf(parts);
  const { header, known } = facts;
  return { header, known, rows: rowsOf(parts), summarize: (read) => summaryOf({ ...facts, known: [...read] }) };
}

/** Rows of a file with all of their cells. @param only their numbers, in order */
export async function* readWritten(
  path: string,
  shape: TableShape<string, string>,
  { encoding }: ReadOptions,
  only: readonly number[],
): AsyncGenerator<{ readonly row: number; readonly written: WrittenRow }> {
  if (only.length === 0) return;
  const parts = partsOf({ path, shape, encoding, only });
  const { header, known } = await factsOf(parts);
  const places = new Set(known);
  for await (const { row, cells } of rowsOf(parts)) yield { row, written: { header, known: places, cells } };
}

async function* namedRows<Required extends string, Optional extends string>(
  parts: AsyncGenerator<ReadPart>,
  { columns, encoding }: FileFacts,
): AsyncGenerator<TableRow<Required, Optional>> {
  for await (const { row, cells: values, unreadable } of rowsOf(parts)) {
    const cells = Object.fromEntries(columns.map((column, at) => [column, values[at]!])) as TableRow<Required, Optional>['cells'];
    yield unreadable === undefined ? { row, cells } : { row, cells, fault: unreadableFault(unreadable, encoding) };
  }
}

function unreadableFault(title: string, encoding: TextEncodingName | undefined): string {
  return encoding === undefined || encoding === 'utf-8'
    ? `${title}: has a character (�) that was lost when the file was saved.`
    : `${title}: cannot be read as ${encoding}. Choose the encoding of the file, or save it as UTF-8.`;
}

async function factsOf(parts: AsyncGenerator<ReadPart>): Promise<FileFacts> {
  const first = await parts.next();
  if (first.done === true || !('facts' in first.value)) throw new Error('A file was read without its header.');
  return first.value.facts;
}

async function* rowsOf(parts: AsyncGenerator<ReadPart>): AsyncGenerator<ReadRow> {
  const slices = new Slices();
  for await (const part of parts) {
    if (!('rows' in part)) continue;
    for (const [index, row] of part.rows.entries()) {
      if (index % ROWS_AT_ONCE === 0) await slices.pause();
      yield row;
    }
  }
}

function summaryOf({ encoding, isAssumed, sheet, header, known }: FileFacts): FileSummary {
  return {
    ...(encoding === undefined ? {} : { encoding, encodingAssumed: isAssumed }),
    ...(sheet === undefined ? {} : { sheet: shortened(sheet) }),
    ignored: ignoredTitles(header, new Set(known)),
  };
}

/** Titles of the columns that an import does not read, the first ones. */
export function ignoredTitles(header: readonly string[], read: ReadonlySet<number>): string[] {
  const ignored = header.flatMap((title, at) => (read.has(at) || title.trim() === '' ? [] : [shortened(title.trim())]));
  return ignored.slice(0, NAMED_COLUMNS);
}

function shortened(text: string): string {
  return text
    .slice(0, LONGEST_TITLE)
    .replaceAll(/[\p{Cc}\ufffd]/gu, ' ')
    .toWellFormed();
}

async function* partsOf(request: ReadRequest): AsyncGenerator<ReadPart> {
  try {
    yield* (await isSmallText(request.path)) ? readRecords(request) : inThread(request);
  } catch (error) {
    throw error instanceof FileFault ? new DomainError(error.key, { field: 'file', ...error.more }) : error;
  }
}

/** A small archive may have a large content. */
async function isSmallText(path: string): Promise<boolean> {
  return (await stat(path)).size <= SMALL_BYTES && !isArchive(await headOf(path));
}

type Message = ReadPart | 'end' | { readonly fault: { readonly key: FaultKey; readonly more: FaultDetail } };

async function* inThread(request: ReadRequest): AsyncGenerator<ReadPart> {
  const worker = new Worker(new URL('read.worker.ts', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  try {
    for (;;) {
      const message = await nextMessage(worker);
      if (message === 'end') return;
      if ('fault' in message) throw new FileFault(message.fault.key, message.fault.more);
      yield message;
      worker.postMessage('next', []);
    }
  } finally {
    await worker.terminate();
  }
}

function nextMessage(worker: Worker): Promise<Message> {
  return new Promise((resolve, reject) => {
    const finish = (act: () => void) => {
      worker.removeAllListeners('message').removeAllListeners('error').removeAllListeners('exit');
      act();
    };
    worker.once('message', (message: Message) => finish(() => resolve(message)));
    worker.once('error', (error: NodeJS.ErrnoException) => finish(() => reject(readable(error))));
    worker.once('exit', (code) => finish(() => reject(new Error(`The thread that reads a file ended with ${code}.`))));
  });
}

function readable(error: NodeJS.ErrnoException): Error {
  const message = 'The file is too large to be read.';
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new FileFault('request.too_large', { message, reason: message }) : error;
}
