// Reads tables of other domains: accounts.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/index.ts';

/** The browsers of people of an organization, as ids of endpoints. Those of accounts that left it, or are gone, are none. */
export async function listBrowsers(tx: Tx, { organizationId }: OrganizationScope, mails: readonly string[]): Promise<string[]> {
  if (mails.length === 0) return [];
  const { rows } = await sql<{ id: string }>`select e.id from accounts a join webhook_endpoints e on e.account_id = a.id
    where a.email = any (${[...mails]}::text[]) and a.organization_id = ${organizationId}::uuid and e.organization_id = a.organization_id`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}
