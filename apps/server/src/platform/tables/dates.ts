import type { deviceAdding, DateOrder } from '@highline/contract';

/** A date that does not say whether its first part is the day or the month. */
interface DayOrMonthFirst {
  readonly mdy: string | undefined;
  readonly dmy: string | undefined;
}

type WrittenDate = { readonly day: string } | { readonly either: DayOrMonthFirst } | 'impossible' | undefined;

/** `1. 12. 2026`, `12/31/2026`, `2026-12-31`; a spreadsheet adds a time, which a day does not have. */
const parts =
  /^(\d{1,4})(?<separator>[-./])\s?(\d{1,2})\k<separator>\s?(\d{1,4})\.?(?:T00:00(?::00(?:\.0+)?)?Z?| \d{1,2}:\d{2}(?::\d{2})?(?: [AP]M)?)?$/iu;
const chinese = /^(\d{4})年\s?(\d{1,2})月\s?(\d{1,2})日$/u;

function isoDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = year >= 1900 && year < 2200 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.toISOString().slice(0, 10) : undefined;
}

function readDate(text: string): WrittenDate {
  const found = parts.exec(text) ?? chinese.exec(text);
  if (found === null) return undefined;
  const numbers = text === found[0] && found.groups === undefined ? found.slice(1, 4) : [found[1], found[3], found[4]];
  const [first, second, third] = numbers as [string, string, string];
  const dayOf = (year: string, month: string, day: string) => isoDay(Number(year), Number(month), Number(day));
  if (first.length === 4 && third.length <= 2) return known(dayOf(first, second, third));
  if (first.length > 2 || third.length !== 4) return undefined;
  const dmy = dayOf(third, second, first);
  // No one writes the month first with dots.
  if (found.groups?.['separator'] === '.') return known(dmy);
  const mdy = dayOf(third, first, second);
  if (mdy === dmy) return known(dmy);
  return { either: { mdy, dmy } };
}

function known(day: string | undefined): WrittenDate {
  return day === undefined ? 'impossible' : { day };
}

/** Columns of dates of one file, whose order of day and month is decided when all rows were read. */
export interface DateColumns<Column extends string> {
  /** Look at the dates of a row. */
  add(dates: Readonly<Partial<Record<Column, string>>>): void;
  /**
   * The order of each column: a part above 12 decides it, in this or another column of the file. Dates of both orders in one column
   * decide nothing.
   * @param otherwise where nothing decides it
   */
  decide(otherwise: DateOrder): DateReader<Column>;
}

export interface DateReader<Column extends string> {
  /** Columns that nothing decided. */
  readonly ambiguous: readonly (deviceAdding.AmbiguousDates & { readonly order: DateOrder })[];
  /** An ISO day, or what is wrong with the date. */
  read(column: Column, text: string): { readonly day: string } | { readonly fault: string };
}

interface Counts {
  mdy: number;
  dmy: number;
  example: { readonly text: string; readonly mdy: string; readonly dmy: string } | undefined;
}

/** @param titles of the columns */
export function createDateColumns<Column extends string>(titles: Readonly<Record<Column, string>>): DateColumns<Column> {
  const columns = Object.keys(titles) as Column[];
  const counts = new Map<Column, Counts>(columns.map((column) => [column, { mdy: 0, dmy: 0, example: undefined }]));
  return {
    add(dates) {
      for (const column of columns) {
        const text = dates[column] ?? '';
        const date = text === '' ? undefined : readDate(text);
        if (typeof date !== 'object' || !('either' in date)) continue;
        const { mdy, dmy } = date.either;
        const count = counts.get(column)!;
        if (mdy === undefined) count.dmy += 1;
        else if (dmy === undefined) count.mdy += 1;
        else count.example ??= { text, mdy, dmy };
      }
    },
    decide(otherwise) {
      const all = [...counts.values()];
      const sum = (order: DateOrder) => all.reduce((total, count) => total + count[order], 0);
      const ofFile = orderOf({ mdy: sum('mdy'), dmy: sum('dmy') });
      const orders = new Map(columns.map((column) => [column, orderOf(counts.get(column)!) ?? ofFile]));
      const ambiguous = columns.flatMap((column) => {
        const { example } = counts.get(column)!;
        if (example === undefined || orders.get(column) !== undefined) return [];
        const { text, mdy, dmy } = example;
        return [{ column: titles[column], example: text.slice(0, 40), readings: { mdy, dmy }, order: otherwise }];
      });
      return {
        ambiguous,
        read: (column, text) => dayOf(titles[column], text, orders.get(column) ?? otherwise),
      };
    },
  };
}

function orderOf({ mdy, dmy }: Pick<Counts, DateOrder>): DateOrder | undefined {
  if (mdy > 0 === dmy > 0) return undefined;
  return mdy > 0 ? 'mdy' : 'dmy';
}

function dayOf(title: string, text: string, order: DateOrder): { readonly day: string } | { readonly fault: string } {
  const date = readDate(text);
  if (date === undefined) return { fault: `${title}: must be a date such as 12/31/2026, 31.12.2026 or 2026-12-31` };
  if (date === 'impossible') return { fault: `${title}: there is no day ${text.slice(0, 40)}` };
  if ('day' in date) return date;
  const { mdy, dmy } = date.either;
  // Only one reading is a day.
  const day = (order === 'mdy' ? mdy : dmy) ?? mdy ?? dmy;
  return day === undefined ? { fault: `${title}: there is no day ${text.slice(0, 40)}` } : { day };
}
