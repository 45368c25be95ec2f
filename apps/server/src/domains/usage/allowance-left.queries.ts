// Reads tables of other domains: devices.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Reader } from '../../platform/listing/index.ts';
import { isCounted } from './counted-sims.queries.ts';
import { todayOf } from './zones.queries.ts';

/**
 * Bytes that the plan of a device's SIM, or its pool, has left in the running cycle; negative when it is exceeded. Undefined: the SIM has no
 * plan, or is not known.
 */
export async function allowanceLeft(
  reader: Reader,
  scope: OrganizationScope,
  deviceId: string,
  now: Date,
): Promise<number | undefined> {
  const { organizationId } = scope;
  const today = sql`(select ${todayOf(sql`${organizationId}::uuid`, now)})`;
  const [row] = await reader.rows<{ allowed: number; used: number }>(sql`with p as (
      select p.id, p.allowance, p.is_pool, p.cycle_day, s.iccid,
        usage_cycle(${today}, p.cycle_day, 0) as cycle_from, usage_cycle(${today}, p.cycle_day, 1) as cycle_before
      from devices d join usage_sims s on s.organization_id = d.organization_id and s.iccid = d.iccid
        join usage_plans p on p.organization_id = s.organization_id and p.id = s.plan_id
      where d.organization_id = ${organizationId}::uuid and d.id = ${deviceId}::uuid and d.archived_at is null
    ), sims as (
      select s.iccid from p join usage_sims s on s.organization_id = ${organizationId}::uuid and s.plan_id = p.id
        and (p.is_pool or s.iccid = p.iccid) and ${isCounted(scope, sql`p.cycle_before`)}
    ) select (p.allowance::float8 * (select count(*) from sims))::float8 as allowed,
      coalesce((select sum(c.sent + c.received) from usage_cycles c where c.organization_id = ${organizationId}::uuid
        and c.cycle_from = p.cycle_from and c.iccid in (select iccid from sims)), 0)::float8 as used
    from p limit 1`);
  return row === undefined ? undefined : row.allowed - row.used;
}
