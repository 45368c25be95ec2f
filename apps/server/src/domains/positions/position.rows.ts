import { sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';
import { plannedOnce } from '../../platform/ports/planned-once.ts';
import type { Row } from '../../platform/ports/tables.ts';
import type { Fix } from './fix.ts';
import { distanceKm } from './geo.ts';
import { lockOpenSegments, readStoredTimes, storeInSegments, type NewFixes, type StoredFix } from './position-segments.ts';

/** A position of a router to be stored. */
export interface PositionRow extends Fix {
  readonly routerId: string;
}

/** Positions that are newer than what was stored of their router before, in order of time, by router. */
export type StoredPositions = ReadonlyMap<string, readonly StoredFix[]>;

type Place = Pick<Fix, 'at' | 'latitude' | 'longitude'>;

/** A position this far from the one before is a jump, unless a vehicle could have driven it in the time. */
const JUMP_KM = 500;
const DRIVEN_KMH = 200;
const HOUR_MS = 3_600_000;

const columns = sql`router_id, at, latitude, longitude, accuracy, speed, heading, is_jump`;

/**
 * Store positions of any routers, and the newest of each. A second position of one second is not stored, so rows may be written again.
 * Nor is one that came without a time and is the newest one, read again. Rows are compared here and not in the database, which has enough to do with storing them.
 * @returns those that are newer than what was stored: late ones say nothing about now
 */
export async function storePositions(tx: Tx, rows: readonly PositionRow[], now: Date): Promise<StoredPositions> {
  const byRouter = Map.groupBy(rows, ({ routerId }) => routerId);
  // In one order everywhere: two processes that write the same routers must not wait for each other in a circle.
  const routerIds = [...byRouter.keys()].toSorted();
  const open = await lockOpenSegments(tx, routerIds);
  const stored = await newestOf(tx, routerIds);
  const marked = routerIds.map((routerId) => {
    const fixes = markJumps(byRouter.get(routerId)!, stored.get(routerId));
    return { routerId, open: open.get(routerId)!, fixes };
  });
  await storeInSegments(tx, await withoutStored(tx, marked));
  const fresh = new Map<string, readonly StoredFix[]>();
  for (const { routerId, fixes } of marked) {
    const before = stored.get(routerId)?.at ?? -Infinity;
    const later = fixes.filter(({ at }) => at > before);
    if (later.length > 0) fresh.set(routerId, later);
  }
  await storeNewest(
    tx,
    Array.from(fresh.values(), (fixes) => fixes.at(-1)!),
    { now, stored },
  );
  return fresh;
}

/** Leave out positions that are stored. */
async function withoutStored(tx: Tx, marked: readonly NewFixes[]): Promise<readonly NewFixes[]> {
  // In order of time: those that may be in complete segments are the first ones.
  const late = marked.map(({ open, fixes }) => fixes.slice(0, fixes.findLastIndex(({ at }) => at <= open.completeUntil) + 1));
  const stored = await readStoredTimes(tx, late);
  return marked.map((each) => ({
    ...each,
    fixes: each.fixes.filter(({ at }) => !each.open.has(at) && !stored.has(`${each.routerId} ${at}`)),
  }));
}

/** @param stored the newest positions that are there: an insert that finds one would write each row to the log twice */
async function storeNewest(
  tx: Tx,
  newest: readonly StoredFix[],
  { now, stored }: { readonly now: Date; readonly stored: ReadonlyMap<string, Place> },
): Promise<void> {
  const [known, first] = [true, false].map((is) => newest.filter(({ routerId }) => stored.has(routerId) === is));
  const values = ['at', 'latitude', 'longitude', 'accuracy', 'speed', 'heading', 'is_jump'];
  const changes = (alias: string) => sql.join(values.map((name) => sql`${sql.ref(name)} = ${sql.ref(`${alias}.${name}`)}`));
  if (known!.length > 0)
    await sql`${plannedOnce}update router_positions p set ${changes('u')}, stored_at = ${now}::timestamptz
      from ${arraysOf(known!)} where p.router_id = u.router_id and p.at < u.at`.execute(tx);
  if (first!.length > 0)
    await sql`insert into router_positions as p (${columns}, stored_at) select u.*, ${now}::timestamptz from ${arraysOf(first!)}
      on conflict (router_id) do update set ${changes('excluded')}, stored_at = excluded.stored_at where p.at < excluded.at`.execute(
      tx,
    );
}

async function newestOf(tx: Tx, routerIds: readonly string[]): Promise<Map<string, Place>> {
  const { rows } = await sql<Row<'router_positions', 'router_id' | 'at' | 'latitude' | 'longitude'>>`${plannedOnce}
    select router_id, at, latitude, longitude from router_positions where router_id = any (${[...routerIds]}::uuid[])`.execute(
    tx,
  );
  return new Map(rows.map(({ router_id: id, at, latitude, longitude }) => [id, { at: at.getTime(), latitude, longitude }]));
}

/** Positions of one router in order, each second once, without those that are the one before, read again. @param last the newest stored one; a position that is older is not compared with it */
function markJumps(rows: readonly PositionRow[], last: Place | undefined): StoredFix[] {
  const marked: StoredFix[] = [];
  for (const row of rows.toSorted((a, b) => a.at - b.at)) {
    const inBatch = marked.at(-1);
    if (inBatch?.at === row.at) continue;
    const newest = (inBatch?.at ?? -Infinity) > (last?.at ?? -Infinity) ? inBatch : last;
    if (row.isUndated === true && isSamePlace(row, newest)) continue;
    const before = inBatch ?? (last !== undefined && last.at < row.at ? last : undefined);
    marked.push({ ...row, isJump: before !== undefined && isJump(before, row) });
  }
  return marked;
}

function isSamePlace({ latitude, longitude }: PositionRow, other: Place | undefined): boolean {
  return latitude === other?.latitude && longitude === other.longitude;
}

function isJump(before: Place, row: Place): boolean {
  // A degree is at most 111.2 km: most positions need no trigonometry.
  const degrees = Math.abs(row.latitude - before.latitude) + Math.abs(row.longitude - before.longitude);
  if (degrees * 112 < JUMP_KM) return false;
  return distanceKm(before, row) >= Math.max(JUMP_KM, ((row.at - before.at) / HOUR_MS) * DRIVEN_KMH);
}

/** The rows as `u`. */
function arraysOf(rows: readonly StoredFix[]) {
  const of = (write: (row: StoredFix) => number | string | boolean | null) => arrayOf(rows, write);
  return sql`(select router_id, to_timestamp(seconds) as at, latitude, longitude, accuracy, speed, heading, is_jump
    from unnest(${of(({ routerId }) => routerId)}::uuid[], ${of(({ at }) => at / 1_000)}::float8[], ${of(({ latitude }) => latitude)}::float8[],
      ${of(({ longitude }) => longitude)}::float8[], ${of(({ accuracy }) => accuracy)}::real[], ${of(({ speed }) => speed)}::real[],
      ${of(({ heading }) => heading)}::real[], ${of(({ isJump: is }) => is)}::boolean[])
      as a (router_id, seconds, latitude, longitude, accuracy, speed, heading, is_jump)) u`;
}

/**
 * One value of each row as the text of an array. Ids, numbers and truth values need no quotes, and the driver would look for what to escape
 * in each of them.
 */
function arrayOf(rows: readonly StoredFix[], write: (row: StoredFix) => number | string | boolean | null): string {
  let text = '{';
  for (const row of rows) text += `${text.length > 1 ? ',' : ''}${write(row)}`;
  return `${text}}`;
}
