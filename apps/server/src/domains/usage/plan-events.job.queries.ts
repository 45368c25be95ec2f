// Reads tables of other domains: devices, organizations.
import { sql, type RawBuilder } from 'kysely';
import { natural } from '../../platform/listing/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { isCounted } from './counted-sims.queries.ts';
import { deviceOfSim } from './sim-devices.queries.ts';
import { todayOf } from './zones.queries.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** Routers whose profiles are switched in one transaction: as long as it takes, the state of connections of these routers is not written. */
export const MOST_SWITCHES = 200;

/** The organizations that have plans and are not deleted. */
export async function organizationsWithPlans(queries: Queries): Promise<OrganizationScope[]> {
  const { rows } = await sql<Row<'organizations', 'id' | 'main_account_id'>>`select o.id, o.main_account_id from organizations o
    where o.deleted_at is null and exists (select from usage_plans p where p.organization_id = o.id) order by o.id`.execute(
    queries,
  );
  return rows.map((row) => ({ kind: 'organization', organizationId: row.id, mainAccountId: row.main_account_id }));
}

/** A share that a SIM, or a pool, reached first now. */
export interface ReachedShare
  extends Row<'usage_plan_events', 'plan_id'>, Row<'usage_plans', 'name' | 'action' | 'command_id' | 'actor'> {
  /** Empty: the pool. */
  readonly iccid: string;
  /** 0 = the action at the allowance. */
  readonly share: number;
}

/** The use of each SIM and of each pool of an organization in its running cycle, as `u`. */
function useOf(scope: OrganizationScope, now: Date): RawBuilder<unknown> {
  const { organizationId } = scope;
  const today = sql`(select ${todayOf(sql`${organizationId}::uuid`, now)})`;
  // Offset 0: the cycle of each plan once, not for each SIM.
  return sql`(
    select s.plan_id, p.is_pool, p.allowance, p.cycle_from, s.iccid, coalesce(sum(c.sent + c.received), 0) as used
    from (select *, usage_cycle(${today}, cycle_day, 0) as cycle_from, usage_cycle(${today}, cycle_day, 1) as cycle_before
        from usage_plans where organization_id = ${organizationId}::uuid offset 0) p
      join usage_sims s on s.organization_id = p.organization_id and s.plan_id = p.id and s.cycle_day = p.cycle_day
      left join usage_cycles c on c.organization_id = s.organization_id and c.iccid = s.iccid and c.cycle_from = p.cycle_from
    where ${isCounted(scope, sql`p.cycle_before`)} group by 1, 2, 3, 4, 5
  )`;
}

/** Whether the share of a plan event, as `share`, is reached by the use and the allowance of `m`; 0 = the action at the allowance. */
const isReached = (share: RawBuilder<unknown>) =>
  sql`m.used * 100 >= m.allowance * case ${share} when 0 then 100 else ${share} end`;

/**
 * Note the shares that were reached since the last call: each once for a SIM, or a pool, and cycle, whichever process calls and however often.
 * Those from before the last change of the plan, or of its SIMs, are compared with its allowances once: what is not reached any more is deleted,
 * and due again; the rest has the time of this comparison from then on. Actions that could not begin for a reason that passes are due again too.
 * While SIMs are being matched with their plans, nothing is: a pool would be compared with the allowances of some of its SIMs. The job compares
 * once they are. Of actions that switch profiles no more than MOST_SWITCHES are noted in one call: call again until fewer are.
 * @returns those that are new or due again
 */
export async function noteReached(tx: Tx, scope: OrganizationScope, now: Date): Promise<ReachedShare[]> {
  const isMeasured = sql`e.organization_id = ${scope.organizationId}::uuid and (e.plan_id, e.cycle_from, e.iccid) = (m.plan_id, m.cycle_from, m.iccid)
    and p.organization_id = e.organization_id and p.id = e.plan_id`;
  const isNoted = sql`e.organization_id = ${scope.organizationId}::uuid
    and (e.plan_id, e.cycle_from, e.iccid, e.share) = (r.plan_id, r.cycle_from, r.iccid, r.share)`;
  const isDueAgain = sql`e.share = 0
    and (e.outcome = 'too_many_jobs' or e.outcome = 'no_device' and ${deviceOfSim(scope, sql`e.iccid`)} is not null)`;
  const { rows } = await sql<ReachedShare>`with u as materialized ${useOf(scope, now)}, measured as (
      select * from (
        select plan_id, cycle_from, iccid, used, allowance::numeric as allowance from u where not is_pool
        union all
        select plan_id, cycle_from, '', sum(used), allowance::numeric * count(*) from u where is_pool group by plan_id, cycle_from, allowance
      ) a where not exists (select from usage_matching q where q.organization_id = ${scope.organizationId}::uuid)
    ), reached as (
      select m.plan_id, m.cycle_from, m.iccid, s.share, s.share = 0 and p.action = 'profile' as switches from measured m
        join usage_plans p on p.organization_id = ${scope.organizationId}::uuid and p.id = m.plan_id
        cross join unnest(p.shares || case when p.action = 'mail' or p.is_pool then '{}'::integer[] else '{0}' end) s (share)
      where ${isReached(sql`s.share`)}
    ), next as (
      select plan_id, cycle_from, iccid, share from reached where not switches
      union all (select r.plan_id, r.cycle_from, r.iccid, r.share from reached r where r.switches and not exists (
          select from usage_plan_events e where ${isNoted} and not (${isDueAgain} and e.happened_at < ${now}::timestamptz))
        order by 1, 2, 3 limit ${MOST_SWITCHES})
    ), forgotten as (
      delete from usage_plan_events e using measured m, usage_plans p
      where ${isMeasured} and e.happened_at < p.updated_at and not (${isReached(sql`e.share`)})
    ), noted as (
      insert into usage_plan_events as e (organization_id, plan_id, cycle_from, iccid, share, happened_at)
      select ${scope.organizationId}::uuid, plan_id, cycle_from, iccid, share, ${now}::timestamptz from next
      on conflict (organization_id, plan_id, cycle_from, iccid, share) do update set outcome = '', happened_at = excluded.happened_at
        where ${isDueAgain}
      returning plan_id, iccid, share
    ), compared as (
      update usage_plan_events e set happened_at = ${now}::timestamptz from measured m, usage_plans p
      where ${isMeasured} and e.happened_at < p.updated_at and ${isReached(sql`e.share`)}
        and not exists (select from noted n where (n.plan_id, n.iccid, n.share) = (e.plan_id, e.iccid, e.share))
    ) select n.plan_id, p.name, n.iccid, n.share, p.action, p.command_id, p.actor
      from noted n join usage_plans p on p.organization_id = ${scope.organizationId}::uuid and p.id = n.plan_id
      order by n.share desc, ${natural(sql`p.name`)}, n.iccid`.execute(tx);
  return rows;
}

/** The SIMs that have used the allowance of their plan in its running cycle, or that of their pool together. */
export async function usedUpSims(tx: Tx, scope: OrganizationScope, now: Date): Promise<Set<string>> {
  const { rows } = await sql<Row<'usage_sims', 'iccid'>>`select iccid from (
      select iccid, case when is_pool then sum(used) over plan else used end as used,
        allowance::numeric * case when is_pool then count(*) over plan else 1 end as allowance
      from ${useOf(scope, now)} u window plan as (partition by plan_id)
    ) a where used >= allowance`.execute(tx);
  return new Set(rows.map(({ iccid }) => iccid));
}

/** A device that has a SIM now. */
export interface SimDevice extends Row<'devices', 'serial' | 'group_key'> {
  readonly iccid: string;
  readonly device_id: string;
  readonly name: string;
}

/** The devices that have these SIMs now. */
export async function devicesWith(tx: Tx, scope: OrganizationScope, iccids: readonly string[]): Promise<SimDevice[]> {
  const { rows } =
    await sql<SimDevice>`select i.iccid, d.id as device_id, d.serial, d.group_key, coalesce(nullif(d.vehicle_number, ''), d.serial) as name
    from unnest(${[...iccids]}::text[]) i (iccid) join devices d on d.organization_id = ${scope.organizationId}::uuid
      and d.archived_at is null and d.id = ${deviceOfSim(scope, sql`i.iccid`)}`.execute(tx);
  return rows;
}
