import type { ConnectionChange, ConnectionImpact } from '@highline/contract';
import { DomainError, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { recordAudit } from '../logs/index.ts';
import { assertConfirmed, carrierChange } from './effects.ts';
import { orderEvent } from './esims.audit.ts';
import { movePriorities } from './profile-moves.store.ts';
import { requestUse, type LockedProfile } from './esims.store.ts';
import { effectOfOrder, lineupOf, type Lineup, type OrderEffect } from './lineup.ts';
import { type EsimServiceDeps, type Confirmation, STABLE_AFTER_MS, type Locked, lockProfile, taken } from './profile-lock.ts';
import { swapPriority } from './slots.ts';
import { describeUseAuthor, type UseAuthor } from './use-author.ts';

/** The new priorities of a profile and of the one it swaps with. */
export function movesFor({ row, others }: Locked, priority: number | undefined): Map<string, number> {
  if (priority === undefined) return new Map();
  const moved = swapPriority([row, ...others], row.id, priority);
  return new Map([[row.id, priority], ...(moved === undefined ? [] : [[moved.id, moved.priority] as const])]);
}

export function orderEffect(locked: Locked, moves: ReadonlyMap<string, number>): OrderEffect {
  return effectOfOrder(lineup(locked), lineup(locked, moves));
}

export function lineup({ row, others, router }: Locked, moves: ReadonlyMap<string, number> = new Map()): Lineup {
  const rows = [row, ...others].map((each) => ({ ...each, priority: moves.get(each.id) ?? each.priority }));
  return lineupOf(rows, router.reported);
}

export function switchChanges(locked: Locked, effect: OrderEffect): ConnectionChange[] {
  return effect.type === 'switch' ? [carrierChange(locked.router, lineup(locked).expected, effect.to)] : [];
}

/** Write an order and its effect on the profile in use. */
export async function applyOrder(
  tx: Tx,
  scope: OrganizationScope,
  { row: { router_id: routerId } }: Locked,
  moves: ReadonlyMap<string, number>,
  effect: OrderEffect,
  author: UseAuthor,
  now: Date,
): Promise<void> {
  const dueAt = new Date(now.getTime() + STABLE_AFTER_MS);
  await movePriorities(tx, scope, moves, now, dueAt);
  if (effect.type === 'switch') await requestUse(tx, scope, routerId, { id: effect.to.id, author }, now, dueAt);
  if (effect.type === 'keep') await requestUse(tx, scope, routerId, undefined, now, dueAt);
}

/**
 * Reorder the profiles of one router, all at once (SIM-06).
 * @param order profiles of one router, with the number of each; those that are left out keep theirs
 * @returns the ids of its profiles, and the effect on the connection
 * @throws DomainError `esim.not_found`, `esim.deleting`, `esim.order_incomplete`, `impact.changed`
 */
export async function orderProfiles(
  { database, clock }: EsimServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  order: readonly { readonly profile: string; readonly priority: number }[],
  { dryRun, confirmed }: Confirmation = taken,
): Promise<{ readonly ids: readonly string[]; readonly impact: ConnectionImpact }> {
  const now = clock.now();
  return database.write(async (tx) => {
    const locked = await lockProfile(tx, scope, order[0]!.profile);
    const all = [locked.row, ...locked.others];
    const numbers = new Map(order.map(({ profile, priority }) => [profile.toLowerCase(), priority]));
    assertOrder(all, order.length, numbers);
    const moves = movesOfOrder(all, numbers);
    const effect = orderEffect(locked, moves);
    const impact = assertConfirmed(switchChanges(locked, effect), confirmed);
    const ids = all.map(({ id }) => id);
    if (dryRun || moves.size === 0) return { ids, impact };
    await applyOrder(tx, scope, locked, moves, effect, describeUseAuthor(actor, 'esims.order'), now);
    await announce(tx, scope, 'esims', ids);
    await recordAudit(tx, scope.organizationId, actor, orderEvent(all, numbers), now);
    return { ids, impact };
  });
}

/** @throws DomainError `esim.not_found` for a profile of another router, `esim.deleting`, `esim.order_incomplete` */
function assertOrder(all: readonly LockedProfile[], count: number, numbers: ReadonlyMap<string, number>): void {
  const known = new Map(all.map((row) => [row.id, row]));
  for (const id of numbers.keys()) if (!known.has(id)) throw new DomainError('esim.not_found', { field: 'order' });
  for (const id of numbers.keys()) if (known.get(id)!.status === 'Deleting...') throw new DomainError('esim.deleting');
  if (numbers.size < count || new Set(numbers.values()).size < count)
    throw new DomainError('esim.order_incomplete', { field: 'order' });
}

/** New numbers; a profile that is left out and whose number is given to another moves to the end. */
function movesOfOrder(all: readonly LockedProfile[], numbers: ReadonlyMap<string, number>): Map<string, number> {
  const taken = new Set(numbers.values());
  const moves = new Map(numbers);
  for (const { id, priority } of all) {
    if (numbers.has(id)) continue;
    let free = priority;
    if (taken.has(free)) for (free = all.length + 1; taken.has(free);) free += 1;
    taken.add(free);
    moves.set(id, free);
  }
  return new Map(all.flatMap(({ id, priority }) => (moves.get(id) === priority ? [] : [[id, moves.get(id)!] as const])));
}
