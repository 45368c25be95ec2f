import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';
import { arraysOf, divideAtGaps, divideRows, hourOf, MOST_ROWS, type Segment } from '../../platform/segments/segments.ts';
import type { Fix } from './fix.ts';
import { plannedOnce } from '../../platform/ports/planned-once.ts';

/** A position as it is stored. */
export interface StoredFix extends Fix {
  readonly routerId: string;
  /** Farther from the position before than a vehicle can drive in the time. */
  readonly isJump: boolean;
}

/** What is known of the open segment of a router while it is locked. All times are epoch milliseconds. */
export interface OpenFixes {
  /** Of the position that was stored first. */
  readonly at: number;
  readonly count: number;
  /** Of its newest position; -Infinity = it is empty. */
  readonly lastAt: number;
  /** No complete segment has a later position. */
  readonly completeUntil: number;
  /** Whether it has a position of a time. */
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
    sql<OpenRow>`${plannedOnce}select router_id, at, complete_until, fixes[:][1:1]::text as seconds
      from open_position_segments where router_id = any (${ids}) order by router_id for update`.execute(tx);
  let { rows } = await lock();
  if (rows.length < routerIds.length) {
    // Nothing that is stored is newer than the newest position.
    await sql`insert into open_position_segments (router_id, at, complete_until, fixes)
      select id, 'epoch', coalesce(p.at, 'epoch'), '{}' from unnest(${ids}) id left join router_positions p on p.router_id = id
      on conflict do nothing`.execute(tx);
    ({ rows } = await lock());
  }
  return new Map(rows.map((row) => [row.router_id, toOpenFixes(row)]));
}

interface OpenRow {
  readonly router_id: string;
  readonly at: Date;
  readonly complete_until: Date;
  /** As PostgreSQL writes arrays of arrays: the driver would make an array of each. */
  readonly seconds: string;
}

function toOpenFixes({ at, complete_until: completeUntil, seconds }: OpenRow): OpenFixes {
  const known = new Set(seconds === '{}' ? [] : seconds.slice(2, -2).split('},{').map(Number));
  const first = at.getTime();
  return {
    at: first,
    count: known.size,
    lastAt: known.size === 0 ? -Infinity : first + Math.max(...known) * 1_000,
    completeUntil: completeUntil.getTime(),
    has: (time) => known.has((time - first) / 1_000),
  };
}

/** Late positions this far apart are looked for apart: between them may be days of others, up to one a second. */
const MOST_APART_MS = 10 * 60_000;

/** Which times of these positions have a stored one, as `router time`. @param late of each router, in order of time */
export async function readStoredTimes(tx: Tx, late: readonly (readonly StoredFix[])[]): Promise<Set<string>> {
  const fixes = late.flat();
  if (fixes.length === 0) return new Set();
  const parts = late.flatMap((each) => divideAtGaps(each, MOST_APART_MS));
  const idsOf = (of: readonly StoredFix[]) => of.map(({ routerId }) => routerId);
  const timesOf = (of: readonly StoredFix[]) => of.map(({ at }) => new Date(at).toISOString());
  const [firsts, lasts] = [parts.map((part) => part[0]!), parts.map((part) => part.at(-1)!)];
  const { rows } = await sql<{ router_id: string; at: Date }>`${plannedOnce}select f.router_id, f.at
    from unnest(${idsOf(firsts)}::uuid[], ${timesOf(firsts)}::timestamptz[], ${timesOf(lasts)}::timestamptz[]) k (router_id, first, last)
      cross join lateral positions_between(k.router_id, k.first, k.last + interval '1 second') p
      join unnest(${idsOf(fixes)}::uuid[], ${timesOf(fixes)}::timestamptz[]) f (router_id, at) on f.router_id = k.router_id and f.at = p.at`.execute(
    tx,
  );
  return new Set(rows.map(({ router_id: id, at }) => `${id} ${at.getTime()}`));
}

/**
 * Store positions: those of the hour of the open segment in it, or in a new one if they do not fit; those of a later hour in a new one; those of an
 * earlier hour in segments of their own.
 */
export async function storeInSegments(tx: Tx, added: readonly NewFixes[]): Promise<void> {
  const plans = added.flatMap((each) => (each.fixes.length === 0 ? [] : [planFixes(each)]));
  if (plans.length === 0) return;
  const closing = plans.filter(({ closesOpen }) => closesOpen).map(({ routerId }) => routerId);
  if (closing.length > 0)
    await sql`insert into position_segments (${columns}) ${asComplete(
      sql`(select * from open_position_segments where router_id = any (${closing}::uuid[]))`,
    )}`.execute(tx);
  const complete = plans.flatMap((plan) => plan.complete);
  if (complete.length > 0)
    await sql`${plannedOnce}insert into position_segments (${columns}) select * from ${rowsOf(complete)} s`.execute(tx);
  await addToOpen(tx, plans);
}

/** What becomes of new positions of a router. */
interface FixPlan {
  readonly routerId: string;
  /** The open segment is complete as it is. */
  readonly closesOpen: boolean;
  readonly complete: readonly Segment<StoredFix>[];
  /** What is added to the open segment, if that begins at the same time, or replaces it. */
  readonly open: Segment<StoredFix>;
  /** Epoch milliseconds. */
  readonly completeUntil: number;
}

function planFixes({ routerId, open, fixes }: NewFixes): FixPlan {
  const hour = Math.max(hourOf(open.at), hourOf(fixes.at(-1)!.at));
  const from = fixes.findIndex(({ at }) => hourOf(at) === hour);
  const [earlier, ofHour] = from < 0 ? [fixes, []] : [fixes.slice(0, from), fixes.slice(from)];
  const joins = open.count > 0 && hourOf(open.at) === hour && open.count + ofHour.length <= MOST_ROWS;
  const segments = joins ? [{ at: open.at, rows: ofHour }] : divideRows(ofHour);
  const next = segments.pop() ?? { at: open.at, rows: [] };
  const closesOpen = open.count > 0 && next.at !== open.at;
  const complete = [...divideRows(earlier), ...segments];
  const ends = [open.completeUntil, closesOpen ? open.lastAt : -Infinity, ...complete.map(({ rows }) => rows.at(-1)!.at)];
  return { routerId, closesOpen, complete, open: next, completeUntil: Math.max(...ends) };
}

const arrays = ['seconds', 'latitudes', 'longitudes', 'accuracies', 'speeds', 'headings', 'jumps'] as const;
const columns = sql.join(['router_id', 'at', ...arrays].map((name) => sql.ref(name)));

/** Open segments, without empty ones, with `columns`. @param open rows of `open_position_segments` */
export const asComplete = (open: RawBuilder<unknown>) => sql`
  select o.router_id, o.at + first * interval '1 second', sorted.*
  from ${open} o
    cross join lateral (select min(second) as first from unnest(o.fixes[:][1:1]) second) f
    cross join lateral (
      select array_agg((second - first)::smallint) as seconds, array_agg(latitude), array_agg(longitude), array_agg((accuracy / 1e3::float8)::real),
        array_agg(speed::smallint), array_agg(heading::smallint), array_agg((second - first)::smallint) filter (where jump = 1)
      from (select * from unnest(o.fixes[:][1:1], o.fixes[:][2:2], o.fixes[:][3:3], o.fixes[:][4:4], o.fixes[:][5:5], o.fixes[:][6:6], o.fixes[:][7:7])
        p (second, latitude, longitude, accuracy, speed, heading, jump) order by second) p
    ) sorted
  where first is not null`;

/** Put positions in front of those of open segments that begin at the same time, and replace the others. */
async function addToOpen(tx: Tx, plans: readonly FixPlan[]): Promise<void> {
  const times = (of: (plan: FixPlan) => number) => plans.map((plan) => new Date(of(plan)).toISOString());
  await sql`${plannedOnce}update open_position_segments o set at = s.at, complete_until = s.complete_until,
      fixes = case when o.at = s.at then s.fixes || o.fixes else s.fixes end
    from (select router_id, at, complete_until, fixes::integer[]
      from unnest(${plans.map(({ routerId }) => routerId)}::uuid[], ${times(({ open }) => open.at)}::timestamptz[],
        ${times(({ completeUntil }) => completeUntil)}::timestamptz[],
        ${plans.map(({ open }) => openRowsOf(open))}::text[]) u (router_id, at, complete_until, fixes)) s
    where o.router_id = s.router_id`.execute(tx);
}

const tenths = (value: number | null) => (value === null ? null : Math.round(value * 10));
const degrees = (value: number) => Math.round(value * 1e7);

/** Positions as the column `fixes` has them, the last one in front. */
function openRowsOf({ at: begin, rows }: Segment<StoredFix>): string {
  const values = ({ at, latitude, longitude, accuracy, speed, heading, isJump }: StoredFix) =>
    `{${(at - begin) / 1_000},${degrees(latitude)},${degrees(longitude)},${accuracy === null ? null : Math.round(accuracy * 1_000)},${tenths(speed)},${tenths(heading)},${Number(isJump)}}`;
  return `{${rows.map(values).toReversed().join()}}`;
}

/** The rows of segments, with `columns`. */
function rowsOf(segments: readonly Segment<StoredFix>[]) {
  const of = (write: (fix: StoredFix, segment: Segment<StoredFix>) => number | null) => arraysOf(segments, write);
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
