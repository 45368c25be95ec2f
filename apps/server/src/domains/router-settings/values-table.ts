import { routerSettings, type SettingsCatalogue } from '@highline/contract';
import { DomainError } from '../../kernel/index.ts';
import { FileFault, findSeparator, RecordReader } from '../../platform/tables/index.ts';

/** What a row sets: null removes the value of the device. */
export interface ValuesRow {
  /** In the text; the header is 1. */
  readonly row: number;
  readonly serial: string;
  readonly values: ReadonlyMap<string, string | null>;
  /** It has cells beyond the header: no one knows what they are of. */
  readonly isTooLong: boolean;
}

const REMOVES = '-';
const isSerial = (title: string) => ['sn', 'serial', 'serial number', '序號'].includes(title.trim().toLowerCase());

/**
 * Read values of devices from CSV.
 * @throws DomainError `settings.no_table`, `settings.unknown_path` and `settings.twice` with the title of the column
 */
export function readValuesTable(csv: string, catalogue: SettingsCatalogue): readonly ValuesRow[] {
  const [header = [], ...records] = readRecords(csv, catalogue);
  const titles = header.map((title) => title.trim());
  const serialAt = titles.findIndex((title) => isSerial(title));
  const columns = titles.flatMap((path, at) => (at === serialAt || path === '' ? [] : [{ path, at }]));
  if (serialAt < 0 || columns.length === 0 || records.length > routerSettings.MOST_IMPORT_ROWS) throw noTable();
  for (const { path } of columns)
    if (catalogue.find(path) === undefined) throw new DomainError('settings.unknown_path', { field: path.slice(0, 160) });
  const twice = columns.find(({ path }, index) => columns.findIndex((each) => each.path === path) < index);
  if (twice !== undefined) throw new DomainError('settings.twice', { field: twice.path });
  return records.flatMap((cells, index) => {
    if (cells.every((cell) => cell.trim() === '')) return [];
    const values = columns.flatMap(({ path, at }): [string, string | null][] => {
      const cell = (cells[at] ?? '').trim();
      return cell === '' ? [] : [[path, cell === REMOVES ? null : cell]];
    });
    const isTooLong = cells.slice(header.length).some((cell) => cell.trim() !== '');
    return [{ row: index + 2, serial: (cells[serialAt] ?? '').trim(), values: new Map(values), isTooLong }];
  });
}

const noTable = () => new DomainError('settings.no_table', { field: 'csv' });

function readRecords(csv: string, catalogue: SettingsCatalogue): readonly string[][] {
  const text = csv.replace(/^\uFEFF/u, '');
  const known = (record: readonly string[]) =>
    record.filter((title) => isSerial(title) || catalogue.find(title.trim()) !== undefined).length;
  const { separator, skipped } = findSeparator(text.slice(0, 20_000), known);
  try {
    return [...new RecordReader(separator).read(text.slice(skipped), true)];
  } catch (error) {
    if (error instanceof FileFault) throw noTable();
    throw error;
  }
}
