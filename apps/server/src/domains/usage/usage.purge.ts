import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Database } from '../../platform/ports/database.ts';
import { purgeTables } from '../../platform/retention/batches.ts';

/** Delete what an organization that is being purged used. */
export async function purgeUsageOf(database: Database, scope: OrganizationScope): Promise<void> {
  await purgeTables(database, scope, [
    'usage_days',
    'usage_cycles',
    'usage_totals',
    'usage_sims',
    'usage_plans',
    'usage_plan_events',
    'usage_matching',
    'usage_zones',
  ]);
}
