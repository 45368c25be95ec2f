import type { Readable } from 'node:stream';
import type { reports } from '@highline/contract';
import type { z } from 'zod';
import { DomainError } from '../../kernel/failure.ts';
import { identifierCell, reportTimeIn, safeCell, sendCsv, type CsvColumn } from '../../platform/csv/index.ts';
import type { TimedReader } from '../../platform/listing/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { MOST_WORKBOOK_ROWS } from '../../platform/xlsx/list-workbook.ts';
import { propertyOfNumber } from './property.catalogue.ts';
import type { RecordQuestion } from './record.question.ts';
import { nameOf, toRecordDto, typeOf, type RecordRow } from './record.dto.ts';
import { countMatches, streamRecords } from './records.queries.ts';

export interface ExportDeps extends Pick<Deps, 'streams' | 'clock'> {
  readonly timed: TimedReader;
}

type ExportQuery = z.output<typeof reports.exportRecords.query>;

/**
 * The records of a query as a workbook, or as CSV, which may have any length (RPT-01).
 * @throws DomainError `export.too_large` for more rows than a workbook can have, `report.too_slow`, `server.busy`
 */
export async function sendExport(
  deps: ExportDeps,
  reply: Parameters<typeof sendCsv>[0]['reply'],
  question: RecordQuestion,
  { format = 'xlsx', name = '', zone, language }: ExportQuery,
): Promise<Readable> {
  const rows = await streamRecords(deps, question, deps.clock.now());
  // What takes long to count is sent, and breaks off only if it has too many.
  const total = format === 'xlsx' ? ((await countMatches(deps.timed, question, MOST_WORKBOOK_ROWS)) ?? 0) : 0;
  if (total > MOST_WORKBOOK_ROWS) throw new DomainError('export.too_large');
  return sendCsv({ reply, query: { format, language } }, name === '' ? 'Report' : name, columnsOf(reportTimeIn(zone)), rows);
}

function columnsOf(timeOf: (at: Date) => string): CsvColumn<RecordRow>[] {
  return [
    ['Device name', '裝置名稱', (row) => identifierCell(nameOf(row))],
    ['Type', '類型', (row) => safeCell(typeOf(row))],
    ['Group name', '群組名稱', (row) => identifierCell(row.group_name)],
    ['UDID', '裝置識別碼（UDID）', (row) => identifierCell(row.udid)],
    ['Property', '屬性', (row, _, language) => propertyOfNumber(row.property).names[language]],
    ['Date', '日期', (row) => timeOf(row.at), 'time'],
    ['Value', '數值', (row, _, language) => valueCell(toRecordDto(row, language).field_value), 'value'],
  ];
}

/** Of a text, which may be an ICCID, every digit stays. */
const valueCell = (value: string | number | boolean) => (typeof value === 'string' ? identifierCell(value) : String(value));
