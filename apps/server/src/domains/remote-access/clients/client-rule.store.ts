import { remoteClients as calls } from '@highline/contract';
import type { OrganizationScope } from '../../../kernel/index.ts';
import type { Queries, Tx } from '../../../platform/ports/database.ts';

declare module '../../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'client_rules.roles': calls.ClientRole[];
    'client_rules.ports': calls.ClientRule['ports'];
  }
}

/** What an organization allows of clients; the usual rule where it has chosen nothing. */
export async function readClientRule(queries: Queries, { organizationId }: OrganizationScope): Promise<calls.ClientRule> {
  const row = await queries
    .selectFrom('client_rules')
    .select(['roles', 'ranges', 'ports'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row ?? calls.usualClientRule;
}

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

/** Delete the rule of an organization that is being purged. */
export async function purgeClientRuleOf(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  await tx.deleteFrom('client_rules').where('organization_id', '=', organizationId).execute();
}
