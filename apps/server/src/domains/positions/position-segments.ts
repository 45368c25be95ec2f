import { sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';
import { arraysOf, planSegments, type Segment } from '../../platform/segments/segments.ts';
import type { Fix } from './fix.ts';

/** A position as it is stored. */
export interface StoredFix extends Fix {
  readonly routerId: string;
  /** Farther from the position before than a vehicle can drive in the time. */
  readonly isJump: boolean;
}

/** What is known of the open segment of a router while it is locked. */
export interface OpenFixes {
  /** Epoch milliseconds; of an empty segment 0. */
  readonly at: number;
  /** The times of its positions, epoch milliseconds. */
  readonly times: ReadonlySet<number>;
  /** The newest of them; -Infinity = it is empty. */
  readonly lastAt: number;
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
    sql<{ router_id: string; at: Date; seconds: number[] }>`select router_id, at, seconds from open_position_segments
      where router_id = any (${ids}) order by router_id for update`.execute(tx);
  let { rows } = await lock();
  if (rows.length < routerIds.length) {
    await sql`insert into open_position_segments (router_id, at, seconds, latitudes, longitudes, accuracies, speeds, headings)
      select id, 'epoch', '{}', '{}', '{}', '{}', '{}', '{}' from unnest(${ids}) id on conflict do nothing`.execute(tx);
    ({ rows } = await lock());
  }
  return new Map(rows.map(({ router_id: id, at, seconds }) => [id, toOpenFixes(at.getTime(), seconds)]));
}

function toOpenFixes(at: number, seconds: readonly number[]): OpenFixes {
  const times = new Set(seconds.map((second) => at + second * 1_000));
  return { at, times, lastAt: seconds.length === 0 ? -Infinity : at + seconds.at(-1)! * 1_000 };
}

/** The times of routers' stored positions between the first and the last of these, as `router time`. */
export async function readStoredTimes(
  tx: Tx,
  times: readonly { readonly routerId: string; readonly first: number; readonly last: number }[],
): Promise<Set<string>> {
  if (times.length === 0) return new Set();
  const of = (key: 'first' | 'last') => times.map((each) => new Date(each[key]).toISOString());
  const { rows } = await sql<{ router_id: string; at: Date }>`select k.router_id, p.at
    from unnest(${times.map(({ routerId }) => routerId)}::uuid[], ${of('first')}::timestamptz[], ${of('last')}::timestamptz[]) k (router_id, first, last)
      cross join lateral positions_between(k.router_id, k.first, k.last + interval '1 second') p`.execute(tx);
  return new Set(rows.map(({ router_id: id, at }) => `${id} ${at.getTime()}`));
}

/** Store positions: those behind the open segment in it, or in a new one if its hour is over or it is full; late ones in segments of their own. */
export async function storeInSegments(tx: Tx, added: readonly NewFixes[]): Promise<void> {
  const plans = added.map(({ routerId, open: { at, times, lastAt }, fixes }) => {
    const open = times.size === 0 ? undefined : { at, count: times.size, group: '' };
    return { routerId, ...planSegments(fixes, { open, lastAt }) };
  });
  const closing = plans.filter(({ closesOpen }) => closesOpen).map(({ routerId }) => routerId);
  if (closing.length > 0)
    await sql`insert into position_segments select * from open_position_segments where router_id = any (${closing}::uuid[])`.execute(
      tx,
    );
  const complete = plans.flatMap((plan) => plan.complete);
  if (complete.length > 0) await sql`insert into position_segments (${columns}) select * from ${rowsOf(complete)} s`.execute(tx);
  await addToOpen(
    tx,
    plans.flatMap(({ open }) => open ?? []),
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
  await sql`update open_position_segments o set at = s.at, ${changes} from ${rowsOf(segments)} s where o.router_id = s.router_id`.execute(
    tx,
  );
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
