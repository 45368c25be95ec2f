import { sql } from 'kysely';
import { newId } from '../../ids.ts';
import type { Database, Tx } from '../../ports/database.ts';
import type { Log } from '../../ports/log.ts';
import { RefusedForGood, type MailTransport } from '../../ports/mail.ts';
import type { MailKind } from '../../tables.ts';

/**
 * Tries grow apart from half a minute to six hours; after this many the mail stays as undeliverable, with the last error. So does one
 * that the server refuses for good.
 */
const MAX_ATTEMPTS = 20;
const FIRST_DELAY_MS = 30_000;
const LONGEST_DELAY_MS = 6 * 3_600_000;
/**
 * While a mail is being handed over nobody else may take it; a process that dies gives it free after this time. It is longer than
 * a mail server may take to answer (RFC 5321, 4.5.3.2).
 */
const LEASE = '15 minutes';

const RENEWAL_MS = 5 * 60_000;
/** Mails on their way at once: one slow server does not hold up everybody's mail. */
const LANES = 3;
const LONGEST_MARK_WAIT_MS = 10_000;

/** A mail and whose it is. */
export interface MailToSend {
  /** Given where something else names the mail too; stands in its Message-ID. */
  readonly id?: string;
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly plain: string;
  readonly html: string;
  readonly kind: MailKind;
  /** Whose admins see it if it cannot be delivered; null = nobody's. */
  readonly organizationId: string | null;
}

/** Put a mail into the queue, in the transaction of what it tells of. @returns its id */
export async function enqueueMail(tx: Tx, mail: MailToSend, now: Date): Promise<string> {
  const [id] = await enqueueMails(tx, [mail], now);
  return id!;
}

/** Put mails into the queue. @returns their ids, in the same order */
export async function enqueueMails(tx: Tx, mails: readonly MailToSend[], now: Date): Promise<string[]> {
  const rows = mails.map(({ id = newId(now.getTime()), to, organizationId, subject, ...words }) => ({
    id,
    recipient: to,
    organization_id: organizationId,
    // A line break would begin another header; names that people typed stand in subjects.
    subject: subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
    ...words,
    created_at: now,
    next_attempt_at: now,
    last_error: null,
  }));
  if (rows.length > 0) await tx.insertInto('mails').values(rows).execute();
  return rows.map(({ id }) => id);
}

/** Forget what an organization still has to tell somebody: that person is to be told nothing any more. */
export async function cancelMails(tx: Tx, organizationId: string, recipient: string): Promise<void> {
  await tx
    .deleteFrom('mails')
    .where('organization_id', '=', organizationId)
    .where('recipient', '=', recipient)
    .where('kind', '=', 'notification')
    .where('sent_at', 'is', null)
    .execute();
}

/** The same for everybody and of whatever kind: the organization is being deleted. */
export async function cancelMailsOf(tx: Tx, organizationId: string): Promise<void> {
  await tx.deleteFrom('mails').where('organization_id', '=', organizationId).where('sent_at', 'is', null).execute();
}

/** Hand over what is due, a few mails at a time. A refused mail waits and does not hold up the others. @returns how many were taken */
export async function deliverDueMails(database: Database, transport: MailTransport, now: () => Date, log: Log): Promise<number> {
  const lane = async (): Promise<number> => {
    let sent = 0;
    for (;;) {
      const mail = await leaseOne(database, now());
      if (mail === undefined) return sent;
      if (await handOver(database, transport, mail, now, log)) sent += 1;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: LANES }, lane));
  const broken = ended.find((one) => one.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
  return ended.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0);
}

async function handOver(
  database: Database,
  transport: MailTransport,
  mail: DueMail,
  now: () => Date,
  log: Log,
): Promise<boolean> {
  // A server may take its time (RFC 5321, 4.5.3.2): as long as we wait for it, the mail stays ours.
  const renewal = setInterval(() => void renewLease(database, mail, now()).catch(() => {}), RENEWAL_MS);
  const { recipient: to, subject, plain, html } = mail;
  try {
    await transport.send({ messageId: `<${mail.id}@highline>`, to, subject, plain, html });
  } catch (error) {
    log.warn({ err: error, mail: mail.id, attempts: mail.attempts }, 'A mail was not taken; it will be tried again.');
    await postpone(database, mail, error, now());
    return false;
  } finally {
    clearInterval(renewal);
  }
  await markSent(database, mail, now, log);
  return true;
}

/** A mail that was taken must not be sent again because the database was away for a moment. */
async function markSent(database: Database, mail: DueMail, now: () => Date, log: Log): Promise<void> {
  for (let wait = 100; ; wait *= 2) {
    try {
      await database.write((tx) =>
        tx
          .updateTable('mails')
          .set({ sent_at: now(), next_attempt_at: null, last_error: null })
          .where('id', '=', mail.id)
          .execute(),
      );
      return;
    } catch (error) {
      if (wait > LONGEST_MARK_WAIT_MS) {
        log.error({ err: error, mail: mail.id }, 'A mail was taken, but this could not be noted: it may be sent once more.');
        return;
      }
      await new Promise((resolve) => {
        setTimeout(resolve, wait);
      });
    }
  }
}

interface DueMail {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly plain: string;
  readonly html: string;
  readonly attempts: number;
}

async function leaseOne(database: Database, now: Date): Promise<DueMail | undefined> {
  const { rows } = await database.write((tx) =>
    sql<DueMail>`
      update mails set attempts = attempts + 1, next_attempt_at = ${now}::timestamptz + ${LEASE}::interval
      where id = (select id from mails where next_attempt_at <= ${now} order by next_attempt_at limit 1 for update skip locked)
      returning id, recipient, subject, plain, html, attempts`.execute(tx),
  );
  return rows[0];
}

async function renewLease(database: Database, mail: DueMail, now: Date): Promise<void> {
  await database.write((tx) =>
    sql`
      update mails set next_attempt_at = ${now}::timestamptz + ${LEASE}::interval
      where id = ${mail.id} and attempts = ${mail.attempts} and sent_at is null`.execute(tx),
  );
}

async function postpone(database: Database, mail: DueMail, error: unknown, now: Date): Promise<void> {
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (mail.attempts - 1)) * (0.75 + Math.random() / 2);
  const isHopeless = error instanceof RefusedForGood || mail.attempts >= MAX_ATTEMPTS;
  const next = isHopeless ? null : new Date(now.getTime() + delay);
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  // Who took longer than the lease may find the mail taken over, or delivered, by another; then it is not ours to put back.
  await database.write((tx) =>
    tx
      .updateTable('mails')
      .set({ next_attempt_at: next, last_error: reason })
      .where('id', '=', mail.id)
      .where('attempts', '=', mail.attempts)
      .where('sent_at', 'is', null)
      .execute(),
  );
}

/** Mails that were delivered, and those given up, after 30 days (retention). */
export async function purgeMails(database: Database, now: Date): Promise<void> {
  await database.write((tx) =>
    tx
      .deleteFrom('mails')
      .where('created_at', '<', new Date(now.getTime() - 30 * 86_400_000))
      .where('next_attempt_at', 'is', null)
      .execute(),
  );
}
