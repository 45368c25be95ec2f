import { sql } from 'kysely';
import { announce } from '../../live/announce.ts';
import type { Queries, Tx } from '../../ports/database.ts';
import { projectLastHeard, projectPresence, projectReported, type ProjectedDevice } from '../devices/index.ts';
import { insertChangedFacts } from '../history/index.ts';
import type { RouterChange } from './presence.changes.ts';

// No function here takes a scope: each is handed the ids of routers that proved who they are by their secrets, and a router's own
// row says whose it is.

/** Seconds by which a start, reckoned anew from uptime, may differ without being another start. */
const SAME_BOOT_SECONDS = 10;
/** A router's clock is told in whole seconds: less than this is no news. */
const SAME_SKEW_MS = 1_000;

interface LockedRouter {
  readonly id: string;
  readonly main_account_id: string;
}

/**
 * Write what happened to routers: their rows, the devices that claim them, their history, and word to every console concerned.
 * @returns ids of routers that are in no inventory any more
 */
export async function writeChanges(tx: Tx, changes: readonly RouterChange[]): Promise<readonly string[]> {
  const routers = await lockInOrder(
    tx,
    changes.map(({ routerId }) => routerId),
  );
  const there = new Set(routers.map(({ id }) => id));
  const known = changes.filter(({ routerId }) => there.has(routerId));
  const devices = [...(await writeStates(tx, known)), ...(await writeReported(tx, known))];
  await insertEvents(tx, known);
  await tellConsoles(tx, routers, known, devices);
  return changes.map(({ routerId }) => routerId).filter((id) => !there.has(id));
}

/** In the order of their ids, as everybody locks several routers, so that nobody waits in a circle. */
async function lockInOrder(tx: Tx, ids: readonly string[]): Promise<readonly LockedRouter[]> {
  return tx
    .selectFrom('routers')
    .select(['id', 'main_account_id'])
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

async function writeStates(tx: Tx, changes: readonly RouterChange[]): Promise<readonly ProjectedDevice[]> {
  const states = changes.flatMap(({ routerId, state }) => (state === undefined ? [] : [{ routerId, ...state }]));
  if (states.length === 0) return [];
  const ids = states.map(({ routerId }) => routerId);
  await sql`update routers r set presence = n.presence, presence_since = n.since, presence_reason = n.reason,
      last_seen_at = greatest(n.seen, r.last_seen_at)
    from unnest(
      ${ids}::uuid[], ${states.map(({ presence }) => presence)}::text[], ${states.map(({ since }) => since.toISOString())}::timestamptz[],
      ${states.map(({ reason }) => reason)}::text[], ${states.map(({ lastSeenAt }) => lastSeenAt?.toISOString() ?? null)}::timestamptz[]
    ) as n (id, presence, since, reason, seen) where r.id = n.id`.execute(tx);
  return projectPresence(tx, ids);
}

async function writeReported(tx: Tx, changes: readonly RouterChange[]): Promise<readonly ProjectedDevice[]> {
  const told = changes.filter(({ reported, clockSkewMs }) => reported !== undefined || clockSkewMs !== undefined);
  if (told.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    with news as (
      select r.id, n.skew, n.told - case when abs(extract(epoch from
        (n.told ->> 'booted_at')::timestamptz - (r.reported ->> 'booted_at')::timestamptz)) < ${SAME_BOOT_SECONDS} then 'booted_at'
        else '' end as told
      from unnest(
        ${told.map(({ routerId }) => routerId)}::uuid[], ${told.map(({ reported }) => JSON.stringify(reported ?? {}))}::jsonb[],
        ${told.map(({ clockSkewMs }) => clockSkewMs ?? null)}::integer[]
      ) as n (id, told, skew) join routers r on r.id = n.id
    ), facts as (${insertChangedFacts(sql`news`)})
    update routers r set reported = r.reported || n.told, clock_skew_ms = coalesce(n.skew, r.clock_skew_ms) from news n
    where r.id = n.id and (not r.reported @> n.told
      or n.skew is not null and (r.clock_skew_ms is null or abs(r.clock_skew_ms - n.skew) >= ${SAME_SKEW_MS}))
    returning r.id`.execute(tx);
  return rows.length === 0
    ? []
    : projectReported(
        tx,
        rows.map(({ id }) => id),
      );
}

async function insertEvents(tx: Tx, changes: readonly RouterChange[]): Promise<void> {
  const events = changes.flatMap((change) => change.events);
  if (events.length === 0) return;
  await sql`insert into connectivity (router_id, at, kind, reason)
    select * from unnest(
      ${events.map(({ routerId }) => routerId)}::uuid[], ${events.map(({ at }) => at.toISOString())}::timestamptz[],
      ${events.map(({ kind }) => kind)}::text[], ${events.map(({ reason }) => reason)}::text[]
    )`.execute(tx);
}

/** One word per organization, however many of its devices changed, and one per main account for its inventory. */
async function tellConsoles(
  tx: Tx,
  routers: readonly LockedRouter[],
  changes: readonly RouterChange[],
  devices: readonly ProjectedDevice[],
): Promise<void> {
  for (const [organizationId, own] of Map.groupBy(devices, (device) => device.organization_id)) {
    const scope = { kind: 'organization', mainAccountId: own[0]!.main_account_id, organizationId } as const;
    await announce(tx, scope, 'devices', [...new Set(own.map(({ id }) => id))]);
  }
  const moved = new Set(changes.flatMap(({ routerId, state }) => (state === undefined ? [] : [routerId])));
  const visible = routers.filter(({ id }) => moved.has(id));
  for (const [mainAccountId, own] of Map.groupBy(visible, (router) => router.main_account_id)) {
    const ids = own.map(({ id }) => id);
    await announce(tx, { kind: 'main', mainAccountId }, 'inventory', ids);
  }
}

/** When a router was last heard, and how strong its signal was then. */
export interface Heard {
  readonly routerId: string;
  readonly at: Date;
  /** dBm. */
  readonly rssi: number | undefined;
}

/** Write what changes all the time and concerns no list's order; no console is told. */
export async function writeHeard(tx: Tx, heard: readonly Heard[]): Promise<void> {
  const ids = heard.map(({ routerId }) => routerId);
  await lockInOrder(tx, ids);
  await sql`update routers r set last_seen_at = greatest(n.at, r.last_seen_at),
      reported = case when n.rssi is null then r.reported else r.reported || jsonb_build_object('rssi', n.rssi) end
    from unnest(
      ${ids}::uuid[], ${heard.map(({ at }) => at.toISOString())}::timestamptz[], ${heard.map(({ rssi }) => rssi ?? null)}::real[]
    ) as n (id, at, rssi) where r.id = n.id`.execute(tx);
  await projectLastHeard(tx, ids);
}

/**
 * Of all routers that stand as online, up to `limit` become unknown: after a start nobody knows better yet.
 * @returns how many
 */
export async function forgetOnline(tx: Tx, now: Date, limit: number): Promise<number> {
  const { rows } = await sql<LockedRouter>`
    select id, main_account_id from routers where presence = 'online' order by id limit ${limit} for no key update`.execute(tx);
  const state = { presence: 'unknown', since: now, reason: 'server-restarted', lastSeenAt: null } as const;
  const changes = rows.map(({ id }) => ({ routerId: id, state, events: [], waiters: [] }));
  if (changes.length > 0) await writeChanges(tx, changes);
  return rows.length;
}

/** Every router that does not stand as offline. */
export async function listNotOffline(queries: Queries): Promise<readonly { id: string; presence: 'online' | 'unknown' }[]> {
  const { rows } = await sql<{ id: string; presence: 'online' | 'unknown' }>`
    select id, presence from routers where presence <> 'offline'`.execute(queries);
  return rows;
}
