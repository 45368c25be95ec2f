import { sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';
import { arraysOf, planMixed, type Segment } from '../../platform/segments/segments.ts';
import type { Fix } from './fix.ts';
import { plannedOnce } from '../../platform/ports/planned-once.ts';

/** A position as it is stored. */
export interface StoredFix extends Fix {
  readonly routerId: string;
  /** Farther from the position before than a vehicle can drive in the time. */
  readonly isJump: boolean;
}

/** What is known of the open segment of a router while it is locked. */
export interface OpenFixes {
  /** Of its first position, epoch milliseconds. */
  readonly at: number;
  readonly count: number;
  /** Of its newest position, epoch milliseconds; -Infinity = it is empty. */
  readonly lastAt: number;
  /** Whether it has a position of a time, epoch milliseconds. */
  has(at: number): boolean;
}

/** Positions of a router that are not stored yet, in order of time, each second once. */
export interface NewFixes {
  readonly routerId: string;
  readonly open: OpenFixes;
  readonly fixes: readonly StoredFix[];
}

/** Lock the open segments of routers until the end of the transaction. A router without one gets an empty one. @param routerIds in order */
export async function lockOpenSegments(tx: Tx, routerIds: readonly string[]): Promise<Map<string, OpenFixes>> {
  const ids = sql`${[...routerIds]}::uuid[]`;
  const lock = () =>
    sql<OpenRow>`${plannedOnce}select router_id, at, cardinality(seconds) as count, coalesce(seconds[cardinality(seconds)], 0) as last, seconds::text as seconds
      from open_position_segments where router_id = any (${ids}) order by router_id for update`.execute(tx);
  let { rows } = await lock();
  if (rows.length < routerIds.length) {
    await sql`insert into open_position_segments (router_id, at, seconds, latitudes, longitudes, accuracies, speeds, headings)
      select id, 'epoch', '{}', '{}', '{}', '{}', '{}', '{}' from unnest(${ids}) id on conflict do nothing`.execute(tx);
    ({ rows } = await lock());
  }
  return new Map(rows.map((row) => [row.router_id, toOpenFixes(row)]));
}

interface OpenRow {
  readonly router_id: string;
  readonly at: Date;
  readonly count: number;
  /** Seconds from `at` to the newest position. */
  readonly last: number;
  /** As PostgreSQL writes arrays: only few are read. */
  readonly seconds: string;
}

function toOpenFixes({ at, count, last, seconds }: OpenRow): OpenFixes {
  const first = at.getTime();
  let known: Set<string> | undefined;
  return {
    at: first,
    count,
    lastAt: count === 0 ? -Infinity : first + last * 1_000,
    has(time) {
      known ??= new Set(seconds.slice(1, -1).split(','));
      return known.has(String((time - first) / 1_000));
    },
  };
}

/** The times of routers' stored positions between the first and the last of these, as `router time`. */
export async function readStoredTimes(
  tx: Tx,
  times: readonly { readonly routerId: string; readonly first: number; readonly last: number }[],
): Promise<Set<string>> {
  if (times.length === 0) return new Set();
  const of = (key: 'first' | 'last') => times.map((each) => new Date(each[key]).toISOString());
  const { rows } = await sql<{ router_id: string; at: Date }>`${plannedOnce}select k.router_id, p.at
    from unnest(${times.map(({ routerId }) => routerId)}::uuid[], ${of('first')}::timestamptz[], ${of('last')}::timestamptz[]) k (router_id, first, last)
      cross join lateral positions_between(k.router_id, k.first, k.last + interval '1 second') p`.execute(tx);
  return new Set(rows.map(({ router_id: id, at }) => `${id} ${at.getTime()}`));
}

/**
 * Store positions: those behind the open segment in it, or in a new one if its hour is over or it is full; late ones in it too as far as they are of its
 * hour and fit, or in segments of their own.
 */
export async function storeInSegments(tx: Tx, added: readonly NewFixes[]): Promise<void> {
  const plans = added.map(({ routerId, open: { at, count, lastAt }, fixes }) => {
    const open = count === 0 ? undefined : { at, count, group: '' };
    return { routerId, ...planMixed(fixes, { open, lastAt }) };
  });
  const closing = plans.filter(({ closesOpen }) => closesOpen).map(({ routerId }) => routerId);
  if (closing.length > 0)
    await sql`insert into position_segments select * from open_position_segments where router_id = any (${closing}::uuid[])`.execute(
      tx,
    );
  const complete = plans.flatMap((plan) => plan.complete);
  if (complete.length > 0)
    await sql`${plannedOnce}insert into position_segments (${columns}) select * from ${rowsOf(complete)} s`.execute(tx);
  await addToOpen(
    tx,
    plans.flatMap(({ open }) => open ?? []),
  );
  await mixIntoOpen(
    tx,
    plans.flatMap(({ mixed }) => mixed ?? []),
  );
}

const arrays = ['seconds', 'latitudes', 'longitudes', 'accuracies', 'speeds', 'headings', 'jumps'] as const;
const columns = sql.join(['router_id', 'at', ...arrays].map((name) => sql.ref(name)));

/** Append to open segments that begin at the same time, and replace the others. */
async function addToOpen(tx: Tx, segments: readonly Segment<StoredFix>[]): Promise<void> {
  if (segments.length === 0) return;
  const changes = sql.join(
    arrays.map((name) => {
      const [before, added] = [sql.ref(`o.${name}`), sql.ref(`s.${name}`)];
      return sql`${sql.ref(name)} = case when o.at = s.at then ${before} || ${added} else ${added} end`;
    }),
  );
  await sql`${plannedOnce}update open_position_segments o set at = s.at, ${changes} from ${rowsOf(segments)} s where o.router_id = s.router_id`.execute(
    tx,
  );
}

/** Sort positions into open segments, which may begin earlier then. */
async function mixIntoOpen(tx: Tx, segments: readonly Segment<StoredFix>[]): Promise<void> {
  if (segments.length === 0) return;
  const values = sql.raw('second, latitude, longitude, accuracy, speed, heading');
  const arraysFrom = (alias: 'b' | 's') =>
    sql.join(
      ['seconds', 'latitudes', 'longitudes', 'accuracies', 'speeds', 'headings'].map((name) => sql.ref(`${alias}.${name}`)),
    );
  await sql`${plannedOnce}update open_position_segments o set at = m.at, seconds = m.seconds, latitudes = m.latitudes, longitudes = m.longitudes,
      accuracies = m.accuracies, speeds = m.speeds, headings = m.headings, jumps = m.jumps
    from (
      select s.router_id, s.at, sorted.*, (select array_agg((jump + shift)::smallint) from unnest(b.jumps) jump) || s.jumps as jumps
      from ${rowsOf(segments)} s
        join open_position_segments b on b.router_id = s.router_id
        cross join lateral (select extract(epoch from b.at - s.at)::integer as shift) later
        cross join lateral (
          select array_agg(second) as seconds, array_agg(latitude) as latitudes, array_agg(longitude) as longitudes,
            array_agg(accuracy) as accuracies, array_agg(speed) as speeds, array_agg(heading) as headings
          from (
            select (second + shift)::smallint as second, latitude, longitude, accuracy, speed, heading
              from unnest(${arraysFrom('b')}) as before (${values})
            union all
            select ${values} from unnest(${arraysFrom('s')}) as added (${values})
            order by second
          ) both_of
        ) sorted
    ) m where o.router_id = m.router_id`.execute(tx);
}

/** The rows of segments, with `columns`. */
function rowsOf(segments: readonly Segment<StoredFix>[]) {
  const of = (write: (fix: StoredFix, segment: Segment<StoredFix>) => number | null) => arraysOf(segments, write);
  const tenths = (value: number | null) => (value === null ? null : Math.round(value * 10));
  const degrees = (value: number) => Math.round(value * 1e7);
  const jumps = segments.map(({ at, rows }) => {
    const seconds = rows.filter(({ isJump }) => isJump).map((fix) => (fix.at - at) / 1_000);
    return seconds.length === 0 ? null : `{${seconds.join()}}`;
  });
  return sql`(select router_id, at, seconds::smallint[], latitudes::integer[], longitudes::integer[], accuracies::real[], speeds::smallint[],
      headings::smallint[], jumps::smallint[]
    from unnest(${segments.map(({ rows }) => rows[0]!.routerId)}::uuid[], ${segments.map(({ at }) => new Date(at).toISOString())}::timestamptz[],
      ${of((fix, { at }) => (fix.at - at) / 1_000)}::text[], ${of(({ latitude }) => degrees(latitude))}::text[],
      ${of(({ longitude }) => degrees(longitude))}::text[], ${of(({ accuracy }) => accuracy)}::text[],
      ${of(({ speed }) => tenths(speed))}::text[], ${of(({ heading }) => tenths(heading))}::text[], ${jumps}::text[])
      u (${columns}))`;
}
