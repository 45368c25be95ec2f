import { findSameSims, isNameTaken, planRights, usagePlans as calls } from '@highline/contract';
import {
  type Actor,
  DomainError,
  invalidField,
  isId,
  newId,
  type OrganizationScope,
  required,
  requireRight,
} from '../../kernel/index.ts';
import type { Reader } from '../../platform/listing/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { findCommand } from '../commands/index.ts';
import { type AuditAction, recordAudit, sentence } from '../logs/index.ts';
import { cycleTimes, type CycleTimes } from './cycles.ts';
import { forecastOf } from './forecast.ts';
import { forgetNotDone } from './plan-events.store.ts';
import { countNotDone, sumPlan, type PlanSums } from './plans.queries.ts';
import { insertPlan, lockPlans, removePlan, requestMatching, selectPlans, updatePlan, type PlanRow } from './plans.store.ts';
import { readToday } from './zones.queries.ts';

export type PlanDeps = Pick<Deps, 'database' | 'clock'>;
export type Fields = calls.PlanFields;

const GB = 1_000_000_000;

/** The plans of an organization, each with its running cycle (USE-03). */
export async function listPlans(
  { database, clock, reader }: PlanDeps & { readonly reader: Reader },
  scope: OrganizationScope,
): Promise<calls.UsagePlan[]> {
  const now = clock.now();
  const [plans, notDone, { today, zone }] = await Promise.all([
    selectPlans(database.read, scope),
    countNotDone(reader, scope, now),
    readToday(database.read, scope, now),
  ]);
  return Promise.all(
    plans.map(async (row) => {
      const fields = toFields(row);
      const ofPlan = notDone.filter(({ plan_id: plan }) => plan === row.id).map(({ reason, sims }) => ({ reason, sims }));
      const times = cycleTimes(row.cycle_day, today, zone);
      const use = toUse(fields, await sumPlan(reader, scope, row, times, now), times, now);
      return { ...fields, id: row.id, version: row.version, use, notDone: ofPlan };
    }),
  );
}

function toFields(row: PlanRow): Fields {
  return {
    name: row.name,
    cycleDay: row.cycle_day,
    allowance: row.allowance,
    isPool: row.is_pool,
    costPerGb: row.cost_per_gb,
    currency: row.currency,
    appliesTo: row.applies_to,
    carrier: row.carrier,
    shares: row.shares,
    action: row.action,
    command: row.command_id,
  };
}

/** Half a cent is rounded up, as PostgreSQL rounds the decimal costs of reports: as a binary number, 1.005 is a little less than that. */
const inCents = (amount: number): number => Math.round(Number((amount * 100).toFixed(4))) / 100;

export function toUse(
  { allowance, isPool, costPerGb }: Fields,
  sums: PlanSums,
  times: CycleTimes,
  now: Date,
): calls.UsagePlan['use'] {
  const { sims, used, over } = sums;
  const forecast = forecastOf(sums, times, now) ?? null;
  const total = allowance * sims;
  const costOf = (bytes: number | null) => (costPerGb === null || bytes === null ? null : inCents((bytes / GB) * costPerGb));
  const poolOver = used >= total && sims > 0 ? sims : 0;
  return {
    cycleFrom: times.from,
    cycleUntil: times.until,
    sims,
    used,
    allowance: total,
    forecast,
    over: isPool ? poolOver : over,
    cost: costOf(used),
    costForecast: costOf(forecast),
  };
}

/** Add a plan. @returns its id @throws DomainError `plan.too_many`, `plan.name_taken`, `plan.sims_taken`, `command.not_found`, `request.invalid`, `permission.denied`, `key.not_allowed` */
export async function addPlan(
  { database, clock }: PlanDeps,
  scope: OrganizationScope,
  actor: Actor,
  fields: Fields,
): Promise<string> {
  const now = clock.now();
  const id = newId(now.getTime());
  await database.write(async (tx) => {
    const others = await lockPlans(tx, scope);
    if (others.length >= calls.MOST_PLANS) throw new DomainError('plan.too_many');
    const valid = await validatePlan(tx, scope, actor, fields, others);
    await insertPlan(tx, scope, id, valid, actor);
    await recordPlan(tx, scope, actor, { id, action: sentence('plan.added', fields.name), detail: valid }, now);
  });
  return id;
}

/** Change a plan. @throws DomainError `plan.not_found`, `conflict.stale`, and as `addPlan` */
export async function savePlan(
  { database, clock }: PlanDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
  { version, ...fields }: Fields & { readonly version: number },
): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    const all = await lockPlans(tx, scope);
    const before = oneOf(all, id);
    if (before.version !== version)
      throw new DomainError('conflict.stale', { detail: { ...toFields(before), version: before.version } });
    const valid = await validatePlan(
      tx,
      scope,
      actor,
      fields,
      all.filter((plan) => plan !== before),
      before,
    );
    await updatePlan(tx, scope, before, valid, actor, now);
    await forgetNotDone(tx, scope, before.id);
    await recordPlan(
      tx,
      scope,
      actor,
      { id, action: sentence('plan.changed', before.name), detail: { before: toFields(before), after: valid } },
      now,
    );
  });
}

/** @throws DomainError `plan.not_found` */
export async function deletePlan(
  { database, clock }: PlanDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.write(async (tx) => {
    const plan = oneOf(await lockPlans(tx, scope), id);
    await removePlan(tx, scope, plan.id);
    await recordPlan(
      tx,
      scope,
      actor,
      { id: plan.id, action: sentence('plan.deleted', plan.name), detail: toFields(plan) },
      clock.now(),
    );
  });
}

/** A plan acts in the name of who saved it, on the SIMs that others choose it for: both need the right to do the same to one router. */
export function rejectAction(actor: Actor, action: calls.PlanAction): void {
  const right = planRights[action];
  if (right !== null) requireRight(actor, right);
}

/** What conflicts is rejected; what does not matter is left empty. */
export async function validatePlan(
  queries: Queries,
  scope: OrganizationScope,
  actor: Actor,
  fields: Fields,
  others: readonly PlanRow[],
  before?: PlanRow,
): Promise<Fields> {
  const { name, appliesTo, carrier, action, costPerGb, currency } = fields;
  rejectAction(actor, action);
  if (isNameTaken(name, others, before?.name)) throw new DomainError('plan.name_taken', { field: 'name' });
  if (appliesTo === 'carrier' && carrier === '') throw invalidField('carrier', 'must name the carrier');
  rejectSameSims(fields, others, before);
  if (costPerGb !== null && currency === '') throw invalidField('currency', 'must be given with a cost');
  const command = action === 'command' ? fields.command : null;
  if (action === 'command')
    required(command === null ? undefined : await findCommand(queries, scope, command), 'command.not_found', {
      field: 'command',
    });
  return { ...fields, command, carrier: appliesTo === 'carrier' ? carrier : '', currency: costPerGb === null ? '' : currency };
}

/** One of two plans for the same SIMs would have none. What was stored before this was checked may stay. @throws DomainError `plan.sims_taken` */
function rejectSameSims(fields: Fields, others: readonly PlanRow[], before: PlanRow | undefined): void {
  const same = findSameSims(fields, others.map(toFields));
  if (same === undefined || (before !== undefined && findSameSims(fields, [toFields(before)]) !== undefined)) return;
  throw new DomainError('plan.sims_taken', {
    field: 'appliesTo',
    message: `“${same.name}” already applies to these SIMs. Change that data plan, or choose other SIMs.`,
  });
}

export function oneOf(all: readonly PlanRow[], id: string): PlanRow {
  return required(isId(id) ? all.find((plan) => plan.id === id.toLowerCase()) : undefined, 'plan.not_found');
}

export async function recordPlan(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  { id, action, detail }: { readonly id: string; readonly action: AuditAction; readonly detail: object },
  now: Date,
): Promise<void> {
  await requestMatching(tx, scope, now);
  await announce(tx, scope, 'usage', [id]);
  await recordAudit(tx, scope.organizationId, actor, { action, subject: { kind: 'data plan', id }, detail: { ...detail } }, now);
}
