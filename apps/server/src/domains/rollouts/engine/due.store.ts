import { sql } from 'kysely';
import type { Queries, Tx } from '../../../platform/ports/database.ts';
import { removeTargets } from '../steps.store.ts';
import { FINISHED, HAS_OPEN_CANARIES } from '../targets.store.ts';
import { plannedOnce } from '../../../platform/ports/planned-once.ts';

// As in engine.store.ts there is no scope: the engine works for every organization.

/** Routers that are due, the most urgent first: those of this node, and those that no node holds. Of too many, organizations round robin. */
export async function findDueRollouts(tx: Queries, nodeId: string, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${plannedOnce}select t.router_id as id from rollout_targets t
    join routers r on r.id = t.router_id and coalesce(r.held_by = ${nodeId}::uuid, true)
    where t.due_at <= ${now}::timestamptz order by t.due_at limit ${limit}`.execute(tx);
  return rows.length < limit ? rows.map(({ id }) => id) : findDueByOrganization(tx, nodeId, now, limit);
}

async function findDueByOrganization(tx: Queries, nodeId: string, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`with recursive waiting as (
      (select t.organization_id as id from rollout_targets t where t.due_at is not null order by 1 limit 1)
      union all
      select n.id from waiting o cross join lateral (
        select t.organization_id as id from rollout_targets t where t.due_at is not null and t.organization_id > o.id order by 1 limit 1) n)
    select d.id from waiting o cross join lateral (
      select t.router_id as id, t.due_at, row_number() over (order by t.due_at) as turn from rollout_targets t
        join routers r on r.id = t.router_id and coalesce(r.held_by = ${nodeId}::uuid, true)
      where t.organization_id = o.id and t.due_at <= ${now}::timestamptz order by t.due_at limit ${limit}) d
    order by d.turn, d.due_at limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Downloads at the same time, on all nodes. */
export interface MostDownloads {
  /** Of config files of at most 64 KB. */
  readonly small: number;
  /** Of all other files. */
  readonly large: number;
}

/** Places among the downloads after a claim. */
export interface DownloadPlaces {
  readonly free: number;
  /** Routers waited for one. */
  readonly isWaiting: boolean;
}

/** Places of a kind given to routers at once. */
const MOST_CLAIMED = 300;

/**
 * Give free places among the downloads to routers that wait, of any node: organizations round robin, in each its rollouts, in each its
 * routers (docs/domains/rollouts.md). They are due then. A transaction of its own: nodes claim one after the other.
 */
export async function claimDownloads(
  queries: Queries,
  { small, large }: MostDownloads,
  now: Date,
  placeMs: number,
): Promise<DownloadPlaces> {
  const { rows } = await sql<DownloadPlaces>`select sum(c.free)::int as free, bool_or(c.is_waiting) as "isWaiting"
    from (values (true, ${small}::int), (false, ${large}::int)) k (small, places) cross join lateral
      claim_downloads(k.small, k.places, ${MOST_CLAIMED}, ${now}::timestamptz, ${placeMs} * interval '1 millisecond') c`.execute(
    queries,
  );
  return rows[0]!;
}

/** Whether a target `u` of a binding `b` may not start what it has downloaded, as `heldBack` decides it. */
const HELD_BACK = sql`(b.state <> 'running' or coalesce(u.wave > b.wave_open, false))`;

/**
 * Make routers due that connected unnoticed: after a crash, or between reading a group and changing it. A connection during an outage of the
 * database is written later than it began, so a target may have been looked at in between, while its router still read as offline: no other
 * target under way, and none that waits for its router, is without a time; what is downloaded in a paused rollout is. Also those whose choice for
 * the next boot is to be reverted, which an earlier version did not do. Also those that wait
 * for canaries of which none is left: the last one was removed, or the last two succeeded in transactions that did not see each other.
 */
export async function resumeRollouts(tx: Tx, now: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`update rollout_targets t set due_at = ${now}::timestamptz
    where (t.binding_id, t.device_id) in (
      select u.binding_id, u.device_id from bindings b
        join rollout_targets u on u.binding_id = b.id and u.state not in ${FINISHED} and u.state <> 'successful'
        join routers r on r.id = u.router_id and r.presence = 'online'
      where b.ended_at is null and u.due_at is null and u.reason is distinct from 'queued'
        and (u.looked_at is null or u.looked_at < r.presence_since or u.reason = 'offline'
          or u.phase in ('sent', 'applied') or u.phase = 'staged' and u.reason is distinct from 'not-reverted' and ${HELD_BACK}
          or u.phase = 'downloaded' and (u.sends > 0 or b.state = 'cancelled' or not ${HELD_BACK})
          or u.reason = 'canaries-first' and not ${HAS_OPEN_CANARIES})
      limit ${limit} for update of u skip locked)`.execute(tx);
  return Number(numAffectedRows);
}

/** Drop targets of devices that were archived, or whose router now belongs to another device, where no event did it. */
export async function dropOrphans(tx: Tx, now: Date): Promise<void> {
  const change = sql`delete from rollout_targets t using devices d, routers r
    where t.due_at < ${now}::timestamptz - interval '1 minute' and d.organization_id = t.organization_id and d.id = t.device_id
      and r.id = t.router_id and (d.archived_at is not null or r.device_id is distinct from d.id)`;
  await removeTargets(tx, { change, state: sql`null::text`, now });
}
