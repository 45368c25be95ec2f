// Reads tables of other domains: mail_files, main_accounts, organizations.
import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { scopeOfOwner } from '../../platform/resources/resource.ts';
import { recordAudit, sentence, type AuditActor } from '../logs/index.ts';
import type { EndedMail, MailOutcomes } from '../mails/index.ts';

/** Summaries that the mail server of an address rejects in a row before it gets no more. */
const MOST_REJECTIONS = 3;

/** A mail that has not come back by then has arrived: mail servers give up after four or five days (RFC 5321, 4.5.4.1). */
const DAYS_OF_RETURN = 10;

/** Actor of entries that the server writes by itself. */
export const itself: AuditActor = { accountId: null, email: 'Highline', role: 'system', address: '' };

/** Whether nothing is sent to an address `r.mail`. @param summary alias of a row of summaries */
export const isPaused = (summary: string): Fragment => sql`exists (select from summary_bounces b
  where b.owner_id = coalesce(${sql.ref(`${summary}.organization_id`)}, ${sql.ref(`${summary}.main_account_id`)})
    and b.mail = r.mail and b.paused_at is not null)`;

/** Summaries were accepted. They may come back later, so what was rejected before is forgotten only by the next rejection, or after some days. */
async function noteAcceptance(tx: Tx, mails: readonly EndedMail[], now: Date): Promise<void> {
  const files = mails.filter(({ file_id: id }) => id !== null);
  if (files.length === 0) return;
  await sql`update summary_bounces b set accepted_at = ${now}::timestamptz
    from unnest(${files.map(({ file_id: id }) => id)}::uuid[], ${files.map(({ recipient }) => recipient)}::text[]) as k (file_id, mail), mail_files f
    where f.id = k.file_id and b.owner_id = f.owner_id and b.mail = k.mail and b.paused_at is null and b.accepted_at is null`.execute(
    tx,
  );
}

/**
 * The mail server of an address rejected a summary, or returned one that it had accepted: after three in a row it gets no more until a person
 * resumes it, and the log says so. An earlier one that was accepted and has not come back begins the count again.
 * @param acceptedAt of the mail that was returned
 */
async function countRejection(
  tx: Tx,
  { file_id: file, recipient: mail }: EndedMail,
  error: string,
  now: Date,
  acceptedAt?: Date,
): Promise<void> {
  if (file === null) return;
  const before: Date | 'infinity' = acceptedAt ?? 'infinity';
  const count = sql`case when b.accepted_at < ${before}::timestamptz then 1 else b.rejections + 1 end`;
  const { rows } = await sql<{ owner_id: string; is_paused_now: boolean }>`
    insert into summary_bounces as b (owner_id, mail, rejections, last_at, last_error)
      select f.owner_id, ${mail}, 1, ${now}::timestamptz, ${error} from mail_files f where f.id = ${file}::uuid and f.owner_id is not null
    on conflict (owner_id, mail) do update set rejections = ${count}, last_at = excluded.last_at, last_error = excluded.last_error,
      accepted_at = case when b.accepted_at > ${before}::timestamptz then b.accepted_at end,
      paused_at = coalesce(b.paused_at, case when ${count} >= ${MOST_REJECTIONS} then excluded.last_at end)
    returning owner_id, rejections = ${MOST_REJECTIONS} and paused_at = last_at as is_paused_now`.execute(tx);
  const [counted] = rows;
  if (counted?.is_paused_now === true) await notePause(tx, counted.owner_id, mail, error, now);
}

async function notePause(tx: Tx, ownerId: string, mail: string, error: string, now: Date): Promise<void> {
  const { rows } = await sql<{ main_account_id: string; organization_id: string | null }>`
    select o.main_account_id, o.id as organization_id from organizations o where o.id = ${ownerId}::uuid and o.deleted_at is null
    union all select m.id, null from main_accounts m where m.id = ${ownerId}::uuid`.execute(tx);
  const [owner] = rows;
  if (owner === undefined) return;
  const scope = scopeOfOwner(owner);
  await announce(tx, scope, 'summaries', []);
  const event = { action: sentence('summary.paused', mail), subject: { kind: 'summary', id: '' }, detail: { mail, error } };
  await recordAudit(tx, ownerId, itself, event, now);
}

/** What is stored when mails with summaries end. */
export const summaryOutcomes: MailOutcomes = { accepted: noteAcceptance, rejected: countRejection };

/** Send to an address again. @returns false = it was not paused */
export async function resumeAddress(tx: Tx, ownerId: string, mail: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('summary_bounces')
    .where('owner_id', '=', ownerId)
    .where('mail', '=', mail)
    .where('paused_at', 'is not', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Delete rows of addresses that no summary names any more, and of those that get their summaries again. */
export async function purgeBounces(tx: Tx, now: Date): Promise<void> {
  const returned = new Date(now.getTime() - DAYS_OF_RETURN * 86_400_000);
  await sql`delete from summary_bounces b where b.paused_at is null and b.accepted_at < ${returned}::timestamptz or not exists (select from summaries s
    where (s.organization_id = b.owner_id or s.organization_id is null and s.main_account_id = b.owner_id) and b.mail = any (s.recipients))`.execute(
    tx,
  );
}
