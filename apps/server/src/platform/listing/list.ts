import { sql } from 'kysely';
import { allOf, type Fragment } from './fragment.ts';
import type { Segment } from './order.ts';

/** A list to be paged by key: scope, order and columns. */
export interface List {
  /** See cursor.ts: identifies this list, so that cursors of others are rejected. */
  readonly fingerprint: string;
  /** The listed table with its alias; segments that read only this table use this very object. */
  readonly table: Fragment;
  readonly alias: string;
  /** Primary key of the listed table. */
  readonly identity: readonly string[];
  /** The column that is unique within the scope: `id` by default. */
  readonly ownKey?: string;
  /** Tenant condition; part of every statement of the list. */
  readonly scope: Fragment;
  /** Further conditions. */
  readonly filters: readonly Fragment[];
  /**
   * PostgreSQL can estimate the rows of these filters (values of an index, a range of the order itself), so it plans well by
   * itself. A text search is not estimable.
   */
  readonly estimatable?: boolean;
  /** Columns of a row; evaluated only for the rows of the page. */
  readonly columns: Fragment;
  /** Further tables that `columns` reads, as `left join …`. */
  readonly joins?: Fragment;
  /**
   * The group of a row, where `columns` and `joins` read nothing but what belongs to the row, found by its identity of UUIDs: for someone who is limited
   * they are read past the limit (decisions/0163, 0169).
   */
  readonly group?: Fragment;
  /** The only groups whose rows are read: those of the limit of the call, past which it is read. */
  readonly onlyGroups?: readonly string[];
  readonly segments: readonly Segment[];
  /** The statements of this list repeat (no rare filters): prepare them. */
  readonly prepared: boolean;
}

/** What a domain knows of a list that is paged by key; the rest follows from the call (define-list.ts). */
export interface KeyedList extends Omit<List, 'fingerprint' | 'prepared' | 'onlyGroups'> {
  readonly name: string;
  /** What the rows depend on besides scope and query: a day, a group. */
  readonly dependsOn?: unknown;
  /** Selects `total` and further totals; the number of rows if left out. */
  readonly count?: Fragment;
  /** The tables of the whole list, if its first segment does not read all rows. */
  readonly whole?: Fragment;
  /** By default, a list without filters is prepared. */
  readonly prepared?: boolean;
}

/** The rows that a list has in its scope. */
export function matching({ scope, filters }: Pick<List, 'scope' | 'filters'>): Fragment {
  return allOf([scope, ...filters]);
}

/** All rows of a list in its order, sorted by the database. */
export function wholeStatement(list: KeyedList): Fragment {
  const [first] = list.segments;
  return sql`select ${list.columns} from ${list.whole ?? first!.from} ${list.joins ?? sql``} where ${matching(list)}
    order by ${wholeOrder(list.segments)}`;
}

function wholeOrder(segments: readonly Segment[]): Fragment {
  // The keys of a segment that has all of them; if the leading one is null, the others order the rest.
  const { keys } = segments.reduce((most, segment) => (segment.keys.length > most.keys.length ? segment : most));
  const direction = segments[0]!.descending ? sql`desc` : sql`asc`;
  // `nulls last` covers "value, then none"; a longer order needs the number of the segment. The keys of a single segment are
  // never null, and without `nulls last` an index has their order in both directions.
  const parts = keys.map(({ column }) => sql`${column} ${direction}${segments.length > 1 ? sql` nulls last` : sql``}`);
  const slices = segments.map(({ where }, index) => sql`when ${where ?? sql`true`} then ${sql.lit(index)}`);
  const rank = segments.length > 2 ? [sql`case ${sql.join(slices, sql` `)} end`] : [];
  return sql.join([...rank, ...parts]);
}
