import { Readable } from 'node:stream';
import { reports } from '@highline/contract';
import type { z } from 'zod';
import { identifierCell, reportTimeIn, safeCell, writeCsv, type CsvColumn } from '../../platform/csv/index.ts';
import { DomainError } from '../../kernel/failure.ts';
import { announceFile, fileNameOf } from '../../platform/calls/attachment.ts';
import { createSemaphore, type TimedReader } from '../../platform/listing/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { MAX_SHEET_ROWS, sheetText, writeWorkbook, type SheetCell } from '../../platform/xlsx/workbook.ts';
import { propertyOfNumber, type ReportLanguage } from './property.catalogue.ts';
import type { RecordQuestion } from './record.question.ts';
import { nameOf, toRecordDto, typeOf, type RecordRow } from './record.dto.ts';
import { countMatches, streamRecords } from './records.queries.ts';

export interface ExportDeps extends Pick<Deps, 'streams' | 'clock'> {
  readonly timed: TimedReader;
}

type ExportQuery = z.output<typeof reports.exportRecords.query>;

const WIDTHS = [22, 18, 22, 22, 24, 20, 26];

// A workbook is made in memory: one at a time, and only a few may wait.
const semaphore = createSemaphore(1);
const MOST_WAITING = 10;

/**
 * The records of a query as a workbook, or as CSV, which may have any length (RPT-01).
 * @throws DomainError `export.too_large` for a workbook of more than 100,000 rows, `server.busy`, `report.too_slow`
 */
export async function sendExport(
  deps: ExportDeps,
  response: Parameters<typeof announceFile>[0],
  question: RecordQuestion,
  { format = 'xlsx', name = '', zone, language = 'en-US' }: ExportQuery,
): Promise<Readable> {
  const timeOf = reportTimeIn(zone);
  const file = `${fileNameOf(name, 'Report')}.${format}`;
  const columns = columnsOf(timeOf);
  const rows = streamRecords(deps, question, deps.clock.now());
  if (format === 'csv') {
    announceFile(response, file, 'text/csv; charset=utf-8');
    return writeCsv(columns, rows, language);
  }
  const workbook = await inTurn(async () => {
    const total = await countMatches(deps.timed, question);
    if (total === undefined || total > MAX_SHEET_ROWS) throw new DomainError('export.too_large');
    const [name, title] = language === 'en-US' ? (['Records', 0] as const) : (['紀錄', 1] as const);
    return writeWorkbook({
      name,
      titles: columns.map((column) => column[title]),
      widths: WIDTHS,
      rows: await sheetRows(rows, language, timeOf),
    });
  });
  announceFile(response, file, reports.EXCEL_TYPE);
  return Readable.from([Buffer.from(workbook.buffer, workbook.byteOffset, workbook.byteLength)], { objectMode: false });
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (semaphore.waiting() >= MOST_WAITING) throw new DomainError('server.busy', { retryAfter: 10 });
  await semaphore.acquire();
  try {
    return await work();
  } finally {
    semaphore.release();
  }
}

async function sheetRows(
  rows: AsyncIterable<RecordRow>,
  language: ReportLanguage,
  timeOf: (at: Date) => string,
): Promise<SheetCell[][]> {
  const cells: SheetCell[][] = [];
  for await (const row of rows) {
    // More may have been added since they were counted.
    if (cells.length >= MAX_SHEET_ROWS) throw new DomainError('export.too_large');
    const value = valueOf(row, language);
    const property = propertyOfNumber(row.property).names[language];
    const texts = [nameOf(row), typeOf(row), row.group_name ?? '', row.udid, property, timeOf(row.at)];
    cells.push([...texts.map(sheetText), typeof value === 'string' ? sheetText(value) : value]);
  }
  return cells;
}

function columnsOf(timeOf: (at: Date) => string): CsvColumn<RecordRow>[] {
  return [
    ['Device name', '裝置名稱', (row) => identifierCell(nameOf(row))],
    ['Type', '類型', (row) => safeCell(typeOf(row))],
    ['Group name', '群組名稱', (row) => identifierCell(row.group_name)],
    ['UDID', '裝置識別碼（UDID）', (row) => identifierCell(row.udid)],
    ['Property', '屬性', (row, _, language) => propertyOfNumber(row.property).names[language]],
    ['Date', '日期', (row) => timeOf(row.at)],
    ['Value', '數值', (row, _, language) => safeCell(String(valueOf(row, language)))],
  ];
}

function valueOf(row: RecordRow, language: ReportLanguage): string | number | boolean {
  return toRecordDto(row, language).field_value;
}
