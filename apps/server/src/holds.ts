import type { Tx } from './ports/database.ts';
import type { OrganizationScope } from './scope.ts';

// What may be there only so many times is counted while its owner is held: of two who add at one moment, the later one waits and counts
// what the first one added.

/** Let whoever else adds something to this organization wait until the transaction ends. */
export async function holdOrganization(tx: Tx, scope: OrganizationScope): Promise<void> {
  await tx
    .selectFrom('organizations')
    .select('id')
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', '=', scope.organizationId)
    .forNoKeyUpdate()
    .execute();
}

/** Let whoever else keeps something for this person wait until the transaction ends. */
export async function holdPerson(tx: Tx, scope: OrganizationScope, accountId: string): Promise<void> {
  await tx
    .selectFrom('accounts')
    .select('id')
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .execute();
}
