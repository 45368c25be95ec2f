// Reads tables of other domains: organizations.
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/index.ts';

/** Notify the consoles that an organization has another undelivered mail. */
export async function announceUndelivered(tx: Tx, organizationId: string): Promise<void> {
  const owner = await tx
    .selectFrom('organizations')
    .select('main_account_id as mainAccountId')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (owner !== undefined) await announce(tx, { kind: 'organization', organizationId, ...owner }, 'notifications', []);
}
