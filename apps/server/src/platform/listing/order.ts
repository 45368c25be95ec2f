import { sql } from 'kysely';
import { z } from 'zod';
import { isDayText, isInstantText } from '../../kernel/calendar.ts';
import { isId } from '../../kernel/ids.ts';
import type { Fragment } from './fragment.ts';

/** How a key is encoded in a cursor and compared: text by its bytes, a name in natural order, instants with their microseconds. */
export type KeyKind = 'text' | 'name' | 'uuid' | 'day' | 'instant' | 'number';

/** One column of a sort. It is never null within its segment, so that a row comparison defines the order. */
export interface SortKey {
  readonly column: Fragment;
  readonly kind: KeyKind;
}

/**
 * A part of a sorted list whose rows one index holds in order. A list is the sequence of its segments: rows with a value before
 * rows without, subscribed before expiring.
 */
export interface Segment {
  /** Source of the rows; the listed table has the alias of the list. */
  readonly from: Fragment;
  readonly where?: Fragment;
  readonly keys: readonly SortKey[];
  readonly descending: boolean;
  /**
   * A column that is constant within the segment (null, say) and leads the index that holds its rows. Ordering by it first makes
   * PostgreSQL use that index; with the keys alone it might scan another index and skip most rows.
   */
  readonly lead?: Fragment;
  /** An index has the rows of each group in the same order: those of a few groups are merged from it. */
  readonly isByGroup?: boolean;
  /** Rows grouped by another table's rows, in that table's order: read group by group, never sorted as a whole. */
  readonly nested?: Nesting;
}

/** How the rows of a segment belong to those of an outer table. */
export interface Nesting {
  /** The outer table with its alias. */
  readonly outer: Fragment;
  readonly outerWhere: Fragment;
  /** This many leading keys are columns of the outer table and unique there. */
  readonly outerKeys: number;
  readonly inner: Fragment;
  /** The list's scope as the inner table's indexes hold it; the outer rows carry the rest. */
  readonly innerScope?: Fragment;
  /** Join condition of inner and outer row. */
  readonly on: Fragment;
  /** Selects the number of the inner rows of an outer row as `total`, where it is kept; without it they are counted. */
  readonly total?: Fragment;
}

const casts: Record<KeyKind, Fragment> = {
  text: sql`text`,
  name: sql`text`,
  uuid: sql`uuid`,
  day: sql`date`,
  instant: sql`timestamptz`,
  number: sql`bigint`,
};

const lowest: Record<KeyKind, Fragment> = {
  text: sql`''`,
  name: sql`''`,
  uuid: sql`'00000000-0000-0000-0000-000000000000'::uuid`,
  day: sql`'-infinity'::date`,
  instant: sql`'-infinity'::timestamptz`,
  number: sql`-9223372036854775808`,
};

const highest: Record<KeyKind, Fragment> = {
  // Above every name by its bytes: the highest code point.
  text: sql`${'\u{10FFFF}'}::text`,
  // The highest weight of every collation (UTS 35).
  name: sql`${'\uffff'}::text`,
  uuid: sql`'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid`,
  day: sql`'infinity'::date`,
  instant: sql`'infinity'::timestamptz`,
  number: sql`9223372036854775807`,
};

/** A cursor value as a parameter of its kind. */
export function bind(key: SortKey, value: string): Fragment {
  return sql`${value}::${casts[key.kind]}`;
}

/** A text as a value of a key, in the order of its index. */
export function casted({ kind }: SortKey, text: Fragment): Fragment {
  if (kind === 'name') return natural(text);
  return kind === 'text' ? sql`${text} collate "C"` : sql`${text}::${casts[kind]}`;
}

/** A value before or after every value of a kind. */
export function bound(key: SortKey, ofHighest: boolean): Fragment {
  return ofHighest ? highest[key.kind] : lowest[key.kind];
}

/** A name in natural order: numbers within it by value, without case, umlauts with their letter. */
export function natural(name: Fragment): Fragment {
  return sql`${name} collate natural_order`;
}

/** A sort by a name, in natural order. */
export function nameSortKey(column: Fragment): SortKey {
  return { column: natural(column), kind: 'name' };
}

const text = z
  .string()
  .max(1_000)
  .refine((value) => !value.includes('\0'));

/** Valid cursor values of each kind; anything else was not made by us. */
export const keyValue: Record<KeyKind, z.ZodType<string>> = {
  text,
  name: text,
  uuid: z.string().refine(isId),
  day: z.string().refine(isDayText),
  number: z.string().regex(/^-?\d{1,18}$/u),
  instant: z.string().refine(isInstantText),
};
