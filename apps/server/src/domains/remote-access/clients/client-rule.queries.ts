import { remoteClients as calls } from '@highline/contract';
import type { OrganizationScope } from '../../../kernel/index.ts';
import type { Queries } from '../../../platform/ports/database.ts';

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
