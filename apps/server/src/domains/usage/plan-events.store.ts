import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Tx } from '../../platform/ports/database.ts';

/** Note what became of an action at the allowance. */
export async function noteOutcome(
  tx: Tx,
  { organizationId }: OrganizationScope,
  { plan_id: plan, iccid }: { readonly plan_id: string; readonly iccid: string },
  outcome: string,
): Promise<void> {
  await sql`update usage_plan_events set outcome = ${outcome} where organization_id = ${organizationId}::uuid and plan_id = ${plan}::uuid
    and iccid = ${iccid} and share = 0 and outcome = ''`.execute(tx);
}
