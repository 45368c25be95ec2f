import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Tx } from '../../platform/ports/database.ts';

/** Delete what an organization that is being purged used. */
export async function purgeUsageOf(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  for (const table of [
    'usage_days',
    'usage_cycles',
    'usage_totals',
    'usage_sims',
    'usage_plans',
    'usage_plan_events',
    'usage_matching',
    'usage_zones',
  ] as const)
    await tx.deleteFrom(table).where('organization_id', '=', organizationId).execute();
}
