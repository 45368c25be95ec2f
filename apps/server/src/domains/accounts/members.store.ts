import { sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';

/** End every session and every mailed link of the users of an organization that is being deleted. */
export async function signOutMembers(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  await sql`delete from sessions s using accounts a where a.id = s.account_id and a.organization_id = ${organizationId}::uuid`.execute(
    tx,
  );
  await sql`delete from mailed_links l using accounts a
    where a.id = l.account_id and a.organization_id = ${organizationId}::uuid`.execute(tx);
}
