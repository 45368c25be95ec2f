import { sql } from 'kysely';
import { manyOf } from '../../platform/listing/index.ts';
import type { Database, Tx, Row } from '../../platform/ports/index.ts';
import { announceUndelivered } from './undelivered.job.queries.ts';

// The queue of the whole installation: delivery takes mails of every organization, so these functions have no scope.

/**
 * While a mail is being delivered no other process may take it; the mail of a dead process is free after this time. A mail server may take
 * longer to answer (RFC 5321, 4.5.3.2): who delivers a mail renews its lease until then.
 */
const LEASE = '1 minute';

export interface LeasedMail extends Row<'mails', 'id' | 'recipient' | 'subject' | 'plain' | 'html' | 'file_id' | 'unsubscribe'> {
  /** The encrypted text instead, if it contains a secret link. */
  readonly sealed: Buffer | null;
  /** Including this one. */
  readonly attempts: number;
}

/** What of a mail decides about the next ones to its recipient. */
export type EndedMail = Pick<LeasedMail, 'recipient' | 'file_id'>;

/** What else is stored when mails are accepted, or rejected for good, in the transaction that says so. */
export interface MailOutcomes {
  readonly accepted: (tx: Tx, mails: readonly EndedMail[], now: Date) => Promise<void>;
  /** The mail server does not accept mails to this recipient. @param acceptedAt of a mail that was accepted first, and returned later */
  readonly rejected: (tx: Tx, mail: EndedMail, error: string, now: Date, acceptedAt?: Date) => Promise<void>;
}

/** Delete queued mails whose link was used, replaced or has expired; rows of expired links are already deleted. */
export async function dropDeadLinks(database: Database, now: Date): Promise<void> {
  await database.write((tx) =>
    sql`
      delete from mails m where m.next_attempt_at <= ${now} and m.link_hash is not null and not exists (
        select 1 from mailed_links l where l.secret_hash = m.link_hash and l.used_at is null and l.expires_at > ${now})`.execute(
      tx,
    ),
  );
}

/** Take the mails out of the queue that are due longest. @param held by the caller already, even if their leases have ended */
export async function leaseDue(database: Database, limit: number, now: Date, held: readonly LeasedMail[]): Promise<LeasedMail[]> {
  const ids = held.map(({ id }) => id);
  const { rows } = await database.write((tx) =>
    sql<LeasedMail & { due: Date }>`
      with due as materialized (
        select id, next_attempt_at as due from mails where next_attempt_at <= ${now} and id <> all (${ids}::uuid[])
        order by next_attempt_at limit ${limit} for update skip locked)
      update mails m set attempts = m.attempts + 1, next_attempt_at = ${now}::timestamptz + ${LEASE}::interval
      from due where m.id = due.id
      returning m.id, m.recipient, m.subject, m.plain, m.html, m.sealed, m.file_id, m.unsubscribe, m.attempts, due.due`.execute(
      tx,
    ),
  );
  return rows.sort((a, b) => a.due.getTime() - b.due.getTime());
}

/** The file that a mail carries; undefined = it was deleted. */
export function readFile(database: Database, id: string): Promise<Row<'mail_files', 'name' | 'type' | 'content'> | undefined> {
  return database.read.selectFrom('mail_files').select(['name', 'type', 'content']).where('id', '=', id).executeTakeFirst();
}

/** Extend the leases of mails. @returns the ids of those that are still ours: the others were taken over, cancelled or sent */
export async function renewLeases(database: Database, mails: readonly LeasedMail[], now: Date): Promise<ReadonlySet<string>> {
  const { rows } = await database.write((tx) =>
    sql<Row<'mails', 'id'>>`
      update mails m set next_attempt_at = ${now}::timestamptz + ${LEASE}::interval
      from jsonb_to_recordset(${JSON.stringify(mails.map(({ id, attempts }) => ({ id, attempts })))}::jsonb) as own (id uuid, attempts int)
      where m.id = own.id and m.attempts = own.attempts and m.sent_at is null and m.next_attempt_at is not null
      returning m.id`.execute(tx),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Return mails to the queue that were not begun. */
export async function release(database: Database, mails: readonly LeasedMail[], now: Date): Promise<void> {
  await database.write(async (tx) => {
    for (const { id, attempts } of mails)
      await tx
        .updateTable('mails')
        .set({ attempts: attempts - 1, next_attempt_at: now })
        .where('id', '=', id)
        .where('attempts', '=', attempts)
        .where('sent_at', 'is', null)
        .execute();
  });
}

/**
 * Mark mails as sent; a crash before this sends them once more under the same Message-ID. Their text is deleted, because it may
 * contain a valid link.
 * @param keepsText in the demo, which shows its mails
 */
export async function markSent(
  database: Database,
  mails: readonly LeasedMail[],
  now: Date,
  keepsText: boolean,
  outcomes?: MailOutcomes,
): Promise<void> {
  const ids = mails.map(({ id }) => id);
  await database.write(async (tx) => {
    const marked = await tx
      .updateTable('mails')
      .set({ sent_at: now, next_attempt_at: null, last_error: null, ...(keepsText ? {} : { plain: '', html: '', sealed: null }) })
      .where('id', 'in', manyOf(ids, 'uuid'))
      .returning(['recipient', 'file_id', 'bounced_at'])
      .execute();
    // One may have come back already.
    await outcomes?.accepted(
      tx,
      marked.filter(({ bounced_at: bounced }) => bounced === null),
      now,
    );
  });
}

/** Postpone a mail, or give it up. @param next null = give up @param note what else is stored then */
export async function postpone(
  database: Database,
  mail: LeasedMail,
  reason: string,
  next: Date | null,
  note?: (tx: Tx) => Promise<void>,
): Promise<void> {
  await database.write(async (tx) => {
    // After a delivery longer than the lease another process may have taken or delivered the mail; then it is not ours to
    // postpone.
    const put = await tx
      .updateTable('mails')
      .set({ next_attempt_at: next, last_error: reason })
      .where('id', '=', mail.id)
      .where('attempts', '=', mail.attempts)
      .where('sent_at', 'is', null)
      .returning('organization_id')
      .executeTakeFirst();
    if (put !== undefined) await note?.(tx);
    if (next === null && put !== undefined && put.organization_id !== null) await announceUndelivered(tx, put.organization_id);
  });
}
