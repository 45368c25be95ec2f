// Reads tables of other domains: device_identifiers.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import { devicesWithModemOf } from './sim-devices.queries.ts';

/**
 * Whether the plan of a SIM `usage_sims s` has its allowance: a person chose the plan for it, a device of the organization has it now, or it has use
 * since a day. One that was exchanged, or moved to another organization, is paid for no longer.
 * @param since the first day of the cycle before the one that runs, in SQL
 */
export function isCounted(scope: OrganizationScope, since: Fragment): Fragment {
  const { organizationId } = scope;
  // The organization as a value: where PostgreSQL reads the numbers of devices as a whole, it reads no other's.
  return sql`(s.chosen_plan_id is not null or exists (select from device_identifiers i
      where i.organization_id = ${organizationId}::uuid and i.value = s.iccid and i.kind = 'iccid')
    or exists (select from usage_days k where k.organization_id = ${organizationId}::uuid and k.iccid = s.iccid and k.day >= ${since})
    or exists (select from ${devicesWithModemOf(scope, sql`s.iccid`)} m))`;
}
