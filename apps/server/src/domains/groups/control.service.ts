import { DEFAULT_GROUP_KEY, groups, normalizeGroupKey } from '@highline/contract';
import { DomainError, isAllowedByRole, required, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Clock, Database, Queries } from '../../platform/ports/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { hasControl, isControllable, lockHolder, listControllers, listControls, setControl } from './control.store.ts';
import { findGroup } from './groups.store.ts';

// For the routes, which read without a service function.
export { listControllers, listControls };

/**
 * The user's right to a group (OLD-01): admins have Full Control of all, users of the groups given to them; the main account only
 * reads, as does who may not save a group by an own role or a limit.
 */
export async function controlOf(
  queries: Queries,
  scope: OrganizationScope,
  actor: Actor,
  key: string,
): Promise<groups.GroupControl> {
  if (!isAllowedByRole(actor, groups.saveGroup)) return 'read';
  return actor.role === 'admin' || (await hasControl(queries, scope, actor.accountId, key)) ? 'full' : 'read';
}

/**
 * Checked inside the transaction of a change, so that a removed right counts at the next call.
 * @throws DomainError `permission.denied`
 */
export async function rejectReader(queries: Queries, scope: OrganizationScope, actor: Actor, key: string): Promise<void> {
  if ((await controlOf(queries, scope, actor, key)) !== 'full') throw new DomainError('permission.denied');
}

/**
 * Give a user Full Control of a group, or set Only Read, also of someone to whom it gives nothing any more. A call that changes nothing is not logged.
 * @throws DomainError `group.not_found`, `group.is_default`, `account.not_found`, `group.not_controllable`
 */
export async function changeControl(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  scope: OrganizationScope,
  actor: Actor,
  named: string,
  { account, control }: { readonly account: string; readonly control: groups.GroupControl },
): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    const group = required(await findGroup(tx, scope, normalizeGroupKey(named)), 'group.not_found', { field: 'group' });
    if (group.key === DEFAULT_GROUP_KEY) throw new DomainError('group.is_default', { field: 'group' });
    const user = required(await lockHolder(tx, scope, account), 'account.not_found', { field: 'account' });
    if (control === 'full' && !(await isControllable(tx, scope, account)))
      throw new DomainError('group.not_controllable', { field: 'account' });
    if (!(await setControl(tx, scope, { accountId: account, key: group.key, control }, now))) return;
    await announce(tx, scope, 'groups', [group.key]);
    const action = sentence(control === 'full' ? 'group.control_full' : 'group.control_read', user.email, group.name);
    const detail = { group: group.name, email: user.email, control };
    await recordAudit(tx, scope.organizationId, actor, { action, subject: { kind: 'group', id: group.key }, detail }, now);
  });
}
