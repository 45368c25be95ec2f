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

/** Delete the accounts of an organization that is being purged, and its policy; their addresses are then free. */
export async function purgeUsersOf(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  await tx.deleteFrom('sign_in_policies').where('organization_id', '=', organizationId).execute();
  await tx.deleteFrom('accounts').where('organization_id', '=', organizationId).execute();
}
