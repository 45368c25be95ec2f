import { sql } from 'kysely';
import type { Queries, Tx } from '../../../platform/ports/database.ts';
import { plannedOnce } from '../../../platform/ports/planned-once.ts';

// As in engine.store.ts there is no scope: the engine works for every organization.

/** Routers with profiles that are due, the most urgent first: those of this node, and those that no node holds. */
export async function findDueEsims(queries: Queries, nodeId: string, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${plannedOnce}select p.router_id as id from esim_profiles p
    join routers r on r.id = p.router_id and coalesce(r.held_by = ${nodeId}::uuid, true)
    where p.due_at <= ${now}::timestamptz order by p.due_at limit ${limit}`.execute(queries);
  return [...new Set(rows.map(({ id }) => id))];
}

/** The next due time after this time. */
export async function nextDueEsim(queries: Queries, now: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`${plannedOnce}select min(p.due_at) as at from esim_profiles p
    where p.due_at > ${now}::timestamptz`.execute(queries);
  return rows[0]?.at ?? undefined;
}

/** Make profiles due that were not checked for a minute although their routers are connected: remains of a crash. */
export async function resumeEsims(tx: Tx, now: Date, limit: number): Promise<void> {
  await sql`update esim_profiles p set due_at = ${now}::timestamptz where p.id in (
    select u.id from esim_profiles u join routers r on r.id = u.router_id and r.presence = 'online'
    where u.status in ('Assigning...', 'Downloading...', 'Deleting...') and u.due_at is null
      and (u.looked_at is null or u.looked_at < ${now}::timestamptz - interval '1 minute')
    limit ${limit} for update of u skip locked)`.execute(tx);
}
