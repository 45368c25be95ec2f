import type { usagePlans } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Tx } from '../../platform/ports/database.ts';

/** Actions of a plan that is saved that were not begun, whatever the reason, are due again: with its action now, in the name of who saves it. */
export async function forgetNotDone(tx: Tx, { organizationId }: OrganizationScope, plan: string): Promise<void> {
  await sql`delete from usage_plan_events where organization_id = ${organizationId}::uuid and plan_id = ${plan}::uuid
    and share = 0 and outcome <> 'started'`.execute(tx);
}

/** Note what became of an action at the allowance. */
export async function noteOutcome(
  tx: Tx,
  { organizationId }: OrganizationScope,
  { plan_id: plan, iccid }: { readonly plan_id: string; readonly iccid: string },
  outcome: 'started' | usagePlans.NotDoneReason,
): Promise<void> {
  await sql`update usage_plan_events set outcome = ${outcome} where organization_id = ${organizationId}::uuid and plan_id = ${plan}::uuid
    and iccid = ${iccid} and share = 0 and outcome = ''`.execute(tx);
}
