import { type links as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { markEnded } from './links.queries.ts';
import { recordAudit, sentence, type AuditActor } from '../logs/index.ts';

/** Actor of entries that the server writes by itself. */
const itself: AuditActor = { accountId: null, email: 'Highline', role: 'system', address: '' };

/** End a link for a reason of its own, and log it; another process may have done so already. */
export async function endByItself(tx: Tx, scope: OrganizationScope, id: string, reason: calls.LinkEnd, now: Date): Promise<void> {
  const ended = await markEnded(tx, scope, id, reason, now);
  if (ended === undefined) return;
  await announce(tx, scope, 'links', [id]);
  const action = sentence('link.ended', ended.name, String(ended.opened));
  const event = { action, subject: { kind: 'link', id }, detail: { reason } };
  await recordAudit(tx, scope.organizationId, itself, event, now);
}

/** Add openings of the page of a link. */
export async function countOpenings(database: Database, scope: OrganizationScope, id: string, openings: number, now: Date) {
  await database.write(async (tx) => {
    await sql`update links set opened = least(opened::int8 + ${openings}, 2000000000)::int, last_opened_at = ${now}::timestamptz
      where id = ${id}::uuid and organization_id = ${scope.organizationId}::uuid`.execute(tx);
    await announce(tx, scope, 'links', [id]);
  });
}

/** End every link of an organization that is being deleted. */
export async function endLinksOf(tx: Tx, scope: OrganizationScope, now: Date): Promise<void> {
  await tx
    .updateTable('links')
    .set({ ended_at: now, end_reason: 'gone' })
    .where('organization_id', '=', scope.organizationId)
    .where('ended_at', 'is', null)
    .execute();
}
