// Reads tables of other domains: devices.
import { usagePlans } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Fragment, Reader } from '../../platform/listing/index.ts';
import { isCounted } from './counted-sims.queries.ts';
import type { CycleTimes } from './cycles.ts';
import type { CycleUse } from './forecast.ts';
import { deviceOfSim } from './sim-devices.queries.ts';
import { todayOf } from './zones.queries.ts';
import type { PlanRow } from './plans.store.ts';

/** What decides which SIMs a plan has, and how their use is measured. */
export type PlanRule = Pick<PlanRow, 'cycle_day' | 'allowance' | 'applies_to' | 'carrier'> & { readonly id: string | null };

export interface PlanSums extends CycleUse {
  readonly sims: number;
  /** SIMs that have reached the allowance of one SIM. */
  readonly over: number;
}

/** What the SIMs of a plan used in its running and in its last cycle. */
export async function sumPlan(
  reader: Reader,
  scope: OrganizationScope,
  plan: PlanRow,
  { from, before }: CycleTimes,
  now: Date,
): Promise<PlanSums> {
  const { organizationId } = scope;
  // Forecasts need it in the first week, or without a cycle before: it reads an index for each SIM.
  const firstDay = sql`(select min(f.day) from usage_sims m cross join lateral (select min(d.day) as day from usage_days d
    where d.organization_id = m.organization_id and d.iccid = m.iccid and d.day >= ${before}::date) f
    where m.organization_id = ${organizationId}::uuid and m.plan_id = ${plan.id}::uuid)`;
  const [row] = await reader.rows<PlanSums>(sql`select count(*)::int as sims, coalesce(sum(c.used), 0)::float8 as used,
      coalesce(sum(c.before), 0)::float8 as before, (count(*) filter (where c.used >= ${plan.allowance}::float8))::int as over,
      case when coalesce(sum(c.before), 0) = 0 or ${now}::timestamptz < ${from}::date + 8 then ${firstDay}::text end as first_day
    from usage_sims s left join (
      select iccid, sum(sent + received) filter (where cycle_from = ${from}::date) as used,
        sum(sent + received) filter (where cycle_from = ${before}::date) as before
      from usage_cycles where organization_id = ${organizationId}::uuid and cycle_from in (${from}::date, ${before}::date) group by iccid
    ) c on c.iccid = s.iccid
    where s.organization_id = ${organizationId}::uuid and s.plan_id = ${plan.id}::uuid and ${isCounted(scope, sql`${before}::date`)}`);
  return row!;
}

/** SIMs for which a plan did not begin its action at the allowance in the running cycle, by reason. */
export function countNotDone(
  reader: Reader,
  { organizationId }: OrganizationScope,
  now: Date,
): Promise<{ readonly plan_id: string; readonly reason: usagePlans.NotDoneReason; readonly sims: number }[]> {
  return reader.rows(sql`select e.plan_id, e.outcome as reason, count(*)::int as sims
    from usage_plan_events e join usage_plans p on p.organization_id = e.organization_id and p.id = e.plan_id
    where e.organization_id = ${organizationId}::uuid and e.share = 0 and e.outcome = any (${[...usagePlans.notDoneReasons]}::text[])
      and e.cycle_from = usage_cycle(${todayOf(sql`e.organization_id`, now)}, p.cycle_day, 0)
    group by e.plan_id, e.outcome order by e.outcome`);
}

/** A SIM that a plan would have, and what it used in the cycle that the plan has. */
export interface PlannedSim {
  readonly iccid: string;
  readonly device_name: string;
  readonly used: number;
  readonly before: number;
}

/** The SIMs that a plan would have if it were saved: those of the plan now that stay, and those that no plan comes before it for. */
function simsOf({ organizationId }: OrganizationScope, { id, applies_to: appliesTo, carrier }: PlanRule): Fragment {
  const chosen = id === null ? sql`false` : sql`s.chosen_plan_id = ${id}::uuid`;
  const isOther = sql`p.organization_id = ${organizationId}::uuid and p.id is distinct from ${id}::uuid`;
  // Once, not for each SIM.
  const isFirst = sql`not exists (select from usage_plans p join usage_plans b on b.organization_id = p.organization_id and b.id = ${id}::uuid
    where ${isOther} and p.applies_to = ${appliesTo} and name_key(p.carrier) = name_key(${carrier}) and (p.created_at, p.id) < (b.created_at, b.id))`;
  const others =
    appliesTo === 'all'
      ? sql`${isFirst} and not exists (select from usage_plans p
          where ${isOther} and p.applies_to = 'carrier' and s.carrier <> '' and name_key(p.carrier) = name_key(s.carrier))`
      : appliesTo === 'carrier'
        ? sql`${isFirst} and s.carrier <> '' and name_key(s.carrier) = name_key(${carrier})`
        : sql`false`;
  return sql`s.organization_id = ${organizationId}::uuid and (${chosen} or s.chosen_plan_id is null and ${others})`;
}

/** Sums for a plan as it is being edited, from the days of its SIMs. */
export async function sumPlanned(reader: Reader, scope: OrganizationScope, plan: PlanRule, times: CycleTimes): Promise<PlanSums> {
  const [row] = await reader.rows<PlanSums>(sql`select count(*)::int as sims, coalesce(sum(c.used), 0)::float8 as used,
      coalesce(sum(c.before), 0)::float8 as before, (count(*) filter (where c.used >= ${plan.allowance}::float8))::int as over,
      min(c.first_day)::text as first_day
    from (${plannedSims(scope, plan, times)}) c`);
  return row!;
}

function plannedSims(scope: OrganizationScope, plan: PlanRule, { from, until, before }: CycleTimes): Fragment {
  return sql`select s.iccid, coalesce(sum(d.sent + d.received) filter (where d.day >= ${from}::date), 0)::float8 as used,
      coalesce(sum(d.sent + d.received) filter (where d.day < ${from}::date), 0)::float8 as before, min(d.day) as first_day
    from usage_sims s left join usage_days d on d.organization_id = s.organization_id and d.iccid = s.iccid
      and d.day >= ${before}::date and d.day < ${until}::date
    where ${simsOf(scope, plan)} and ${isCounted(scope, sql`${before}::date`)} group by s.iccid`;
}

/** What a plan that is being edited would do to a SIM, or to its pool, now. */
export interface DueEffect extends Omit<PlannedSim, 'before'> {
  /** The shares that are reached and not noted in this cycle yet, ascending; 0 = the action at the allowance. */
  readonly due: readonly [number, ...number[]];
}

interface DueRule {
  readonly id: string | null;
  /** Bytes. */
  readonly allowance: number;
  /** Ascending; 0 = the action at the allowance. */
  readonly shares: readonly number[];
  readonly from: string;
}

/** The SIMs of a plan to which it would do something now, the most used first. */
export function listPlanned(
  reader: Reader,
  scope: OrganizationScope,
  plan: PlanRule,
  times: CycleTimes,
  { shares, limit }: { readonly shares: readonly number[]; readonly limit: number },
): Promise<{ readonly rows: DueEffect[]; readonly total: number }> {
  const least = (plan.allowance * Math.min(...shares.map((share) => share || 100))) / 100;
  const named = sql`(select c.iccid, c.used, coalesce((select coalesce(nullif(d.vehicle_number, ''), d.serial) from devices d
      where d.id = ${deviceOfSim(scope, sql`c.iccid`)} and d.archived_at is null), '') as device_name
    from (${plannedSims(scope, plan, times)}) c where c.used >= ${least}::float8)`;
  return listDue(reader, scope, named, { ...plan, shares, from: times.from }, limit);
}

/** What a plan would do now to its pool, which has used this many bytes of this allowance. */
export function listPlannedPool(
  reader: Reader,
  scope: OrganizationScope,
  used: number,
  rule: DueRule,
): Promise<{ readonly rows: DueEffect[]; readonly total: number }> {
  return listDue(reader, scope, sql`(select '' as iccid, ${used}::float8 as used, '' as device_name)`, rule, 1);
}

async function listDue(
  reader: Reader,
  { organizationId }: OrganizationScope,
  measured: Fragment,
  { id, allowance, shares, from }: DueRule,
  limit: number,
): Promise<{ readonly rows: DueEffect[]; readonly total: number }> {
  const rows = await reader.rows<DueEffect & { total: number }>(sql`select m.*, s.due, (count(*) over ())::int as total
    from ${measured} m cross join lateral (select array_agg(u.share order by u.share) as due from unnest(${[...shares]}::integer[]) u (share)
      where m.used * 100 >= ${allowance}::float8 * case u.share when 0 then 100 else u.share end and (u.share > 0 or m.device_name <> '')
        and not exists (select from usage_plan_events e where e.organization_id = ${organizationId}::uuid and e.plan_id = ${id}::uuid
          and e.cycle_from = ${from}::date and e.iccid = m.iccid and e.share = u.share and (e.share > 0 or e.outcome = 'started'))) s
    where s.due is not null order by m.used desc, m.iccid limit ${limit}`);
  return { rows, total: rows[0]?.total ?? 0 };
}
