import { sql } from 'kysely';
import { announce } from '../../platform/outbox/announce.ts';
import { manyOf } from '../../platform/listing/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { dropStrayTargets, dropTargets, endBindingsWhere, insertTargets, wakeDevices } from './targets.store.ts';

/**
 * Update the rollouts of devices whose group was set or changed, or that were archived: they lose the targets of other groups'
 * bindings and get those of their present group. Call it after the change, in its transaction.
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
 * Remove the rollouts of devices that are about to leave an organization: call it before they do, in the same transaction.
 * `membershipChanged` gives them the targets of their new group.
 */
export async function leaveRollouts(tx: Tx, scope: OrganizationScope, deviceIds: readonly string[], now: Date): Promise<void> {
  if ((await dropTargets(tx, scope, deviceIds, now)) > 0) await announce(tx, scope, 'rollouts', []);
}

/** Make devices due that may have waited for their subscription. */
export async function subscriptionChanged(
  tx: Tx,
  scope: OrganizationScope,
  deviceIds: readonly string[],
  now: Date,
): Promise<void> {
  await wakeDevices(tx, scope, deviceIds, now);
}

/** End every binding of an organization that is being deleted. */
export async function endAllBindings(tx: Tx, scope: OrganizationScope, now: Date): Promise<void> {
  await endBindingsWhere(tx, scope, sql`true`, now);
}

/** End every binding of groups that are about to be deleted; no router is reverted to what it had before (GRP-04). */
export async function endBindings(tx: Tx, scope: OrganizationScope, groupKeys: readonly string[], now: Date): Promise<void> {
  const ended = await endBindingsWhere(tx, scope, sql`b.group_key in ${manyOf(groupKeys, 'text')}`, now);
  if (ended.length > 0) await announce(tx, scope, 'rollouts', ended);
}
