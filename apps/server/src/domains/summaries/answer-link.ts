import { DomainError, type Sealing } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { scopeOfOwner } from '../../platform/resources/resource.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { readLink } from './link.ts';
import { confirmAddress, removeRecipient } from './runs.job.queries.ts';

export interface LinkDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly linkSealing: Sealing;
}

/** Do what a link of a mail is for; again it is the same. @throws DomainError `summary.link_invalid` */
export async function answerLink(
  { database, clock, linkSealing }: LinkDeps,
  token: string,
  address: string,
): Promise<'confirmed' | 'unsubscribed'> {
  const link = readLink(linkSealing, token);
  const now = clock.now();
  return database.write(async (tx) => {
    if (link.purpose === 'confirm') {
      if (!(await confirmAddress(tx, link.ownerId, link.mail, now))) throw new DomainError('summary.link_invalid');
      return 'confirmed';
    }
    const { summaryId: id, mail } = link;
    const summary = await removeRecipient(tx, id, mail);
    // A summary that was deleted sends nothing, as requested.
    if (summary === undefined) return 'unsubscribed';
    const scope = scopeOfOwner(summary);
    await announce(tx, scope, 'summaries', [id]);
    const event = {
      action: sentence('summary.unsubscribed', mail, summary.name),
      subject: { kind: 'summary', id },
      detail: { mail },
    };
    const chain = scope.kind === 'organization' ? scope.organizationId : scope.mainAccountId;
    await recordAudit(tx, chain, { accountId: null, email: mail, role: 'system', address }, event, now);
    return 'unsubscribed';
  });
}
