import type { OrganizationScope } from '../../../kernel/index.ts';
import type { Tx } from '../../../platform/ports/database.ts';

/** Delete the passwords and their settings of an organization that is being purged. */
export async function purgePasswordsOf(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  await tx.deleteFrom('router_passwords').where('organization_id', '=', organizationId).execute();
  await tx.deleteFrom('router_password_settings').where('organization_id', '=', organizationId).execute();
}
