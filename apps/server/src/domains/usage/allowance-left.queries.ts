// Reads tables of other domains: devices.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Reader } from '../../platform/listing/index.ts';
import { isCounted } from './counted-sims.queries.ts';
import { simsOfDevice } from './sim-devices.queries.ts';
import { todayOf } from './zones.queries.ts';

/**
 * Bytes that the plan of a device's SIM, or its pool, has left in the running cycle, of several SIMs the least; negative when it is exceeded.
 * Undefined: no SIM has a plan, or none is known.
 */
export async function allowanceLeft(
  reader: Reader,
  scope: OrganizationScope,
  deviceId: string,
  now: Date,
): Promise<number | undefined> {
  const { organizationId } = scope;
  const today = sql`(select ${todayOf(sql`${organizationId}::uuid`, now)})`;
  const [row] = await reader.rows<{ left: number | null }>(sql`with p as (
      select p.id, p.allowance, p.is_pool, p.cycle_day, s.iccid,
        usage_cycle(${today}, p.cycle_day, 0) as cycle_from, usage_cycle(${today}, p.cycle_day, 1) as cycle_before
      from devices d cross join lateral ${simsOfDevice} i join usage_sims s on s.organization_id = d.organization_id and s.iccid = i.iccid
        join usage_plans p on p.organization_id = s.organization_id and p.id = s.plan_id
      where d.organization_id = ${organizationId}::uuid and d.id = ${deviceId}::uuid and d.archived_at is null
    ), sims as (
      select p.iccid as of, s.iccid, p.cycle_from, p.allowance from p join usage_sims s on s.organization_id = ${organizationId}::uuid
        and s.plan_id = p.id and (p.is_pool or s.iccid = p.iccid) and ${isCounted(scope, sql`p.cycle_before`)}
    ), used as (
      select s.of, s.allowance::float8 * count(distinct s.iccid) - coalesce(sum(c.sent + c.received), 0)::float8 as bytes_left
      from sims s left join usage_cycles c on c.organization_id = ${organizationId}::uuid and c.cycle_from = s.cycle_from and c.iccid = s.iccid
      group by s.of, s.allowance
    ) select min(bytes_left)::float8 as "left" from used`);
  return row?.left ?? undefined;
}
