// Reads tables of other domains: accounts.
import { sql, type RawBuilder } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/index.ts';

/** Whether account `a` reads of an organization: it belongs to it, or to the main account. */
export const readsOf = ({ organizationId, mainAccountId }: OrganizationScope) =>
  sql`(a.organization_id = ${organizationId}::uuid or a.organization_id is null and a.main_account_id = ${mainAccountId}::uuid)`;

/** The accounts with the address of an organization's person, `a`, and the browsers `e` in which they switched alerts of it on. */
export const browsersOf = (
  scope: OrganizationScope,
  mail: RawBuilder<unknown>,
) => sql`accounts a join webhook_endpoints e on e.account_id = a.id
  where a.email = ${mail} and ${readsOf(scope)} and e.organization_id = ${scope.organizationId}::uuid`;

/** The browsers that people switched on for an organization, as ids of endpoints. Those of accounts that left it, or are gone, are none. */
export async function listBrowsers(tx: Tx, scope: OrganizationScope, mails: readonly string[]): Promise<string[]> {
  if (mails.length === 0) return [];
  const { rows } = await sql<{ id: string }>`select e.id from ${browsersOf(scope, sql`any (${[...mails]}::text[])`)}`.execute(tx);
  return rows.map(({ id }) => id);
}
