import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import type { Tx } from '../../platform/ports/database.ts';

/** A guest whose account is of this organization alone can sign in no more. */
export async function closeGuestAccount(tx: Tx, { organizationId }: OrganizationScope, accountId: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    .set({ roles: [] })
    .where('id', '=', accountId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (Number(numUpdatedRows) > 0) await tx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
}

/** What a session acts in from now on; null = the own company. @returns whether the session is there */
export async function setVisitOfSession(tx: Tx, { accountId, sessionId }: Actor, visitId: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ visit_id: visitId })
    .where('bearer_hash', '=', Buffer.from(sessionId, 'hex'))
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}
