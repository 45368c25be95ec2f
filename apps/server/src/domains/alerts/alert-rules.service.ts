import { alerts } from '@highline/contract';
import { authorOf, DomainError, newId, required, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { recordAudit, sentence, type AuditAction } from '../logs/index.ts';
import { checkInput, rejectForbidden, type RuleDeps } from './alert-rule-input.ts';
import {
  columnsOf,
  countRules,
  endStatesOf,
  findMailedAddresses,
  findRule,
  insertRule,
  isRuleNameTaken,
  lockRules,
  releaseMessages,
  releaseStates,
  removeRule,
  updateRule,
  type Acting,
  type StoredRule,
} from './alert-rules.store.ts';
import { scopeOf, toRuleDto } from './alert.dto.ts';
import { readRules } from './alerts.queries.ts';

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
    else await releaseStates(tx, scope, stored);
    await releaseMessages(tx, scope, id, now);
    const { name, condition, severity, is_enabled: enabled, for_seconds: forSeconds, hours, channels, action } = stored;
    const before = { name, enabled, severity, condition, forSeconds, scope: scopeOf(stored), hours, channels, action };
    const detail = { before, after: { ...input, action: input.action ?? null } };
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
    await removeRule(tx, scope, id, now);
    await record(tx, scope, actor, id, sentence('alert_rule.deleted', name), { name }, now);
  });
}

async function getRule({ reader }: Pick<RuleDeps, 'reader'>, scope: OrganizationScope, id: string): Promise<alerts.Rule> {
  const [row] = await readRules(reader, scope, id);
  return toRuleDto(required(row, 'alert.rule_not_found'));
}

/** A rule acts in the name of who saved it last (decision 0092). */
function actingOf(actor: Actor, { action, condition }: alerts.RuleInput): Acting {
  if ((action === null || action === undefined) && condition.kind !== 'test') return undefined;
  return { action: action ?? undefined, actor: authorOf(actor) };
}

/**
 * People are mailed without their consent: count those whom no rule of the organization mails yet together with invitations. Mails to the addresses
 * that a visitor adds would outlive the visit, except to a guest's own (IAM-05).
 * @throws DomainError `permission.visitor`, `account.too_many_tries`
 */
async function countNewAddresses(
  tx: Tx,
  { countPerson }: RuleDeps,
  scope: OrganizationScope,
  actor: Actor,
  { mails, escalation }: alerts.Channels,
  now: Date,
): Promise<void> {
  const known = await findMailedAddresses(tx, scope);
  const added = new Set([...mails, ...(escalation?.mails ?? [])].filter((mail) => !known.has(mail)));
  const { visit, email } = actor;
  if (visit !== undefined && [...added].some((mail) => visit.kind === 'support' || mail !== email))
    throw new DomainError('permission.visitor', { field: 'channels.mails' });
  if (added.size > 0) await countPerson(tx, actor.accountId, now, added.size);
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
