import type { OrganizationScope } from '../../../kernel/index.ts';
import type { Tx } from '../../../platform/ports/database.ts';

/** An account is that of a guest no longer: its visits of an organization go, which say that it was. The log has them. */
export async function deleteVisitsOf(
  tx: Tx,
  { mainAccountId, organizationId }: OrganizationScope,
  accountId: string,
): Promise<void> {
  await tx
    .deleteFrom('visits')
    .where('account_id', '=', accountId)
    .where('organization_id', '=', organizationId)
    .where('main_account_id', '=', mainAccountId)
    .execute();
}
