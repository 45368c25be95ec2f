import { manyOf } from '../../platform/listing/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';

/** Retry undelivered mails from the first attempt, under their old ids. @returns the recipients of those found */
export async function queueAgain(tx: Tx, scope: OrganizationScope, ids: readonly string[], now: Date): Promise<string[]> {
  const rows = await tx
    .updateTable('mails')
    .set({ attempts: 0, next_attempt_at: now, last_error: null, bounced_at: null })
    .where('organization_id', '=', scope.organizationId)
    .where('id', 'in', manyOf(ids, 'uuid'))
    .where('next_attempt_at', 'is', null)
    .where('sent_at', 'is', null)
    .returning('recipient')
    .execute();
  return rows.map(({ recipient }) => recipient);
}
