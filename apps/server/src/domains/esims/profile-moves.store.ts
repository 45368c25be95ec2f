import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Queries, Tx } from '../../platform/ports/index.ts';
import { dueUnlessUnderWay } from './esims.store.ts';
import type { FoundRouter } from './profile-routers.store.ts';

/** Move a profile to another priority because another one took its own: its own version does not change. */
async function movePriority(
  tx: Tx,
  scope: OrganizationScope,
  id: string,
  priority: number,
  now: Date,
  dueAt: Date,
): Promise<void> {
  await tx
    .updateTable('esim_profiles')
    .set({ priority, updated_at: now, due_at: dueUnlessUnderWay(dueAt) })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}

/** Renumber profiles of a router because another one was inserted between them. */
export async function movePriorities(
  tx: Tx,
  scope: OrganizationScope,
  moves: ReadonlyMap<string, number>,
  now: Date,
  dueAt: Date,
): Promise<void> {
  for (const [id, priority] of moves) await movePriority(tx, scope, id, priority, now, dueAt);
}

/** A profile that another router can download: it has an activation code and is not being deleted. */
const isMovable = sql`p.sealed_code is not null and not p.is_preloaded and p.status <> 'Deleting...'`;

/** Names of the profiles of a router by priority: those that another router can download, and those that stay on its eUICC. */
export async function profilesToMove(
  queries: Queries,
  scope: OrganizationScope,
  routerId: string,
): Promise<{ moving: string[]; staying: string[] }> {
  const { rows } = await sql<{ name: string; movable: boolean }>`
    select coalesce(nullif(p.name, ''), nullif(p.carrier, ''), p.iccid) as name, ${isMovable} as movable from esim_profiles p
    where p.organization_id = ${scope.organizationId}::uuid and p.router_id = ${routerId}::uuid order by p.priority, p.id`.execute(
    queries,
  );
  const named = (movable: boolean) => rows.filter((row) => row.movable === movable).map(({ name }) => name);
  return { moving: named(true), staying: named(false) };
}

/**
 * Have another router of the same device download the profiles of its former one, in their order; those that exist on the former
 * eUICC only are removed from the list. The caller has both routers locked.
 */
export async function moveProfiles(
  tx: Tx,
  scope: OrganizationScope,
  former: string,
  { routerId, serial }: Pick<FoundRouter, 'routerId' | 'serial'>,
  now: Date,
): Promise<void> {
  const mine = sql`p.organization_id = ${scope.organizationId}::uuid and p.router_id = ${former}::uuid`;
  await sql`delete from esim_profiles p where ${mine} and not (${isMovable})`.execute(tx);
  await sql`update esim_profiles p set router_id = ${routerId}::uuid, serial = ${serial},
      eid = coalesce((select d.eid from devices d where d.organization_id = p.organization_id and d.id = p.device_id), ''),
      status = 'Assigning...', reason = '', carrier = '', path = null, step = null, step_key = null, step_begun_at = null,
      step_sent_at = null, step_taken_at = null, sends = 0, looked_at = null, settings_sent = null, use_window = null,
      use_author = null, due_at = ${now}::timestamptz, version = p.version + 1, updated_at = ${now}::timestamptz
    where ${mine}`.execute(tx);
}
