import { DEFAULT_GROUP_KEY, normalizeGroupKey } from '@highline/contract';
import { DomainError, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { deleteGroupRecipients } from '../notifications/index.ts';
import { endBindings, membershipChanged, rejectUnseenArrival, requireArrivalApproval } from '../rollouts/index.ts';
import { subscriptionDay } from '../subscriptions/index.ts';
import { recordDeleted } from './groups.audit.ts';
import { arrivalOf, type GroupServiceDeps, rejectMoves, notFound } from './groups.service.ts';
import { lockGroups, lockGroupsForDeletion, removeGroups } from './groups.store.ts';
import { lockMembers, setGroup } from './members.store.ts';

/**
 * Delete groups, all or none: their devices return to the default group and their bindings end (GRP-04).
 * @returns how many were deleted
 * @param confirmed `confirmation` of what the default group starts at once on their devices, as the user has seen it
 * @param mayMove whether it is known that the caller may move devices
 * @throws DomainError `group.is_default`; `key.not_allowed` for a key that may not move the devices; `group.not_found` when one of the keys is not a group of the organization; `impact.changed`, `approval.waiting`
 */
export async function deleteGroups(
  { database, clock, expiringDays }: GroupServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  keys: readonly string[],
  { confirmed, mayMove = false }: { readonly confirmed?: string | undefined; readonly mayMove?: boolean } = {},
): Promise<number> {
  const now = clock.now();
  const chosen = [...new Set(keys.map(normalizeGroupKey))];
  if (chosen.includes(DEFAULT_GROUP_KEY)) throw new DomainError('group.is_default', { field: 'groups' });
  return database.write(async (tx) => {
    const groups = await lockGroupsForDeletion(tx, scope, chosen);
    if (groups.length < chosen.length) throw notFound('groups');
    await lockGroups(tx, scope, [DEFAULT_GROUP_KEY]);
    const members = await lockMembers(tx, scope, chosen, subscriptionDay(now, expiringDays));
    const ids = members.map(({ id }) => id);
    if (!mayMove) rejectMoves(actor, { joining: [], leaving: members });
    await rejectUnseenArrival(tx, scope, DEFAULT_GROUP_KEY, members, confirmed, 'groups');
    await endBindings(tx, scope, chosen, now);
    await setGroup(tx, scope, ids, DEFAULT_GROUP_KEY, now);
    await membershipChanged(tx, scope, ids, now);
    await requireArrivalApproval(tx, scope, arrivalOf(DEFAULT_GROUP_KEY, members));
    await removeGroups(tx, scope, chosen);
    await deleteGroupRecipients(tx, scope, chosen);
    await recordDeleted(tx, scope, actor, groups, members, now);
    return groups.length;
  });
}
