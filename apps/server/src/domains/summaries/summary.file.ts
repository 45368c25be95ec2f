import { writeIsoDay, type Separator, summaries as calls, type Language } from '@highline/contract';
import { Readable } from 'node:stream';
import { DomainError, type Scope } from '../../kernel/index.ts';
import { fileNameOf } from '../../platform/calls/attachment.ts';
import { field, inLanguage, protectedText, safeCell, timeIn, type CsvColumn } from '../../platform/csv/index.ts';
import { writeDocument, type DocumentBlock } from '../../platform/pdf/document.ts';
import { workbookOf } from '../../platform/xlsx/list-workbook.ts';
import { keptLines, readKept, timeOf, type OutageTime } from '../outages/index.ts';
import { readDayZone } from '../usage/index.ts';
import type { AnyKind } from './kind.ts';
import { checkChoice, kinds } from './kinds.ts';
import type { SummaryRequest, KindSources } from './kind-request.ts';
import { readNames } from './summaries.queries.ts';

/** A summary that can be read: what, whose and when, and its rows. */
interface OpenSummary {
  readonly kind: AnyKind;
  readonly request: SummaryRequest;
  readonly columns: readonly CsvColumn<unknown>[];
  /** All that it can have, by their ids. */
  readonly allColumns: Readonly<Record<string, CsvColumn<unknown>>>;
  readonly owner: string;
  /** The name of its group. */
  readonly group: string | null;
  readonly logo: Buffer | null;
}

/** Rows of a document; the other files have all. */
const MOST_PRINTED = 2_000;
/** Rows that are passed on at once. */
const BATCH = 100;
/** More columns than these need a wide page. */
const UPRIGHT_COLUMNS = 7;

const filled = (text: string | undefined) => (text === undefined || text === '' ? undefined : text.replaceAll('\0', ''));

/** The zone whose days a summary is about, whatever that of its reader; undefined = the reader's, or those of each organization of a main account. */
async function zoneOfDays({ reader }: KindSources, { days }: AnyKind, scope: Scope, now: Date): Promise<string | undefined> {
  if (days === 'UTC') return 'UTC';
  return days === 'organization' && scope.kind === 'organization' ? readDayZone(reader, scope, now) : undefined;
}

/** A period from when what a kind is about is kept. */
async function keptTime(
  { reader, positionDays }: KindSources,
  { isOfOutages, isOfCoverage }: AnyKind,
  scope: Scope,
  whole: OutageTime,
  now: Date,
): Promise<OutageTime> {
  if (isOfOutages === true) return readKept(reader, scope, whole, now);
  return isOfCoverage === true ? readKept(reader, scope, { ...whole, keptDays: positionDays }, now) : whole;
}

/** @throws DomainError `request.invalid` for an invalid period, filter or column, `not_found` for a group of others */
export async function openSummary(
  sources: KindSources,
  scope: Scope,
  query: calls.SummaryQuery,
  now: Date,
): Promise<OpenSummary> {
  const language = query.language ?? 'en-US';
  const kind = kinds[query.kind];
  const ownZone = await zoneOfDays(sources, kind, scope, now);
  const whole = timeOf(ownZone === undefined ? query : { ...query, zone: ownZone }, now, sources.keptDays);
  const time = await keptTime(sources, kind, scope, whole, now);
  const [group, carrier, tag] = [filled(query.group), filled(query.carrier), filled(query.tag)];
  const { sumBy } = query;
  const request = { scope, time, group, carrier, tag, sumBy, language, now };
  const allColumns = kind.columns(request, sources);
  const usual = () => Object.keys(allColumns).filter((id) => kind.chosenOnly?.includes(id) !== true);
  const ids = filled(query.columns)?.split(',') ?? usual();
  checkChoice({ kind: query.kind, group, carrier, tag, sumBy }, ids, allColumns);
  const names = await readNames(sources.reader, scope, group);
  if (group !== undefined && names.group === null) throw new DomainError('not_found', { field: 'group' });
  return { kind, request, columns: ids.map((id) => allColumns[id]!), allColumns, ...names };
}

const periodText = ({ from, until }: OutageTime, zone: string, language: Language) =>
  `${writeIsoDay(from, language)} – ${writeIsoDay(until, language)}, ${zone}`;

/** What stands above a summary. */
export interface SummaryHead {
  readonly title: string;
  /** Whose, of which days, in which zone, of which group. */
  readonly lines: readonly string[];
}

/** What stands above a summary, in its own language or in that of a reader. */
export function describeSummary(
  { kind, request: { scope, time, carrier, tag, now, ...request }, owner, group }: OpenSummary,
  language: Language = request.language,
): SummaryHead {
  const isChinese = language === 'zh-TW';
  const limit = (english: string, chinese: string, value: string | null | undefined) =>
    value === null || value === undefined ? [] : [isChinese ? `${chinese}：${value}` : `${english}: ${value}`];
  const asOf = `${isChinese ? '截至' : 'as of'} ${timeIn(time.zone, language)(now)}, ${time.zone}`;
  const ownZones = inLanguage(['time zone of each organization', '各組織的時區'], language);
  const zone = kind.days === 'organization' && scope.kind === 'main' ? ownZones : time.zone;
  const lines = [
    owner,
    kind.isOfNow === true ? asOf : periodText(time, zone, language),
    ...keptLines(time, language, kind.isOfCoverage === true ? 'coverage' : 'outages'),
    ...limit('Group', '群組', group),
    ...limit('Carrier', '電信業者', carrier),
    ...limit('Tag', '標籤', tag),
  ];
  return { title: inLanguage(kind.title, language), lines };
}

/** The rows as cells, safe for a spreadsheet, in batches. */
async function* cellsOf({ kind, request, columns }: OpenSummary, sources: KindSources): AsyncGenerator<string[][]> {
  let batch: string[][] = [];
  let index = 0;
  for await (const row of await kind.rows(sources, request)) {
    batch.push(
      columns.map(([, , cell]) => {
        const text = cell(row, index, request.language);
        return typeof text === 'string' ? text : inLanguage(text, request.language);
      }),
    );
    index += 1;
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const titlesOf = ({ columns, request: { language } }: OpenSummary) =>
  columns.map(([english, chinese]) => inLanguage([english, chinese], language));

/** The beginning of a summary, for the screen. */
export async function previewOf(summary: OpenSummary, sources: KindSources): Promise<calls.Summary> {
  const rows: string[][] = [];
  for await (const batch of cellsOf(summary, sources)) {
    rows.push(...batch);
    if (rows.length > calls.PREVIEW_ROWS) break;
  }
  const { language } = summary.request;
  const { title, lines } = describeSummary(summary);
  return {
    title,
    lines: [...lines],
    allColumns: Object.entries(summary.allColumns).map(([id, [english, chinese]]) => ({
      id,
      title: inLanguage([english, chinese], language),
    })),
    columns: titlesOf(summary).map((title, at) => ({ title, isNumber: summary.columns[at]![3] === 'number' })),
    rows: rows.slice(0, calls.PREVIEW_ROWS).map((row) => row.map(protectedText)),
    isCut: rows.length > calls.PREVIEW_ROWS,
  };
}

/** A file of a summary, and what it is called. */
export interface SummaryFile {
  readonly name: string;
  readonly type: string;
  readonly content: Readable;
}

const types: Readonly<Record<calls.SummaryFormat, string>> = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
};

/** Write a summary as a file; its first lines say what, whose and when (RPM-02). */
export function writeSummary(
  summary: OpenSummary,
  sources: KindSources,
  format: calls.SummaryFormat,
  separator: Separator = 'comma',
): SummaryFile {
  const { owner, request, kind } = summary;
  const { title } = describeSummary(summary);
  const when = kind.isOfNow === true ? '' : ` ${request.time.from} ${request.time.until}`;
  const name = `${fileNameOf(`${title} ${owner}${when}`, 'summary').replaceAll(' ', '_')}.${format}`;
  return { name, type: types[format], content: contentOf(summary, sources, format, separator) };
}

function contentOf(summary: OpenSummary, sources: KindSources, format: calls.SummaryFormat, separator: Separator): Readable {
  if (format === 'pdf') return documentOf(summary, sources);
  const between = format === 'csv' ? betweenCells[separator] : ',';
  const csv = Readable.from(csvOf(summary, sources, between), { objectMode: false, highWaterMark: 65_536 });
  if (format === 'csv') return csv;
  const kinds = summary.columns.map(([, , , kind]) => kind);
  return workbookOf(csv, { name: 'Summary', kinds, headLines: describeSummary(summary).lines.length + 2 });
}

const END = '\r\n';
const betweenCells: Readonly<Record<Separator, string>> = { comma: ',', semicolon: ';', tab: '\t' };

async function* csvOf(summary: OpenSummary, sources: KindSources, between: string): AsyncGenerator<string> {
  const cell = (text: string) => (between !== ',' && text.includes(between) ? `"${text.replaceAll('"', '""')}"` : field(text));
  const { title, lines: about } = describeSummary(summary);
  const head = [title, ...about].map((line) => [safeCell(line)]);
  const lines = (rows: readonly (readonly string[])[]) => rows.map((row) => row.map(cell).join(between) + END).join('');
  yield `\ufeff${lines([...head, [''], titlesOf(summary)])}`;
  for await (const batch of cellsOf(summary, sources)) yield lines(batch);
}

function documentOf(summary: OpenSummary, sources: KindSources): Readable {
  const { owner, request, columns, logo } = summary;
  const { title, lines } = describeSummary(summary);
  const made = `${request.language === 'zh-TW' ? '製作於' : 'made'} ${timeIn(request.time.zone, request.language)(request.now)} ${request.time.zone}`;
  const isLandscape = columns.length > UPRIGHT_COLUMNS;
  const head = {
    title,
    lines,
    foot: `${title} · ${owner} · ${made} · Highline`,
    language: request.language,
    isLandscape,
    logo: logo ?? undefined,
  };
  return writeDocument(head, blocksOf(summary, sources));
}

async function* blocksOf(summary: OpenSummary, sources: KindSources): AsyncGenerator<DocumentBlock> {
  const { kind, request, columns } = summary;
  if (kind.head !== undefined) yield* kind.head(sources, request);
  yield {
    kind: 'table',
    columns: titlesOf(summary).map((title, at) => ({ title, ...(columns[at]![3] === 'number' && { kind: 'number' as const }) })),
  };
  let printed = 0;
  for await (const batch of cellsOf(summary, sources)) {
    const rows = batch.slice(0, MOST_PRINTED - printed).map((row) => row.map(protectedText));
    printed += rows.length;
    yield { kind: 'rows', rows };
    if (printed < MOST_PRINTED) continue;
    yield { kind: 'note', text: moreText(request.language) };
    return;
  }
  if (printed === 0) yield { kind: 'text', text: nothingText(request.language) };
}

const moreText = (language: Language) =>
  language === 'zh-TW'
    ? `僅列出前 ${MOST_PRINTED.toLocaleString('en-US')} 列，其餘請下載 Excel 或 CSV 檔案。`
    : `The first ${MOST_PRINTED.toLocaleString('en-US')} rows; the Excel and CSV files have the rest.`;
const nothingText = (language: Language) => (language === 'zh-TW' ? '此期間沒有資料。' : 'There is nothing in this period.');
