// Reads tables of other domains: routers.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Tx } from '../../platform/ports/database.ts';

/** The organizations that have these routers now. Routers in stock have none. */
export async function organizationsOf(tx: Tx, routerIds: readonly string[]): Promise<OrganizationScope[]> {
  const { rows } = await sql<{ main: string; organization: string }>`
    select distinct r.main_account_id as main, r.organization_id as organization from routers r
    where r.id = any (${[...routerIds]}::uuid[]) and r.device_id is not null`.execute(tx);
  return rows.map(({ main, organization }) => ({ kind: 'organization', mainAccountId: main, organizationId: organization }));
}
