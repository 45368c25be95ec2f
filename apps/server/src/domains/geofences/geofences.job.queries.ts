// Reads tables of other domains: devices, groups, organizations, router_ownership, router_positions.
import { STAY_SECONDS, type GeofenceShape } from '@highline/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';
import { plannedOnce } from '../../platform/ports/planned-once.ts';
import type { Row } from '../../platform/ports/tables.ts';
import type { FenceState } from './crossing.ts';

// Statements of batches and jobs, without a scope: the routers are those that reported.

/** A router whose organization has geofences. */
export interface FencedRouter {
  readonly routerId: string;
  readonly deviceId: string;
  readonly organizationId: string;
  readonly mainAccountId: string;
  /** Epoch milliseconds. */
  readonly ownedFrom: number;
}

export interface FenceVersion extends Row<'geofences', 'id' | 'name' | 'version'> {
  readonly organizationId: string;
}

/** Which of these routers are of an organization with geofences, and the geofences of these organizations. */
export async function readFenceVersions(
  tx: Tx,
  routerIds: readonly string[],
): Promise<{ routers: FencedRouter[]; versions: FenceVersion[] }> {
  const { rows: routers } = await sql<FencedRouter>`${plannedOnce}
    select w.router_id as "routerId", w.device_id as "deviceId", w.organization_id as "organizationId", o.main_account_id as "mainAccountId",
      extract(epoch from w.owned_from)::float8 * 1000 as "ownedFrom"
    from router_ownership w join organizations o on o.id = w.organization_id
    where w.router_id = any (${[...routerIds]}::uuid[]) and w.owned_until is null
      and exists (select 1 from geofences g where g.organization_id = w.organization_id)
    order by w.router_id`.execute(tx);
  if (routers.length === 0) return { routers, versions: [] };
  const organizations = [...new Set(routers.map(({ organizationId }) => organizationId))];
  const { rows: versions } = await sql<FenceVersion>`
    select g.id, g.organization_id as "organizationId", g.name, g.version from geofences g
    where g.organization_id = any (${organizations}::uuid[])`.execute(tx);
  return { routers, versions };
}

export async function readShapes(tx: Tx, ids: readonly string[]): Promise<Map<string, GeofenceShape>> {
  const { rows } = await sql<Row<'geofences', 'id' | 'shape'>>`
    select g.id, g.shape from geofences g where g.id = any (${[...ids]}::uuid[])`.execute(tx);
  return new Map(rows.map(({ id, shape }) => [id, shape]));
}

const millis = (at: Date | null) => at?.getTime() ?? null;

/** The states of routers that are not plainly outside, by router and then by geofence. */
export async function readStates(tx: Tx, routerIds: readonly string[]): Promise<Map<string, Map<string, FenceState>>> {
  const rows = await tx
    .selectFrom('geofence_states')
    .selectAll()
    .where('router_id', '=', sql<string>`any (${[...routerIds]}::uuid[])`)
    .execute();
  const states = new Map<string, Map<string, FenceState>>();
  for (const { router_id: router, geofence_id: fence, is_inside: isInside, since, pending_since: pending } of rows) {
    const own = states.get(router) ?? new Map<string, FenceState>();
    states.set(router, own.set(fence, { isInside, since: millis(since), pendingSince: millis(pending) }));
  }
  return states;
}

/** The new state of a router at a geofence. */
export interface StateChange {
  readonly routerId: string;
  readonly geofenceId: string;
  readonly state: FenceState;
}

export const isoTime = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Store states; one of a router that is plainly outside is deleted. */
export async function changeStates(tx: Tx, changes: readonly StateChange[]): Promise<void> {
  const isOutside = ({ state }: StateChange) => !state.isInside && state.pendingSince === null;
  const ended = changes.filter(isOutside);
  const kept = changes.filter((change) => !isOutside(change));
  const keys = (of: readonly StateChange[]) =>
    [of.map(({ routerId }) => routerId), of.map(({ geofenceId }) => geofenceId)] as const;
  if (ended.length > 0) {
    const [routers, fences] = keys(ended);
    await sql`delete from geofence_states s using unnest(${routers}::uuid[], ${fences}::uuid[]) e (router_id, geofence_id)
      where s.router_id = e.router_id and s.geofence_id = e.geofence_id`.execute(tx);
  }
  if (kept.length > 0) {
    const [routers, fences] = keys(kept);
    const of = kept.map(({ state }) => state);
    // A geofence that was deleted meanwhile has no states.
    await sql`insert into geofence_states (router_id, geofence_id, is_inside, since, pending_since)
      select u.* from unnest(${routers}::uuid[], ${fences}::uuid[], ${of.map(({ isInside }) => isInside)}::boolean[],
        ${of.map(({ since }) => isoTime(since))}::timestamptz[], ${of.map(({ pendingSince }) => isoTime(pendingSince))}::timestamptz[])
        u (router_id, geofence_id, is_inside, since, pending_since)
      join (select g.id from geofences g where g.id = any (${[...new Set(fences)]}::uuid[]) for key share) k on k.id = u.geofence_id
      on conflict (router_id, geofence_id) do update
        set is_inside = excluded.is_inside, since = excluded.since, pending_since = excluded.pending_since`.execute(tx);
  }
}

/** A router that is on the other side of a geofence since its last positions. */
export interface SilentRouter {
  readonly router: FencedRouter;
  readonly fence: Pick<FenceVersion, 'id' | 'name'>;
  readonly isInside: boolean;
  /** Epoch milliseconds. */
  readonly pendingSince: number;
}

/** A position may be on its way for this long after a report was due. */
const LATE_SECONDS = 15;

/**
 * Lock routers that are silent on the other side of a geofence for `STAY_SECONDS`: they are offline, or their next report is overdue, so that no
 * later position says otherwise. Every process that stores positions of a router locks the row of its newest one first; those are left for the next run.
 */
export async function takeSilent(tx: Tx, now: Date, reportSeconds: number, limit: number): Promise<SilentRouter[]> {
  const silent = sql`geofence_states s join geofences g on g.id = s.geofence_id
      join router_ownership w on w.router_id = s.router_id and w.organization_id = g.organization_id and w.owned_until is null
        and w.owned_from <= s.pending_since
      join organizations o on o.id = w.organization_id
      join devices d on d.organization_id = w.organization_id and d.id = w.device_id
      join router_positions p on p.router_id = s.router_id
    where s.pending_since <= ${now}::timestamptz - interval '1 second' * ${STAY_SECONDS}::int
      and p.stored_at <= ${now}::timestamptz - interval '1 second' * ${STAY_SECONDS}::int
      and (d.presence = 'offline' or p.stored_at <= ${now}::timestamptz - interval '1 second' * (${LATE_SECONDS}::int + coalesce((
        select c.report_seconds from groups c where c.organization_id = d.organization_id and c.key = d.group_key), ${reportSeconds}::int)))`;
  // Most of the time there are none, and planning the join takes long.
  const { rows: waiting } = await sql`${plannedOnce}select from geofence_states s
    where s.pending_since <= ${now}::timestamptz - interval '1 second' * ${STAY_SECONDS}::int limit 1`.execute(tx);
  if (waiting.length === 0) return [];
  const { rows: locked } = await sql<{ id: string }>`select q.router_id as id from router_positions q
    where q.router_id in (select s.router_id from ${silent} order by s.pending_since limit ${limit})
    order by q.router_id for update skip locked`.execute(tx);
  if (locked.length === 0) return [];
  const { rows } = await sql<
    FencedRouter & Row<'geofences', 'name'> & Row<'geofence_states', 'is_inside'> & { geofence_id: string; pending: number }
  >`
    select w.router_id as "routerId", w.device_id as "deviceId", w.organization_id as "organizationId", o.main_account_id as "mainAccountId",
      extract(epoch from w.owned_from)::float8 * 1000 as "ownedFrom", g.id as geofence_id, g.name, s.is_inside,
      extract(epoch from s.pending_since)::float8 * 1000 as pending
    from ${silent} and s.router_id = any (${locked.map(({ id }) => id)}::uuid[])
    order by w.router_id, g.id`.execute(tx);
  return rows.map(({ geofence_id: id, name, is_inside: isInside, pending: pendingSince, ...router }) => ({
    router,
    fence: { id, name },
    isInside,
    pendingSince,
  }));
}
