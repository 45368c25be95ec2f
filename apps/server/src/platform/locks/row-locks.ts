import type { Tx } from '../ports/database.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';

// Rows with a limit are counted while their owner is locked: of two concurrent additions, the later one waits and counts the
// first.

/** Lock an organization (FOR NO KEY UPDATE): other such locks wait until the transaction ends. */
export async function lockOrganizationForNoKeyUpdate(tx: Tx, scope: OrganizationScope): Promise<void> {
  await tx
    .selectFrom('organizations')
    .select('id')
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', '=', scope.organizationId)
    .forNoKeyUpdate()
    .execute();
}

/** Lock an account (FOR NO KEY UPDATE): other such locks wait until the transaction ends. */
export async function lockAccountForNoKeyUpdate(tx: Tx, scope: OrganizationScope, accountId: string): Promise<void> {
  await tx
    .selectFrom('accounts')
    .select('id')
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .execute();
}
