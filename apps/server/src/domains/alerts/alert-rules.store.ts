import type { alerts } from '@highline/contract';
import { sql } from 'kysely';
import { isId, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { sameName } from '../../platform/listing/index.ts';
import type { Row, Tx } from '../../platform/ports/index.ts';

export type StoredRule = Row<
  'alert_rules',
  | 'id'
  | 'name'
  | 'is_enabled'
  | 'severity'
  | 'kind'
  | 'condition'
  | 'for_seconds'
  | 'scope_kind'
  | 'scope_key'
  | 'hours'
  | 'channels'
  | 'action'
  | 'action_actor'
  | 'version'
  | 'revision'
>;

/** Changes of the rules of one organization wait here for each other; processes read the rules again after each. */
export async function lockRules(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  await sql`insert into alert_rule_versions as v (organization_id, version) values (${organizationId}::uuid, 1)
    on conflict (organization_id) do update set version = v.version + 1`.execute(tx);
}

export async function findRule(tx: Tx, { organizationId }: OrganizationScope, id: string): Promise<StoredRule | undefined> {
  if (!isId(id)) return undefined;
  return tx
    .selectFrom('alert_rules')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Addresses that rules of the organization mail. */
export async function findMailedAddresses(tx: Tx, { organizationId }: OrganizationScope): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ mail: string }>`
    select jsonb_path_query(channels, '$.**.mails[*]') #>> '{}' as mail
    from alert_rules where organization_id = ${organizationId}::uuid`.execute(tx);
  return new Set(rows.map(({ mail }) => mail));
}

export async function countRules(tx: Tx, { organizationId }: OrganizationScope): Promise<number> {
  const { count } = await tx
    .selectFrom('alert_rules')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function isRuleNameTaken(
  tx: Tx,
  { organizationId }: OrganizationScope,
  { name, id, former }: { readonly name: string; readonly id?: string; readonly former?: string },
): Promise<boolean> {
  if (name === former) return false;
  const named = tx.selectFrom('alert_rules').select('id').where('organization_id', '=', organizationId).where(sameName(name));
  return (await (id === undefined ? named : named.where('id', '<>', id)).executeTakeFirst()) !== undefined;
}

/** The columns of a rule. */
export function columnsOf({ name, enabled, severity, condition, forSeconds, scope, hours, channels }: alerts.RuleInput) {
  return {
    name,
    is_enabled: enabled,
    severity,
    kind: condition.kind,
    condition: JSON.stringify(condition),
    for_seconds: forSeconds,
    scope_kind: scope.kind,
    scope_key: scopeKeyOf(scope),
    hours: hours === null ? null : JSON.stringify(hours),
    channels: JSON.stringify(channels),
  };
}

function scopeKeyOf(scope: alerts.RuleScope): string | null {
  switch (scope.kind) {
    case 'all':
      return null;
    case 'group':
      return scope.group;
    case 'tag':
      return scope.tag;
    case 'view':
      return scope.view;
  }
}

/** What a rule does by itself, if anything, and in whose name it does that or runs its test; undefined = it does neither. */
export type Acting = { readonly action: alerts.RuleAction | undefined; readonly actor: Actor } | undefined;

const jsonOf = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));

export async function insertRule(
  tx: Tx,
  { mainAccountId, organizationId }: OrganizationScope,
  id: string,
  input: alerts.RuleInput,
  acting: Acting,
  now: Date,
): Promise<void> {
  const { hours, ...columns } = columnsOf(input);
  await sql`insert into alert_rules (organization_id, id, main_account_id, name, is_enabled, severity, kind, condition, for_seconds, scope_kind,
      scope_key, hours, channels, action, action_actor, created_at, updated_at)
    values (${organizationId}::uuid, ${id}::uuid, ${mainAccountId}::uuid, ${columns.name}, ${columns.is_enabled}, ${columns.severity},
      ${columns.kind}, ${columns.condition}::jsonb, ${columns.for_seconds}, ${columns.scope_kind}, ${columns.scope_key}, ${hours}::jsonb,
      ${columns.channels}::jsonb, ${jsonOf(acting?.action)}::jsonb, ${jsonOf(acting?.actor)}::jsonb, ${now}::timestamptz, ${now}::timestamptz)`.execute(
    tx,
  );
}

/** @param isOther its condition or devices changed */
export async function updateRule(
  tx: Tx,
  { organizationId }: OrganizationScope,
  { id, version, revision }: StoredRule,
  input: alerts.RuleInput,
  acting: Acting,
  isOther: boolean,
  now: Date,
): Promise<void> {
  const { hours, ...columns } = columnsOf(input);
  await sql`update alert_rules set name = ${columns.name}, is_enabled = ${columns.is_enabled}, severity = ${columns.severity},
      kind = ${columns.kind}, condition = ${columns.condition}::jsonb, for_seconds = ${columns.for_seconds},
      scope_kind = ${columns.scope_kind}, scope_key = ${columns.scope_key}, hours = ${hours}::jsonb, channels = ${columns.channels}::jsonb,
      action = ${jsonOf(acting?.action)}::jsonb, action_actor = ${jsonOf(acting?.actor)}::jsonb, version = ${version + 1}, revision = ${revision + (isOther ? 1 : 0)}, updated_at = ${now}::timestamptz
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid`.execute(tx);
}

/** Delete a rule. Its channels are kept with its throttle: people who know of its alerts are informed that they ended. */
export async function removeRule(tx: Tx, { organizationId }: OrganizationScope, id: string, now: Date): Promise<void> {
  await sql`insert into alert_bursts (organization_id, rule_id, kind, next_at, seconds, deleted_rule)
    select r.organization_id, r.id, 'ended', ${now}::timestamptz, 0, jsonb_build_object('main_account_id', r.main_account_id, 'name', r.name,
      'severity', r.severity, 'channels', r.channels)
    from alert_rules r where r.organization_id = ${organizationId}::uuid and r.id = ${id}::uuid
    on conflict (organization_id, rule_id, kind) do update set deleted_rule = excluded.deleted_rule`.execute(tx);
  await tx.deleteFrom('alert_rules').where('organization_id', '=', organizationId).where('id', '=', id).execute();
}

/** End what a rule found, for this reason; the job resolves its alerts. */
export async function endStatesOf(
  tx: Tx,
  { organizationId }: OrganizationScope,
  ruleId: string,
  resolution: alerts.Resolution,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('alert_states')
    .set({ cleared_at: now, resolution })
    .where('organization_id', '=', organizationId)
    .where('rule_id', '=', ruleId)
    .execute();
}

/** Conditions that wait for the beginning of the former hours of a rule are due again; the job postpones them by the hours that it has now. */
export async function releaseStates(
  tx: Tx,
  { organizationId }: OrganizationScope,
  { id, for_seconds: forSeconds }: StoredRule,
): Promise<void> {
  await sql`update alert_states set due_at = since + make_interval(secs => ${forSeconds})
    where organization_id = ${organizationId}::uuid and rule_id = ${id}::uuid and alert_id is null and cleared_at is null`.execute(
    tx,
  );
}

/** Messages that wait for the end of the former quiet hours of a rule are due again, as states are; the pause between messages stays. */
export async function releaseMessages(tx: Tx, { organizationId }: OrganizationScope, ruleId: string, now: Date): Promise<void> {
  await sql`update alert_bursts set next_at = least(next_at, ${now}::timestamptz + make_interval(secs => seconds))
    where organization_id = ${organizationId}::uuid and rule_id = ${ruleId}::uuid`.execute(tx);
}
