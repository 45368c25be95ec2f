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

/** Actor of entries that the server writes by itself. */
export const itself: AuditActor = { accountId: null, email: 'Highline', role: 'system', address: '' };

/** Whether nothing is sent to an address `r.mail`. @param summary alias of a row of summaries */
export const isPaused = (summary: string): Fragment => sql`exists (select from summary_bounces b
  where b.owner_id = coalesce(${sql.ref(`${summary}.organization_id`)}, ${sql.ref(`${summary}.main_account_id`)})
    and b.mail = r.mail and b.paused_at is not null)`;

/** Summaries were accepted: what was rejected before no longer counts. */
async function forgetRejections(tx: Tx, mails: readonly EndedMail[]): Promise<void> {
  const files = mails.filter(({ file_id: id }) => id !== null);
  if (files.length === 0) return;
  await sql`delete from summary_bounces b using unnest(${files.map(({ file_id: id }) => id)}::uuid[], ${files.map(({ recipient }) => recipient)}::text[])
      as k (file_id, mail), mail_files f
    where f.id = k.file_id and b.owner_id = f.owner_id and b.mail = k.mail and b.paused_at is null`.execute(tx);
}

/** The mail server of an address rejected a summary: after three in a row it gets no more until a person resumes it, and the log says so. */
async function countRejection(tx: Tx, { file_id: file, recipient: mail }: EndedMail, error: string, now: Date): Promise<void> {
  if (file === null) return;
  const { rows } = await sql<{ owner_id: string; rejections: number }>`
    insert into summary_bounces as b (owner_id, mail, rejections, last_at, last_error)
      select f.owner_id, ${mail}, 1, ${now}::timestamptz, ${error} from mail_files f where f.id = ${file}::uuid and f.owner_id is not null
    on conflict (owner_id, mail) do update set rejections = b.rejections + 1, last_at = excluded.last_at, last_error = excluded.last_error,
      paused_at = coalesce(b.paused_at, case when b.rejections + 1 >= ${MOST_REJECTIONS} then excluded.last_at end)
    returning owner_id, rejections`.execute(tx);
  const [counted] = rows;
  if (counted?.rejections === MOST_REJECTIONS) await notePause(tx, counted.owner_id, mail, error, now);
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
export const summaryOutcomes: MailOutcomes = { accepted: forgetRejections, rejected: countRejection };

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

/** Delete rows of addresses that no summary names any more. */
export async function purgeBounces(tx: Tx): Promise<void> {
  await sql`delete from summary_bounces b where not exists (select from summaries s
    where (s.organization_id = b.owner_id or s.organization_id is null and s.main_account_id = b.owner_id) and b.mail = any (s.recipients))`.execute(
    tx,
  );
}
