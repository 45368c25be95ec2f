import { DomainError, isId, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { queueAgain } from './mails.store.ts';

export type MailServiceDeps = Pick<Deps, 'database' | 'clock'>;

/** The most addresses listed in a log entry. */
const NAMED = 50;

/**
 * Retry undelivered mails, all or none; the old Message-ID lets a receiver recognize a duplicate.
 * @returns how many
 * @throws DomainError `mail.not_found` when one of them is not an undelivered mail of the organization
 */
export async function sendAgain(
  { database, clock }: MailServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  ids: readonly string[],
): Promise<number> {
  const chosen = [...new Set(ids)];
  if (!chosen.every(isId)) throw notFound();
  const now = clock.now();
  return database.write(async (tx) => {
    const recipients = await queueAgain(tx, scope, chosen, now);
    if (recipients.length < chosen.length) throw notFound();
    await announce(tx, scope, 'notifications', []);
    const [only = ''] = recipients;
    const action = recipients.length === 1 ? sentence('mail.sent_again', only) : sentence('mails.sent_again', recipients.length);
    const detail = { mails: recipients.length, to: [...new Set(recipients)].sort().slice(0, NAMED) };
    await recordAudit(tx, scope.organizationId, actor, { action, subject: { kind: 'mail', id: chosen[0]! }, detail }, now);
    return recipients.length;
  });
}

function notFound(): DomainError {
  return new DomainError('mail.not_found', { field: 'ids' });
}
