import type { remoteClients as calls } from '@highline/contract';
import type { OrganizationScope } from '../../../kernel/index.ts';
import type { OrganizationEnd } from '../../../platform/modules/module.ts';
import type { Tx } from '../../../platform/ports/database.ts';

export async function writeClientRule(
  tx: Tx,
  { organizationId: organization_id }: OrganizationScope,
  { roles, ranges, ports }: calls.ClientRule,
): Promise<void> {
  const values = { roles, ranges, ports: JSON.stringify(ports) };
  await tx
    .insertInto('client_rules')
    .values({ organization_id, ...values })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
    .execute();
}

/** What ends with an organization. */
export const clientRuleEnd: OrganizationEnd = { lastTables: ['client_rules'] };
