import { firstOf, lengthOf, tidySearch } from '@highline/contract';
import { openTable, type FileSummary, type ReadOptions, type TableRow, type TableShape } from '../../platform/tables/index.ts';
import type { ProfileInput } from './validate-profile.ts';

type Needed = 'serial' | 'eid' | 'ac' | 'apn1';

export type Column = Needed | 'iccid' | 'apn2' | 'name';

type Extra = 'confirmation' | 'iccidConfirmed';

/** The columns of the template (SIM-04). */
export const importColumns = {
  serial: 'SN',
  eid: 'EID',
  ac: 'Activation Code',
  iccid: 'ICCID',
  apn1: 'APN1',
  apn2: 'APN2',
  name: 'NAME',
} as const satisfies Record<Column, string>;

const { iccid, apn2, name, ...needed } = importColumns;

/** Required is what every profile needs; only a preloaded one needs its ICCID, and only some activation codes a confirmation code. */
export const profileShape: TableShape<Needed, Column | Extra> = {
  required: needed,
  optional: { ...needed, iccid, apn2, name, confirmation: 'confirmation_code', iccidConfirmed: 'iccid_confirmed' },
};

export interface ReadRow {
  readonly row: number;
  /** Shortened, for the error list; the confirmation code is never returned. */
  readonly cells: Readonly<Record<Column, string>>;
  /** The same in full, for the report. */
  readonly whole: Readonly<Record<Column, string>>;
  readonly input: ProfileInput;
  /** Its text cannot be read, or is longer than its field. */
  readonly fault: string | undefined;
}

export async function readRows(path: string, options: ReadOptions): Promise<{ rows: ReadRow[]; summary: FileSummary }> {
  const read: ReadRow[] = [];
  const { summary, rows } = await openTable(path, profileShape, options);
  for await (const row of rows) read.push(readRow(row));
  return { rows: read, summary };
}

/** The same limits as the manual form. */
const longest = { serial: 60, eid: 60, ac: 255, iccid: 60, apn1: 100, apn2: 100, name: 100 } as const satisfies Record<
  Column,
  number
>;

function readRow({ row, cells: written, fault }: TableRow<Needed, Column | Extra>): ReadRow {
  const columns = Object.keys(importColumns) as Column[];
  const textsOf = (text: (column: Column) => string) =>
    Object.fromEntries(columns.map((column) => [column, text(column)])) as Record<Column, string>;
  const whole = textsOf((column) => plain(written[column] ?? ''));
  const cells = textsOf((column) => firstOf(whole[column], longest[column]));
  const { serial, eid, ac: code, iccid: typedIccid, apn1: apn, apn2: secondApn, name: typedName } = cells;
  const confirmation = plain(written.confirmation ?? '');
  const iccidConfirmed = confirmedOf(written.iccidConfirmed ?? '');
  const input = {
    serial,
    eid,
    code,
    confirmation,
    iccid: typedIccid,
    iccidConfirmed,
    apn,
    apn2: secondApn,
    name: typedName,
  };
  return { row, cells, whole, input, fault: fault ?? lengthFault(whole) };
}

/** A value that is too long for its field must not be used in its cut form. */
function lengthFault(whole: ReadRow['whole']): string | undefined {
  const column = (Object.keys(longest) as Column[]).find((each) => lengthOf(whole[each]) > longest[each]);
  return column && `${importColumns[column]}: at most ${longest[column]} characters.`;
}

/** What the column says: a number, or that the one which is probably meant is right. */
function confirmedOf(text: string): string | true | undefined {
  const said = plain(text);
  if (said === '') return undefined;
  return /^(?:1|x|ok|y|yes|true|confirmed|是|已確認)$/iu.test(said) ? true : said.slice(0, 60);
}

/** A value without control and invisible characters; a quoted cell may contain them. */
function plain(text: string): string {
  return tidySearch(text.toWellFormed().replaceAll(/\p{Cc}/gu, ' ')).trim();
}
