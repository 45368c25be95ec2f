import { routerSettings, tidySearch, type SettingsCatalogue } from '@highline/contract';
import { DomainError } from '../../kernel/index.ts';
import { importedText } from '../../platform/csv/index.ts';
import {
  FileFault,
  findColumns,
  findSeparator,
  ignoredTitles,
  isUnreadable,
  openWholeTable,
  RecordReader,
  type FileSummary,
  type ReadOptions,
} from '../../platform/tables/index.ts';

/** What a row sets: null removes the value of the device. */
export interface ValuesRow {
  /** In the text; the header is 1. */
  readonly row: number;
  readonly serial: string;
  readonly values: ReadonlyMap<string, string | null>;
  /** It has cells beyond the header: no one knows what they are of. */
  readonly isTooLong: boolean;
  /** The column whose text was damaged, or is in another encoding; empty for that of the serial number. */
  readonly unreadable?: string | undefined;
}

/** The rows of a table, and what was found out about its file. */
export interface ValuesTable {
  readonly rows: readonly ValuesRow[];
  readonly file: FileSummary;
}

interface Row {
  readonly row: number;
  readonly cells: readonly string[];
}

interface Columns {
  readonly serialAt: number;
  readonly paths: readonly { readonly path: string; readonly at: number; readonly isFlag: boolean }[];
  readonly width: number;
}

const REMOVES = '-';
const shape = { required: { serial: 'SN' } } as const;

/**
 * Read values of devices from a CSV file or a workbook.
 * @throws DomainError as `readValuesText`, `csv.*`
 */
export async function readValuesFile(path: string, options: ReadOptions, catalogue: SettingsCatalogue): Promise<ValuesTable> {
  const { header, known, rows, summarize } = await openWholeTable(path, shape, options);
  const columns = columnsOf(header, known[0]!, catalogue, 'file');
  const found: ValuesRow[] = [];
  for await (const row of rows) {
    found.push(valuesOf(row, columns));
    if (found.length > routerSettings.MOST_IMPORT_ROWS) throw noTable('file');
  }
  return { rows: found, file: summarize(readColumns(columns)) };
}

/**
 * Read values of devices from the text of a CSV.
 * @throws DomainError `settings.no_table`, `settings.unknown_path` and `settings.twice` with the title of the column
 */
export function readValuesText(csv: string, catalogue: SettingsCatalogue): ValuesTable {
  const [header = [], ...records] = readRecords(csv, catalogue);
  const { at, twice } = findColumns(header, shape);
  const serialAt = at.get('serial');
  if (serialAt === undefined || twice.length > 0) throw noTable('csv');
  const columns = columnsOf(header, serialAt, catalogue, 'csv');
  const rows = records.flatMap((cells, index) => {
    if (cells.every((cell) => cell.trim() === '')) return [];
    return [valuesOf({ row: index + 2, cells: cells.map((cell) => importedText(cell.trim())) }, columns)];
  });
  return { rows, file: { ignored: ignoredTitles(header, readColumns(columns)) } };
}

/** What begins like a path and is none would be missed; the other columns of our files are ignored. */
function columnsOf(header: readonly string[], serialAt: number, catalogue: SettingsCatalogue, field: Field): Columns {
  const titles = header.map((title) => title.trim());
  const found = titles.map((title, at) => (at === serialAt ? undefined : catalogue.find(title)));
  const unknown = titles.find((title, at) => at !== serialAt && title.includes('.') && found[at] === undefined);
  if (unknown !== undefined) throw new DomainError('settings.unknown_path', { field: unknown.slice(0, 160) });
  const paths = titles.flatMap((path, at) => {
    const setting = found[at];
    return setting === undefined ? [] : [{ path, at, isFlag: setting.kind.type === 'flag' }];
  });
  if (paths.length === 0) throw noTable(field);
  const twice = paths.find(({ path }, index) => paths.findIndex((each) => each.path === path) < index);
  if (twice !== undefined) throw new DomainError('settings.twice', { field: twice.path });
  return { serialAt, paths, width: header.length };
}

const readColumns = ({ serialAt, paths }: Columns) => new Set([serialAt, ...paths.map(({ at }) => at)]);

function valuesOf({ row, cells }: Row, { serialAt, paths, width }: Columns): ValuesRow {
  const serial = tidySearch(cells[serialAt] ?? '').trim();
  const values = paths.flatMap(({ path, at, isFlag }): [string, string | null][] => {
    const written = cells[at] ?? '';
    const cell = isFlag ? flagText(written) : written;
    return cell === '' ? [] : [[path, cell === REMOVES ? null : cell]];
  });
  const unreadable = isUnreadable(serial) ? '' : values.find(([, value]) => value !== null && isUnreadable(value))?.[0];
  return { row, serial, values: new Map(values), isTooLong: cells.slice(width).some((cell) => cell.trim() !== ''), unreadable };
}

/** Spreadsheets make `TRUE` and `FALSE` of what was typed as `true` and `false`. */
const flagText = (cell: string) => (/^(?:true|false)$/iu.test(cell) ? cell.toLowerCase() : cell);

/** The part of the call that has the table. */
type Field = 'csv' | 'file';
const noTable = (field: Field) => new DomainError('settings.no_table', { field });

function readRecords(csv: string, catalogue: SettingsCatalogue): readonly string[][] {
  const text = csv.replace(/^\uFEFF/u, '');
  const known = (record: readonly string[]) =>
    findColumns(record, shape).at.size + record.filter((title) => catalogue.find(title.trim()) !== undefined).length;
  const { separator, skipped } = findSeparator(text.slice(0, 20_000), known);
  const records: string[][] = [];
  try {
    for (const record of new RecordReader(separator).read(text.slice(skipped), true)) {
      // The header is one of them. A text of nothing but line breaks would hold everything else while it is read.
      if (records.length > routerSettings.MOST_IMPORT_ROWS) throw noTable('csv');
      records.push(record);
    }
    return records;
  } catch (error) {
    if (error instanceof FileFault) throw noTable('csv');
    throw error;
  }
}
