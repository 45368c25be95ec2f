import { sql } from 'kysely';
import { allOf, type Fragment } from './fragment.ts';
import type { List } from './list.ts';
import { bind, bound, casted, type Segment, type SortKey } from './order.ts';

/** A range of one segment. */
export interface SegmentRead {
  readonly limit: number;
  readonly skip: number;
  readonly backward: boolean;
  /** Begin after the row with these keys, in reading direction. */
  readonly keys?: readonly string[];
  /** Include that row. */
  readonly inclusive?: boolean;
}

/**
 * The rows of a range, in list order, each with its keys as `#0`, `#1` …: their keys come from an index, and the columns of only
 * these few rows are fetched.
 */
export function sliceOf(list: List, segment: Segment, read: SegmentRead): Fragment {
  return sql`select ${list.columns}, ${anchorsOf(segment)}
    from (${foundRows(list, segment, read)}) place join ${list.table} on ${isPlace(list)} ${list.joins ?? sql``}
    ${inOrder(segment, read)}`;
}

/** Of the rows of `sliceOf`, only what identifies them and their keys. */
export function placesOf(list: List, segment: Segment, read: SegmentRead): Fragment {
  return sql`select ${sql.join(list.identity.map((column) => sql.ref(`place.${column}`)))}, ${anchorsOf(segment)}
    from (${foundRows(list, segment, read)}) place ${inOrder(segment, read)}`;
}

/** The rows of `sliceOf`, by what `placesOf` has read of them. */
export function rowsAt(list: List, segment: Segment, places: readonly Readonly<Record<string, string>>[]): Fragment {
  const names = segment.keys.map((_, index) => `#${index}`);
  const valuesOf = (name: string) => places.map((place) => place[name]!);
  const arrays = [
    ...list.identity.map((column) => sql`${valuesOf(column)}::uuid[]`),
    ...names.map((name) => sql`${valuesOf(name)}::text[]`),
  ];
  const columns = [...list.identity, ...names].map((name) => sql.id(name));
  return sql`select ${list.columns}, ${sql.join(names.map((name) => sql.ref(`place.${name}`)))}
    from unnest(${sql.join(arrays)}) with ordinality as place (${sql.join(columns)}, "#")
    join ${list.table} on ${isPlace(list)} ${list.joins ?? sql``} order by place."#"`;
}

function foundRows(list: List, segment: Segment, read: SegmentRead): Fragment {
  return segment.nested === undefined ? flatRows(list, segment, read) : nestedRows(list, segment, read);
}

const isPlace = ({ identity, alias }: List): Fragment =>
  allOf(identity.map((column) => sql`${sql.ref(`${alias}.${column}`)} = ${sql.ref(`place.${column}`)}`));

const placeKeys = ({ keys }: Segment): Fragment[] => keys.map((_, index) => sql.ref(`place.${keyName(index)}`));

const anchorsOf = (segment: Segment): Fragment =>
  sql.join(placeKeys(segment).map((key, index) => sql`${key}::text as ${sql.id(`#${index}`)}`));

function inOrder(segment: Segment, read: SegmentRead): Fragment {
  const direction = directionOf(isUpward(segment, read));
  return sql`order by ${sql.join(placeKeys(segment).map((key) => sql`${key} ${direction}`))}`;
}

function flatRows(list: List, segment: Segment, read: SegmentRead): Fragment {
  const upward = isUpward(segment, read);
  const conditions = conditionsOf(list, segment);
  if (read.keys !== undefined) conditions.push(beyond(segment.keys, bindAll(segment.keys, read.keys), upward, read.inclusive));
  const found = (also: readonly Fragment[]) =>
    sql`select ${identityOf(list)}, ${namedKeys(segment.keys)} from ${segment.from} where ${allOf([...conditions, ...also])}
      order by ${leadOf(segment, upward)}${orderBy(segment.keys, upward)}`;
  const part = sql`limit ${sql.lit(read.limit)} ${read.skip === 0 ? sql`` : sql`offset ${read.skip}`}`;
  const { group, onlyGroups } = list;
  if (group === undefined || onlyGroups === undefined) return sql`${found([])} ${part}`;
  const isMerged = segment.isByGroup === true && onlyGroups.length > 0 && onlyGroups.length <= MOST_MERGED;
  if (!isMerged) return sql`${found([sql`${group} = any (${[...onlyGroups]}::text[])`])} ${part}`;
  // Ordered one by one, or PostgreSQL would sort them all.
  const merged = sql.join(
    onlyGroups.map((key) => sql`(${found([sql`${group} = ${key}`])})`),
    sql` union all `,
  );
  const order = segment.keys.map((_, index) => sql`${sql.ref(keyName(index))} ${directionOf(upward)}`);
  return sql`select * from (${merged}) merged order by ${sql.join(order)} ${part}`;
}

/** Groups whose rows are merged; those of more are found sooner along the order of the list, which is mostly theirs. */
const MOST_MERGED = 8;

/** Read the outer rows in order and take at most a page from each; stop as soon as the page is full. */
function nestedRows(list: List, segment: Segment, read: SegmentRead): Fragment {
  const { outer, outerWhere, outerKeys, inner, on } = segment.nested!;
  const upward = isUpward(segment, read);
  const { heads, tails } = splitKeys(segment, outerKeys);
  const outerConditions = [outerWhere];
  const innerConditions = [...innerConditionsOf(list, segment), on];
  if (read.keys !== undefined) {
    const values = bindAll(heads, read.keys);
    outerConditions.push(beyond(heads, values, upward, true));
    // Only the outer row of the position starts in its middle; later ones start at their beginning.
    const atHead = sql`${tuple(heads.map((key) => key.column))} = ${tuple(values)}`;
    const begin = tails.map((key, index) => {
      const value = bind(key, read.keys![outerKeys + index]!);
      return sql`case when ${atHead} then ${value} else ${bound(key, !upward)} end`;
    });
    innerConditions.push(beyond(tails, begin, upward, read.inclusive));
  }
  const tailRefs = tails.map((_, index) => sql.ref(`r.${keyName(outerKeys + index)}`));
  const order = [...heads.map((key) => key.column), ...tailRefs].map((column) => sql`${column} ${directionOf(upward)}`);
  return sql`select ${sql.join(list.identity.map((column) => sql.ref(`r.${column}`)))}, ${namedKeys(heads)}, ${sql.join(tailRefs)}
    from ${outer} cross join lateral (
      select ${identityOf(list)}, ${namedKeys(tails, outerKeys)} from ${inner} where ${allOf(innerConditions)}
      order by ${orderBy(tails, upward)} limit ${sql.lit(read.limit + read.skip)}
    ) r where ${allOf(outerConditions)} order by ${sql.join(order)} limit ${sql.lit(read.limit)} offset ${sql.lit(read.skip)}`;
}

/**
 * The keys and the `place` (from 1) of every so many rows of a segment. In a nested one, places begin at each outer row, whose first
 * row has their `total`.
 */
export function sampledRowsOf(list: List, segment: Segment, distance: number): Fragment {
  const upward = !segment.descending;
  const every = sql`% ${sql.lit(distance)} = ${sql.lit(1 % distance)}`;
  if (segment.nested === undefined) {
    const order = sql`${leadOf(segment, upward)}${orderBy(segment.keys, upward)}`;
    const names = segment.keys.map((_, index) => sql`p.${sql.id(keyName(index))}::text as ${sql.id(keyName(index))}`);
    return sql`select ${sql.join(names)}, p.place::int as place from (
        select ${namedKeys(segment.keys)}, row_number() over (order by ${order}) as place
        from ${segment.from} where ${allOf(conditionsOf(list, segment))}
      ) p where p.place ${every} order by p.place`;
  }
  const { outer, outerWhere, outerKeys, inner, on } = segment.nested;
  const { heads, tails } = splitKeys(segment, outerKeys);
  const conditions = allOf([...innerConditionsOf(list, segment), on]);
  return sql`select ${textKeys(heads)}, ${sql.join(tails.map((_, index) => sql.ref(`r.${keyName(outerKeys + index)}`)))}, r.place,
      case when r.place = 1 then (select count(*)::int from ${inner} where ${conditions}) end as total
    from ${outer} cross join lateral (
      select ${textKeys(tails, outerKeys)}, (row_number() over (order by ${orderBy(tails, upward)}))::int as place
      from ${inner} where ${conditions}
    ) r where ${outerWhere} and r.place ${every} order by ${orderBy(heads, upward)}, r.place`;
}

/** Each non-empty outer row of a nested segment with its row count, in list order. */
export function outerCounts(list: List, segment: Segment): Fragment {
  const { outer, outerWhere, outerKeys, inner, on, total } = segment.nested!;
  const { heads } = splitKeys(segment, outerKeys);
  const counted = sql`select count(*)::int as total from ${inner} where ${allOf([...innerConditionsOf(list, segment), on])}`;
  return sql`select ${textKeys(heads)}, n.total from ${outer} cross join lateral (${total ?? counted}) n where ${outerWhere} and n.total > 0 order by ${orderBy(heads, !segment.descending)}`;
}

/** The keys of the row at an offset within one outer row, which is given by its keys. */
export function anchorWithin(list: List, segment: Segment, head: readonly string[], skip: number): Fragment {
  const { outer, outerWhere, outerKeys, inner, on } = segment.nested!;
  const { heads, tails } = splitKeys(segment, outerKeys);
  const thisOne = sql`${tuple(heads.map((key) => key.column))} = ${tuple(bindAll(heads, head))}`;
  return sql`select ${sql.join(segment.keys.map((_, index) => sql.ref(`r.${keyName(index)}`)))}
    from ${outer} cross join lateral (
      select ${textKeys(heads)}, ${textKeys(tails, outerKeys)} from ${inner} where ${allOf([...innerConditionsOf(list, segment), on])}
      order by ${orderBy(tails, !segment.descending)} limit 1 offset ${skip}
    ) r where ${outerWhere} and ${thisOne}`;
}

/** The keys of the row that a condition finds in a segment. */
export function anchorOf(list: List, segment: Segment, condition: Fragment): Fragment {
  const conditions = allOf([...conditionsOf(list, segment), condition]);
  return sql`select ${textKeys(segment.keys)} from ${segment.from} where ${conditions} limit 1`;
}

/** Number of rows of a segment before the row with these keys, as `total`. */
export function countBefore(list: List, segment: Segment, keys: readonly string[]): Fragment {
  const before = beyond(segment.keys, bindAll(segment.keys, keys), segment.descending);
  const conditions = allOf([...conditionsOf(list, segment), before]);
  return sql`select count(*)::int as total from ${segment.from} where ${conditions}`;
}

/** As `countBefore`, from the row with the keys `from` on, which is counted. */
export function countBetween(list: List, segment: Segment, from: readonly string[], keys: readonly string[]): Fragment {
  const upward = !segment.descending;
  const range = [
    beyond(segment.keys, bindAll(segment.keys, from), upward, true),
    beyond(segment.keys, bindAll(segment.keys, keys), !upward),
  ];
  return sql`select count(*)::int as total from ${segment.from} where ${allOf([...conditionsOf(list, segment), ...range])}`;
}

/** How many of these keys of rows are not behind the row with `keys`, as `total`. */
export function keysUpTo(segment: Segment, rows: readonly (readonly string[])[], keys: readonly string[]): Fragment {
  const columns = segment.keys.map((_, index) => sql`${rows.map((row) => row[index]!)}::text[]`);
  const names = segment.keys.map((_, index) => sql.id(keyName(index)));
  const values = segment.keys.map((key, index) => casted(key, sql.ref(`known.${keyName(index)}`)));
  const sign = segment.descending ? sql`>=` : sql`<=`;
  return sql`select count(*)::int as total from unnest(${sql.join(columns)}) known (${sql.join(names)})
    where ${tuple(values)} ${sign} ${tuple(bindAll(segment.keys, keys))}`;
}

/** The number of rows of every segment, counted in one scan. */
export function segmentCounts(list: List): Fragment {
  const counts = list.segments.map(
    ({ where }, index) => sql`(count(*) filter (where ${where ?? sql`true`}))::int as ${sql.id(keyName(index))}`,
  );
  return sql`select ${sql.join(counts)} from ${list.table} where ${allOf([list.scope, ...list.filters])}`;
}

/** Result column name of a key or a count. */
export function keyName(index: number): string {
  return `key_${index}`;
}

function conditionsOf(list: List, { where }: Segment): Fragment[] {
  return [list.scope, ...list.filters, ...(where === undefined ? [] : [where])];
}

/** When the outer rows are within the scope, the inner rows need no scope condition, which their index may not support. */
function innerConditionsOf(list: List, { where, nested }: Segment): Fragment[] {
  return [nested?.innerScope ?? list.scope, ...list.filters, ...(where === undefined ? [] : [where])];
}

function splitKeys({ keys }: Segment, outerKeys: number) {
  return { heads: keys.slice(0, outerKeys), tails: keys.slice(outerKeys) };
}

function beyond(keys: readonly SortKey[], values: readonly Fragment[], upward: boolean, orEqual = false): Fragment {
  const sign = upward ? sql`>` : sql`<`;
  return sql`${tuple(keys.map((key) => key.column))} ${sign}${orEqual ? sql`=` : sql``} ${tuple(values)}`;
}

function tuple(values: readonly Fragment[]): Fragment {
  return sql`(${sql.join([...values])})`;
}

function bindAll(keys: readonly SortKey[], values: readonly string[]): Fragment[] {
  return keys.map((key, index) => bind(key, values[index]!));
}

function isUpward(segment: Segment, read: SegmentRead): boolean {
  return segment.descending === read.backward;
}

function directionOf(upward: boolean): Fragment {
  return upward ? sql`asc` : sql`desc`;
}

function orderBy(keys: readonly SortKey[], upward: boolean): Fragment {
  return sql.join(keys.map((key) => sql`${key.column} ${directionOf(upward)}`));
}

function leadOf({ lead }: Segment, upward: boolean): Fragment {
  return lead === undefined ? sql`` : sql`${lead} ${directionOf(upward)}, `;
}

function namedKeys(keys: readonly SortKey[], from = 0): Fragment {
  return sql.join(keys.map((key, index) => sql`${key.column} as ${sql.id(keyName(from + index))}`));
}

function textKeys(keys: readonly SortKey[], from = 0): Fragment {
  return sql.join(keys.map((key, index) => sql`${key.column}::text as ${sql.id(keyName(from + index))}`));
}

function identityOf(list: List): Fragment {
  return sql.join(list.identity.map((column) => sql.ref(`${list.alias}.${column}`)));
}
