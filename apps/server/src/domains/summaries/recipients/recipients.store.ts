import type { SummaryKind } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../../kernel/index.ts';
import { announce } from '../../../platform/outbox/announce.ts';
import type { Tx } from '../../../platform/ports/database.ts';
import { isWithin, scopeOfOwner } from '../../../platform/resources/resource.ts';
import { recordAudit, sentence, serverActor } from '../../logs/index.ts';
import { cancelFileMails } from '../../mails/index.ts';

interface Changed {
  readonly id: string;
  readonly name: string;
  readonly main_account_id: string;
  readonly organization_id: string | null;
}

/** Summaries that an address leaves: those of some kinds; what an account with this id saved last stays, since it has what that person may see. */
interface Left {
  readonly kinds: readonly SummaryKind[];
  readonly savedBy: string | null;
}

/** Take an address out of the summaries of an organization, or of a main account with all of its organizations, and log it. */
export async function leaveSummaries(tx: Tx, scope: Scope, mail: string, { kinds, savedBy }: Left, now: Date): Promise<void> {
  if (scope.kind === 'main') await cancelFileMails(tx, scope.mainAccountId, mail);
  const { rows } =
    await sql<Changed>`update summaries e set recipients = array_remove(e.recipients, ${mail}), version = e.version + 1
    where ${isWithin(scope)} and ${mail} = any (e.recipients) and e.kind = any (${[...kinds]}::text[])
      and e.author ->> 'accountId' is distinct from ${savedBy}
    returning e.id, e.name, e.main_account_id, e.organization_id`.execute(tx);
  for (const { id, name, ...owner } of rows) {
    await announce(tx, scopeOfOwner(owner), 'summaries', [id]);
    const event = { action: sentence('summary.unsubscribed', mail, name), subject: { kind: 'summary', id }, detail: { mail } };
    await recordAudit(tx, owner.organization_id ?? owner.main_account_id, serverActor, event, now);
  }
}
