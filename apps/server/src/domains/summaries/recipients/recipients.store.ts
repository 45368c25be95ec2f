import type { SummaryKind } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../../kernel/index.ts';
import { announce } from '../../../platform/outbox/announce.ts';
import type { Fragment } from '../../../platform/listing/index.ts';
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

/** Take an address out of the summaries of an organization, or of a main account with all of its organizations, and log it. What waits of them is not sent. */
export async function leaveSummaries(tx: Tx, scope: Scope, mail: string, { kinds, savedBy }: Left, now: Date): Promise<void> {
  const left = sql`e.kind = any (${[...kinds]}::text[]) and e.author ->> 'accountId' is distinct from ${savedBy}`;
  for (const { id, name, ...owner } of await replaceRecipient(tx, scope, mail, null, left)) {
    const event = { action: sentence('summary.unsubscribed', mail, name), subject: { kind: 'summary', id }, detail: { mail } };
    await recordAudit(tx, owner.organization_id ?? owner.main_account_id, serverActor, event, now);
  }
}

/** A person has another address: summaries of the scope go there. */
export async function moveRecipient(tx: Tx, scope: Scope, from: string, to: string): Promise<void> {
  await replaceRecipient(tx, scope, from, to, sql`true`);
}

async function replaceRecipient(tx: Tx, scope: Scope, from: string, to: string | null, where: Fragment): Promise<Changed[]> {
  const { rows } = await sql<Changed>`update summaries e set version = e.version + 1,
      recipients = case when ${to}::text is null or ${to} = any (e.recipients) then array_remove(e.recipients, ${from})
        else array_replace(e.recipients, ${from}, ${to}) end
    where ${isWithin(scope)} and ${from} = any (e.recipients) and ${where}
    returning e.id, e.name, e.main_account_id, e.organization_id`.execute(tx);
  for (const { id, ...owner } of rows) await announce(tx, scopeOfOwner(owner), 'summaries', [id]);
  await cancelFileMails(tx, await listFiles(tx, rows), from);
  return rows;
}

/** The files that runs of summaries made. */
async function listFiles(tx: Tx, summaries: readonly Pick<Changed, 'id'>[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct r.file_id as id from summary_runs r
    where r.summary_id = any (${summaries.map(({ id }) => id)}::uuid[]) and r.file_id is not null`.execute(tx);
  return rows.map(({ id }) => id);
}
