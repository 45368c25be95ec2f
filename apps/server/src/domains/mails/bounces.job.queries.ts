import type { Row, Tx } from '../../platform/ports/index.ts';
import type { EndedMail } from './mail-delivery.store.ts';

// A mail server returns mails of every organization, so this has no scope.

/** Mark a mail as returned. @returns undefined = there is no such mail, or it was returned before */
export function markBounced(
  tx: Tx,
  id: string,
  reason: string,
  now: Date,
): Promise<(EndedMail & Row<'mails', 'sent_at' | 'organization_id'>) | undefined> {
  return tx
    .updateTable('mails')
    .set({ bounced_at: now, last_error: reason })
    .where('id', '=', id)
    .where('bounced_at', 'is', null)
    .where('attempts', '>', 0)
    .returning(['recipient', 'file_id', 'sent_at', 'organization_id'])
    .executeTakeFirst();
}
