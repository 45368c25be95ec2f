import { sql } from 'kysely';
import { isId } from '../../kernel/ids.ts';
import { allOf, type Fragment, type Reader } from './fragment.ts';
import { rejectCursor, searchOf, sorted, type ListQuery, type SearchFields, type SortName } from './request.ts';

/** A list short enough to be sorted as a whole, paged by offset: groups, organizations, files. */
export interface ShortList {
  /** A complete select in list order. @param part `limit … offset …`, or `wholeList` */
  rows(part: Fragment): Fragment;
  /** The number of rows: `select count(*)::int as total …`. */
  readonly count: Fragment;
  /** Selects `place`, the position of a row from 1, by its `around`; undefined when there is no such row. By `id` if left out. */
  placeOf?(around: string): Fragment | undefined;
  /** The statements repeat: prepare them. */
  readonly prepared?: boolean;
}

/** The part of a list that is all of it. */
export const wholeList: Fragment = sql``;

/** What is special about a list of one statement. */
interface Selection<Query extends ListQuery> {
  /** `select … from …` */
  readonly select: Fragment;
  /** What is counted: the tables that the conditions need. */
  readonly table: Fragment;
  readonly where: readonly Fragment[];
  readonly fields: SearchFields<Query['field']>;
  /** The columns of each order; all of them change their direction. */
  readonly sorts: Readonly<Record<SortName<Query['sort']>, readonly Fragment[]>>;
  readonly sort: NonNullable<Query['sort']>;
  /** Orders rows that are equal, in any direction. */
  readonly tie?: Fragment;
}

/** A short list of one statement. @throws DomainError `request.invalid` for an unknown sort or field */
export function shortList<Query extends ListQuery>(query: Query, selection: Selection<Query>): ShortList {
  const { select, table, fields, sorts, sort, tie } = selection;
  const where = allOf([...selection.where, ...searchOf(query, fields)]);
  const { value: columns, descending } = sorted(query.sort ?? sort, sorts);
  const order = [
    ...columns.map((column) => sql`${column} ${descending ? sql`desc` : sql`asc`}`),
    ...(tie === undefined ? [] : [tie]),
  ];
  return {
    rows: (part) => sql`${select} where ${where} order by ${sql.join(order)} ${part}`,
    count: sql`select count(*)::int as total from ${table} where ${where}`,
  };
}

/** One page of a short list with its exact total. @throws DomainError `request.invalid` for a cursor */
export async function readShortPage<Row>(
  reader: Reader,
  list: ShortList,
  query: ListQuery,
  limit: number,
): Promise<{ rows: Row[]; total: number; offset: number }> {
  rejectCursor(query.cursor);
  const offset = query.around === undefined ? (query.offset ?? 0) : await offsetAround(reader, list, query.around, limit);
  const [rows, [count]] = await Promise.all([
    reader.rows<Row>(list.rows(sql`limit ${limit} offset ${offset}`), list.prepared),
    reader.rows<{ total: number }>(list.count, list.prepared),
  ]);
  return { rows, total: count!.total, offset };
}

/** Offset of the page that contains a row (SHR-04); 0 when the list does not contain it. */
async function offsetAround(reader: Reader, list: ShortList, around: string, limit: number): Promise<number> {
  const statement = list.placeOf === undefined ? placeById(list.rows(wholeList), around) : list.placeOf(around);
  if (statement === undefined) return 0;
  const [row] = await reader.rows<{ place: number | null }>(statement);
  return Math.floor(((row?.place ?? 1) - 1) / limit) * limit;
}

/** Selects the position of the row with this id among ordered rows; undefined for an invalid id. */
function placeById(ordered: Fragment, id: string): Fragment | undefined {
  if (!isId(id)) return undefined;
  return sql`select place from (select id, (row_number() over ())::int as place from (${ordered}) listed) placed
    where id = ${id}::uuid`;
}
