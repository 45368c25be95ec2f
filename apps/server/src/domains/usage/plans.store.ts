import type { usagePlans } from '@highline/contract';
import { sql } from 'kysely';
import { authorOf, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { natural } from '../../platform/listing/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'usage_plans.actor': Actor;
  }
}

/** A plan as it is stored. */
export interface PlanRow extends Row<
  'usage_plans',
  'id' | 'name' | 'cycle_day' | 'is_pool' | 'currency' | 'applies_to' | 'carrier' | 'shares' | 'action' | 'command_id' | 'version'
> {
  /** Bytes. */
  readonly allowance: number;
  readonly cost_per_gb: number | null;
}

const columns = sql`p.id, p.name, p.cycle_day, p.allowance::float8 as allowance, p.is_pool, p.cost_per_gb::float8 as cost_per_gb, p.currency,
  p.applies_to, p.carrier, p.shares, p.action, p.command_id, p.version`;

/** The plans of an organization by name. */
export async function selectPlans(queries: Queries, { organizationId }: OrganizationScope): Promise<PlanRow[]> {
  const { rows } = await sql<PlanRow>`select ${columns} from usage_plans p
    where p.organization_id = ${organizationId}::uuid order by ${natural(sql`p.name`)}, p.id`.execute(queries);
  return rows;
}

/** The same, while no other transaction changes plans of the organization. */
export async function lockPlans(tx: Tx, scope: OrganizationScope): Promise<PlanRow[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`usage_plans ${scope.organizationId}`}, 0))`.execute(tx);
  return selectPlans(tx, scope);
}

const valuesOf = (fields: usagePlans.PlanFields, actor: Actor) => ({
  name: fields.name,
  cycle_day: fields.cycleDay,
  allowance: fields.allowance,
  is_pool: fields.isPool,
  cost_per_gb: fields.costPerGb,
  currency: fields.currency,
  applies_to: fields.appliesTo,
  carrier: fields.carrier,
  shares: fields.shares,
  action: fields.action,
  command_id: fields.command,
  // A plan acts without a session, long after that of its author has ended.
  actor: JSON.stringify({ ...authorOf(actor), sessionId: '' }),
});

export async function insertPlan(
  tx: Tx,
  { organizationId }: OrganizationScope,
  id: string,
  fields: usagePlans.PlanFields,
  actor: Actor,
): Promise<void> {
  await tx
    .insertInto('usage_plans')
    .values({ organization_id: organizationId, id, ...valuesOf(fields, actor) })
    .execute();
}

export async function updatePlan(
  tx: Tx,
  { organizationId }: OrganizationScope,
  before: PlanRow,
  fields: usagePlans.PlanFields,
  actor: Actor,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('usage_plans')
    .set({ ...valuesOf(fields, actor), version: before.version + 1, updated_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', before.id)
    .execute();
}

/** Note that a plan has other SIMs: what its pool has reached is compared with its new allowance. */
export async function touchPlan(tx: Tx, { organizationId }: OrganizationScope, id: string, now: Date): Promise<void> {
  await sql`update usage_plans set updated_at = ${now}::timestamptz where organization_id = ${organizationId}::uuid and id = ${id}::uuid`.execute(
    tx,
  );
}

/** Delete a plan; SIMs that it was chosen for have no choice any more. */
export async function removePlan(tx: Tx, { organizationId }: OrganizationScope, id: string): Promise<void> {
  await tx.deleteFrom('usage_plans').where('organization_id', '=', organizationId).where('id', '=', id).execute();
  await tx.deleteFrom('usage_plan_events').where('organization_id', '=', organizationId).where('plan_id', '=', id).execute();
  await tx
    .updateTable('usage_sims')
    .set({ chosen_plan_id: null })
    .where('organization_id', '=', organizationId)
    .where('chosen_plan_id', '=', id)
    .execute();
}

/** Have the SIMs of the organization matched with its plans again. */
export async function requestMatching(tx: Tx, { organizationId }: OrganizationScope, now: Date): Promise<void> {
  await sql`insert into usage_matching (organization_id, requested_at) values (${organizationId}::uuid, ${now}::timestamptz)
    on conflict (organization_id) do update set requested_at = excluded.requested_at`.execute(tx);
}

/** Choose a plan for SIMs. @returns how many SIMs the organization has then */
export async function chooseFor(
  tx: Tx,
  { organizationId }: OrganizationScope,
  id: string,
  iccids: readonly string[],
): Promise<number> {
  await sql`insert into usage_sims (organization_id, iccid, chosen_plan_id)
    select ${organizationId}::uuid, i, ${id}::uuid from unnest(${[...iccids]}::text[]) i order by i
    on conflict (organization_id, iccid) do update set chosen_plan_id = excluded.chosen_plan_id`.execute(tx);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from usage_sims
    where organization_id = ${organizationId}::uuid`.execute(tx);
  return rows[0]!.count;
}

/** Take the choice of a plan from SIMs. */
export async function takeFrom(
  tx: Tx,
  { organizationId }: OrganizationScope,
  id: string,
  iccids: readonly string[],
): Promise<void> {
  await sql`update usage_sims set chosen_plan_id = null
    where organization_id = ${organizationId}::uuid and chosen_plan_id = ${id}::uuid and iccid = any (${[...iccids]}::text[])`.execute(
    tx,
  );
}
