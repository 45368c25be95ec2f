import { actionRights, alerts } from '@highline/contract';
import {
  authorOf,
  checkZone,
  DomainError,
  newId,
  required,
  requireRight,
  type Actor,
  type OrganizationScope,
} from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { findCommand } from '../commands/index.ts';
import { isGeofence } from '../geofences/index.ts';
import { rejectUnfitWindow } from '../windows/index.ts';
import { findGroups } from '../groups/index.ts';
import { recordAudit, sentence, type AuditAction } from '../logs/index.ts';
import { rejectForbiddenTest } from '../tools/index.ts';
import { devicesOfView } from '../views/index.ts';
import { areWebhooks } from '../webhooks/index.ts';
import { toRuleDto } from './alert.dto.ts';
import {
  columnsOf,
  countRules,
  endStatesOf,
  findMailedAddresses,
  findRule,
  insertRule,
  isRuleNameTaken,
  lockRules,
  removeRule,
  updateRule,
  type Acting,
  type StoredRule,
} from './alert-rules.store.ts';
import { readRules } from './alerts.queries.ts';
import { checkHours } from './hours.ts';

export interface RuleDeps extends Pick<Deps, 'database' | 'clock' | 'reader' | 'expiringDays'> {
  /** Counts addresses that an account enters; throws `account.too_many_tries` beyond its daily limit. */
  readonly countPerson: (tx: Tx, accountId: string, now: Date, people: number) => Promise<void>;
}

/** The rules of an organization, by name (ALR-01). */
export async function listRules({ reader }: Pick<RuleDeps, 'reader'>, scope: OrganizationScope): Promise<alerts.Rule[]> {
  return (await readRules(reader, scope)).map(toRuleDto);
}

/**
 * Add a rule.
 * @throws DomainError `alert.channel_not_found`, `alert.too_many_rules`, `alert.rule_name_taken`, `alert.scope_not_found`, `request.invalid`,
 * `key.not_allowed`, `permission.denied`, `command.not_found`, `account.too_many_tries` after several hundred new addresses in a day
 */
export async function addRule(
  deps: RuleDeps,
  scope: OrganizationScope,
  actor: Actor,
  input: alerts.RuleInput,
): Promise<alerts.Rule> {
  const now = deps.clock.now();
  const id = newId(now.getTime());
  rejectForbidden(actor, input);
  await checkInput(deps, scope, input, now);
  await deps.database.write(async (tx) => {
    await lockRules(tx, scope);
    if ((await countRules(tx, scope)) >= alerts.MOST_RULES) throw new DomainError('alert.too_many_rules');
    await rejectTakenName(tx, scope, { name: input.name });
    await countNewAddresses(tx, deps, scope, actor, input.channels, now);
    await insertRule(tx, scope, id, input, actingOf(actor, input), now);
    await record(tx, scope, actor, id, sentence('alert_rule.added', input.name), { ...input }, now);
  });
  return getRule(deps, scope, id);
}

/**
 * Save a rule as a whole. If its condition or devices change, what it found so far ends.
 * @param isCurrent whether the caller's version is the current one
 * @throws DomainError `alert.rule_not_found`, `conflict.stale`, and those of `addRule`
 */
export async function saveRule(
  deps: RuleDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
  input: alerts.RuleInput,
  isCurrent: (version: number) => boolean,
): Promise<alerts.Rule> {
  const now = deps.clock.now();
  rejectForbidden(actor, input);
  await checkInput(deps, scope, input, now);
  await deps.database.write(async (tx) => {
    await lockRules(tx, scope);
    const stored = required(await findRule(tx, scope, id), 'alert.rule_not_found');
    if (!isCurrent(stored.version)) throw new DomainError('conflict.stale');
    await rejectTakenName(tx, scope, { name: input.name, id, former: stored.name });
    await countNewAddresses(tx, deps, scope, actor, input.channels, now);
    const isOther = watchesOtherwise(stored, input);
    await updateRule(tx, scope, stored, input, actingOf(actor, input), isOther, now);
    if (isOther) await endStatesOf(tx, scope, id, 'rule-changed', now);
    const { name, condition, severity, is_enabled: enabled, for_seconds: forSeconds, channels, action } = stored;
    const detail = { ...input, before: { name, condition, severity, enabled, forSeconds, channels, action } };
    await record(tx, scope, actor, id, sentence('alert_rule.changed', input.name), detail, now);
  });
  return getRule(deps, scope, id);
}

/** Whether a rule looks at other values or devices than before, or at none. */
function watchesOtherwise(stored: StoredRule, input: alerts.RuleInput): boolean {
  const next = columnsOf(input);
  return (
    stored.is_enabled !== next.is_enabled ||
    stored.for_seconds !== next.for_seconds ||
    stored.scope_kind !== next.scope_kind ||
    stored.scope_key !== next.scope_key ||
    sortedJson(stored.condition) !== sortedJson(input.condition)
  );
}

const sortedJson = (condition: alerts.Condition) =>
  JSON.stringify(Object.entries(condition).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Delete a rule; its open alerts are resolved. @throws DomainError `alert.rule_not_found` */
export async function deleteRule(
  { database, clock }: RuleDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    await lockRules(tx, scope);
    const { name } = required(await findRule(tx, scope, id), 'alert.rule_not_found');
    await endStatesOf(tx, scope, id, 'rule-deleted', now);
    await removeRule(tx, scope, id);
    await record(tx, scope, actor, id, sentence('alert_rule.deleted', name), { name }, now);
  });
}

async function getRule({ reader }: Pick<RuleDeps, 'reader'>, scope: OrganizationScope, id: string): Promise<alerts.Rule> {
  const [row] = await readRules(reader, scope, id);
  return toRuleDto(required(row, 'alert.rule_not_found'));
}

/**
 * Who chooses where alerts go must be allowed to read them, and who lets a rule act must be allowed to do the same to one device.
 * @throws DomainError `key.not_allowed`, `permission.denied`
 */
function rejectForbidden(actor: Actor, { channels, action, condition }: alerts.RuleInput): void {
  const { mails, firstAdmin, webhooks = [], escalation } = channels;
  if (mails.length + webhooks.length > 0 || escalation !== null || firstAdmin === true) requireRight(actor, alerts.listAlerts);
  if (action !== null && action !== undefined) requireRight(actor, actionRights[action.does.kind]);
  if (condition.kind === 'test') requireRight(actor, actionRights.test);
}

/** A rule acts in the name of who saved it last (decision 0092). */
function actingOf(actor: Actor, { action, condition }: alerts.RuleInput): Acting {
  if ((action === null || action === undefined) && condition.kind !== 'test') return undefined;
  return { action: action ?? undefined, actor: authorOf(actor) };
}

async function checkInput(deps: RuleDeps, scope: OrganizationScope, input: alerts.RuleInput, at: Date): Promise<void> {
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
  if (does?.kind === 'send' && does.window !== undefined) await rejectUnfitWindow(database.read, scope, does.window);
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

/** People are mailed without their consent: count those whom no rule of the organization mails yet together with invitations. */
async function countNewAddresses(
  tx: Tx,
  { countPerson }: RuleDeps,
  scope: OrganizationScope,
  actor: Actor,
  { mails, escalation }: alerts.Channels,
  now: Date,
): Promise<void> {
  const known = await findMailedAddresses(tx, scope);
  const added = new Set([...mails, ...(escalation?.mails ?? [])].filter((mail) => !known.has(mail))).size;
  if (added > 0) await countPerson(tx, actor.accountId, now, added);
}

async function rejectTakenName(tx: Tx, scope: OrganizationScope, name: Parameters<typeof isRuleNameTaken>[2]): Promise<void> {
  if (await isRuleNameTaken(tx, scope, name)) throw new DomainError('alert.rule_name_taken', { field: 'name' });
}

async function record(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  await announce(tx, scope, 'alerts', []);
  await recordAudit(tx, scope.organizationId, actor, { action, subject: { kind: 'alert rule', id }, detail }, now);
}
