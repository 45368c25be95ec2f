import { sql } from 'kysely';
import type { Tx } from '../../../platform/ports/database.ts';
import { removeTargets } from '../steps.store.ts';
import { FINISHED } from '../targets.store.ts';

// As in engine.store.ts there is no scope: the engine works for every organization.

/** Routers that are due, the most urgent first: those of this node, and those that no node holds. */
export async function findDueRollouts(tx: Tx, nodeId: string, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select t.router_id as id from rollout_targets t
    join routers r on r.id = t.router_id and coalesce(r.held_by = ${nodeId}::uuid, true)
    where t.due_at <= ${now}::timestamptz order by t.due_at limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Routers that wait for a free download slot, first come first served: those of this node, and those that no node holds. */
export async function findQueued(tx: Tx, nodeId: string, limit: number): Promise<string[]> {
  if (limit <= 0) return [];
  const { rows } = await sql<{ id: string }>`select t.router_id as id from rollout_targets t
    join routers r on r.id = t.router_id and coalesce(r.held_by = ${nodeId}::uuid, true)
    where t.reason = 'queued' and t.due_at is null order by t.updated_at limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Download slots that this node may use now. A router that lost its connection occupies none. Nodes that look at the same time share
 * what is free, so that they do not exceed the limit together.
 */
export async function countFreeSlots(tx: Tx, downloads: number): Promise<{ free: number; isShared: boolean }> {
  const { rows } = await sql<{ sent: number; nodes: number }>`select count(*)::int as sent,
      (select count(*)::int from nodes where ended_at is null) as nodes
    from rollout_targets t join routers r on r.id = t.router_id and r.presence = 'online' where t.phase = 'sent'`.execute(tx);
  const { sent, nodes } = rows[0]!;
  return { free: Math.ceil(Math.max(0, downloads - sent) / Math.max(1, nodes)), isShared: nodes > 1 };
}

/** Make routers due that connected unnoticed: after a crash, or between reading a group and changing it. */
export async function resumeRollouts(tx: Tx, now: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`update rollout_targets t set due_at = ${now}::timestamptz
    where (t.binding_id, t.device_id) in (
      select u.binding_id, u.device_id from bindings b
        join rollout_targets u on u.binding_id = b.id and u.state not in ${FINISHED} and u.state <> 'successful'
        join routers r on r.id = u.router_id and r.presence = 'online'
      where b.ended_at is null and u.due_at is null and u.reason is distinct from 'queued'
        and (u.looked_at is null or u.looked_at < r.presence_since)
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
