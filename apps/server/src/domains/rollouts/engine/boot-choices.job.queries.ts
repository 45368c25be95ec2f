// Reads tables of other domains: routers.
import { sql } from 'kysely';
import { manyOf } from '../../../platform/listing/index.ts';
import type { Tx } from '../../../platform/ports/database.ts';
import { plannedOnce } from '../../../platform/ports/planned-once.ts';
import { insertBootChoices } from '../steps.store.ts';

// As in engine.store.ts there is no scope: the engine works for every organization.

/** A router whose next boot may start an image that its group no longer has, or that failed. */
export interface BootChoice {
  readonly routerId: string;
  /** Path of the FirmwareImage it has chosen, with its final dot. */
  readonly slot: string;
}

/**
 * The choices of routers that sent an event, and of those that are due, if they are connected and no other node holds them. They
 * are due again at `next`.
 */
export async function claimDueChoices(
  tx: Tx,
  routerIds: readonly string[],
  { nodeId, now, next, limit }: { readonly nodeId: string; readonly now: Date; readonly next: Date; readonly limit: number },
): Promise<BootChoice[]> {
  const isNamed = routerIds.length === 0 ? sql`false` : sql`c.router_id in ${manyOf(routerIds, 'uuid')}`;
  const { rows } = await sql<BootChoice & { isOnline: boolean }>`${plannedOnce}
    update boot_choices b set due_at = case when r.presence = 'online' then ${next}::timestamptz end
    from routers r where r.id = b.router_id and b.router_id in (
      select c.router_id from boot_choices c join routers h on h.id = c.router_id and coalesce(h.held_by = ${nodeId}::uuid, true)
      where c.due_at <= ${now}::timestamptz or ${isNamed} limit ${limit} for update of c skip locked)
    returning b.router_id as "routerId", b.slot, r.presence = 'online' as "isOnline"`.execute(tx);
  return rows.filter(({ isOnline }) => isOnline).map(({ routerId, slot }) => ({ routerId, slot }));
}

/** Store the choices of routers that are to be reverted. */
export async function insertChoices(tx: Tx, choices: readonly BootChoice[], now: Date): Promise<void> {
  if (choices.length === 0) return;
  const chosen = sql`(select * from unnest(${choices.map(({ routerId }) => routerId)}::uuid[], ${choices.map(({ slot }) => slot)}::text[])
    n (router_id, slot))`;
  await insertBootChoices(chosen, now).execute(tx);
}

/** Delete a choice: the router starts what it runs, or has started what it chose. */
export async function deleteChoice(tx: Tx, { routerId, slot }: BootChoice): Promise<void> {
  await tx.deleteFrom('boot_choices').where('router_id', '=', routerId).where('slot', '=', slot).execute();
}

/** Make the choices of routers due that connected unnoticed. */
export async function wakeChoices(tx: Tx, now: Date, limit: number): Promise<void> {
  await sql`update boot_choices b set due_at = ${now}::timestamptz where b.router_id in (
    select c.router_id from boot_choices c join routers r on r.id = c.router_id and r.presence = 'online'
    where c.due_at is null limit ${limit} for update of c skip locked)`.execute(tx);
}
