import { sql } from 'kysely';
import { announce } from '../../live/announce.ts';
import { manyOf } from '../../listing/index.ts';
import type { Tx } from '../../ports/database.ts';
import type { OrganizationScope } from '../../scope.ts';
import { dropStrayTargets, dropTargets, endBindingsWhere, insertTargets, wakeDevices } from './targets.store.ts';

/**
 * The rollouts follow devices whose group was set or changed, or that were archived: they lose their targets of other groups'
 * bindings and get those of their present group's. Call it after the change, in its transaction.
 */
export async function membershipChanged(
  tx: Tx,
  scope: OrganizationScope,
  deviceIds: readonly string[],
  now: Date,
): Promise<void> {
  if (deviceIds.length === 0) return;
  const dropped = await dropStrayTargets(tx, scope, deviceIds, now);
  const made = await insertTargets(tx, scope, sql`d.id = any (${[...deviceIds]}::uuid[])`, deviceIds.length, now);
  if (dropped + made > 0) await announce(tx, scope, 'rollouts', []);
}

/**
 * The rollouts of an organization forget devices that are about to leave it: call it before they do, in the same transaction. What
 * their new organization has bound to their new group they get from `membershipChanged`.
 */
export async function leaveRollouts(tx: Tx, scope: OrganizationScope, deviceIds: readonly string[], now: Date): Promise<void> {
  if ((await dropTargets(tx, scope, deviceIds, now)) > 0) await announce(tx, scope, 'rollouts', []);
}

/** Rollouts look at devices at once that may have waited for their subscription. */
export async function subscriptionChanged(
  tx: Tx,
  scope: OrganizationScope,
  deviceIds: readonly string[],
  now: Date,
): Promise<void> {
  await wakeDevices(tx, scope, deviceIds, now);
}

/** End everything that is bound in an organization: it is being deleted. */
export async function endAllBindings(tx: Tx, scope: OrganizationScope, now: Date): Promise<void> {
  await endBindingsWhere(tx, scope, sql`true`, now);
}

/** End whatever is bound to groups that are about to be deleted; no router is taken back to what it had before (GRP-04). */
export async function endBindings(tx: Tx, scope: OrganizationScope, groupKeys: readonly string[], now: Date): Promise<void> {
  const ended = await endBindingsWhere(tx, scope, sql`b.group_key in ${manyOf(groupKeys, 'text')}`, now);
  if (ended.length > 0) await announce(tx, scope, 'rollouts', ended);
}
