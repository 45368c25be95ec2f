import type { PageQuery } from '@highline/contract';
import { readPastedNumber } from '@highline/usp';
import { sql } from 'kysely';
import { invalidField } from '../../kernel/failure.ts';
import { isId } from '../../kernel/ids.ts';
import type { Fragment } from './fragment.ts';
import { manyOf } from './many.ts';
import { contains, searchable } from './search.ts';

/** What a call of any list may have: its page, order and search. */
export interface ListQuery extends PageQuery {
  /** Open the page that contains this row, instead of `offset` (SHR-04). */
  readonly around?: string | undefined;
}

/** Page size when the caller gave a position but no size. */
const DEFAULT_LIMIT = 50;

/** Page size of a call; undefined = the whole list, streamed (DECISIONS, Envelopes). */
export function limitOf(query: ListQuery): number | undefined {
  if (query.limit !== undefined) return query.limit;
  const position = query.offset ?? query.cursor ?? query.around;
  return position === undefined ? undefined : DEFAULT_LIMIT;
}

/** The columns among the sorts of a call: those without `-`. */
export type SortName<Sort extends string | undefined> = Sort extends `-${string}` | undefined ? never : Sort & string;

/** `-name` → the value of `name`, descending. @throws DomainError `request.invalid` when the list has no such column */
export function sorted<Column extends string, Value>(
  sort: string,
  columns: Readonly<Record<Column, Value>>,
): { readonly column: Column; readonly value: Value; readonly descending: boolean } {
  const descending = sort.startsWith('-');
  const column = known(columns, descending ? sort.slice(1) : sort);
  if (column === undefined) throw invalidField('sort', 'is not a column of this list');
  return { column, value: columns[column], descending };
}

/** The condition of a searched field: its column, or a condition made from "contains the text" and the text itself. */
type Searched = Fragment | ((has: (column: Fragment) => Fragment, text: string) => Fragment);

/** A field with MAC addresses, ICCIDs or the like: a number is found in whatever notation it is pasted. */
export const numberField =
  (column: Fragment): Searched =>
  (has, typed) =>
    containsNumber(column, typed, has);

/** "The column contains this number", in whatever notation it is pasted. @param has for a text that is no number */
export function containsNumber(column: Fragment, typed: string, has: (column: Fragment) => Fragment): Fragment {
  const number = readPastedNumber(typed);
  if (number === undefined) return has(column);
  const { text, others } = number;
  const part = contains(column, text);
  return others.length === 0 ? part : sql`(${part} or ${column} = any (${[...others]}::text[]))`;
}

/** The fields that a call can search; the first one is searched unless it names another. */
export type SearchFields<Field extends string | undefined> = Readonly<Record<NonNullable<Field>, Searched>>;

/** The search of a call as conditions: none without a text. @throws DomainError `request.invalid` for an unknown field */
export function searchOf<Query extends Pick<PageQuery, 'search' | 'field' | 'ignoreCase'>>(
  { search, field, ignoreCase }: Query,
  fields: SearchFields<Query['field']>,
): Fragment[] {
  if (search === undefined || search === '') return [];
  const name = field === undefined ? Object.keys(fields)[0] : known(fields, field);
  if (name === undefined) throw invalidField('field', 'cannot be searched here');
  const text = searchable(search, 'search');
  const has = (column: Fragment) => contains(column, text, { ignoreCase });
  const searched: Searched = fields[name as keyof typeof fields];
  return [typeof searched === 'function' ? searched(has, text) : has(searched)];
}

/**
 * The condition of rows that a call names by their ids, separated by commas: none without them. Others than those of the list's scope
 * are not found (BLK-01).
 * @param column the ids; uuids are compared as such, so that their index is used
 */
export function onlyOf(only: string | undefined, column: Fragment, type: 'uuid' | 'text'): Fragment[] {
  if (only === undefined) return [];
  const ids = only.split(',').filter((id) => (type === 'uuid' ? isId(id) : !id.includes('\0')));
  return [sql`${column} in ${manyOf(ids, type)}`];
}

/** Reject a cursor on lists without cursors. @throws DomainError `request.invalid` */
export function rejectCursor(cursor: string | undefined): void {
  if (cursor !== undefined) throw invalidField('cursor', 'does not belong to this list');
}

function known<Name extends string>(names: Readonly<Record<Name, unknown>>, name: string): Name | undefined {
  return Object.hasOwn(names, name) ? (name as Name) : undefined;
}
