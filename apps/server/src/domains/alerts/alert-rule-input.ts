import { actionRight, actionRights, alerts } from '@highline/contract';
import { checkZone, DomainError, required, requireRight, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { findCommand } from '../commands/index.ts';
import { isGeofence } from '../geofences/index.ts';
import { findGroups } from '../groups/index.ts';
import { rejectForbiddenTest } from '../tools/index.ts';
import { devicesOfView } from '../views/index.ts';
import { areWebhooks } from '../webhooks/index.ts';
import { rejectUnfitWindow } from '../windows/index.ts';
import { checkHours } from './hours.ts';

export interface RuleDeps extends Pick<Deps, 'database' | 'clock' | 'reader' | 'expiringDays'> {
  /** Counts addresses that an account enters; throws `account.too_many_tries` beyond its daily limit. */
  readonly countPerson: (tx: Tx, accountId: string, now: Date, people: number) => Promise<void>;
}

/**
 * Who chooses where alerts go must be allowed to read them, and who lets a rule act must be allowed to do the same to one device.
 * @throws DomainError `key.not_allowed`, `permission.denied`
 */
export function rejectForbidden(actor: Actor, { channels, action, condition }: alerts.RuleInput): void {
  const { mails, firstAdmin, webhooks = [], escalation } = channels;
  if (mails.length + webhooks.length > 0 || escalation !== null || firstAdmin === true) requireRight(actor, alerts.listAlerts);
  if (action !== null && action !== undefined) requireRight(actor, actionRight(action.does));
  if (condition.kind === 'test') requireRight(actor, actionRights.test);
}

export async function checkInput(deps: RuleDeps, scope: OrganizationScope, input: alerts.RuleInput, at: Date): Promise<void> {
  checkHours(input.channels.quiet, 'channels.quiet');
  if (input.channels.zone !== undefined) checkZone(input.channels.zone, 'channels.zone');
  await checkAction(deps, scope, input.action?.does);
  if (input.condition.kind === 'test')
    await rejectForbiddenTest(deps.database.read, scope, input.condition.test, 'condition.test');
  const { webhooks = [], escalation } = input.channels;
  for (const [field, named] of [
    ['channels.webhooks', webhooks],
    ['channels.escalation.webhooks', escalation?.webhooks ?? []],
  ] as const)
    if (!(await areWebhooks(deps.database.read, scope, named))) throw new DomainError('alert.channel_not_found', { field });
  await checkWatched(deps, scope, input, at);
}

/** @throws DomainError `command.not_found`, `alert.channel_not_found`, `tool.target_not_allowed` */
async function checkAction({ database }: RuleDeps, scope: OrganizationScope, does: alerts.RuleDoes | undefined): Promise<void> {
  if (does?.kind === 'command')
    required(await findCommand(database.read, scope, does.command), 'command.not_found', { field: 'action.does.command' });
  if (does !== undefined && 'window' in does && does.window !== undefined)
    await rejectUnfitWindow(database.read, scope, does.window);
  if (does?.kind === 'test') await rejectForbiddenTest(database.read, scope, does.test, 'action.does.test');
  if (does?.kind === 'webhook' && !(await areWebhooks(database.read, scope, [does.webhook])))
    throw new DomainError('alert.channel_not_found', { field: 'action.does.webhook' });
}

/**
 * Check what a rule names: its hours, its geofence, and its group or view.
 * @throws DomainError `alert.scope_not_found`, `request.invalid`
 */
export async function checkWatched(
  deps: RuleDeps,
  scope: OrganizationScope,
  input: Pick<alerts.RuleInput, 'condition' | 'hours' | 'scope'>,
  at: Date,
): Promise<void> {
  checkHours(input.hours, 'hours');
  const unknown = (field: string) => new DomainError('alert.scope_not_found', { field });
  const fence = input.condition.kind === 'geofence' ? input.condition.geofence : null;
  if (fence !== null && !(await isGeofence(deps.database.read, scope, fence))) throw unknown('condition.geofence');
  if (input.scope.kind === 'group' && (await findGroups(deps.database.read, scope, [input.scope.group])).length === 0)
    throw unknown('scope.group');
  if (input.scope.kind !== 'view') return;
  // The devices of a view are known only when someone looks: nothing says when to begin with a test.
  if (input.condition.kind === 'test') throw unknown('scope.view');
  // Only a shared view: a person's own one is nothing to the others who read the rule.
  const anyone = { accountId: '00000000-0000-0000-0000-000000000000' };
  await devicesOfView(deps, scope, anyone, input.scope.view, { expiringDays: deps.expiringDays, at }).catch((error: unknown) => {
    throw error instanceof DomainError ? unknown('scope.view') : error;
  });
}
