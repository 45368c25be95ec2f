import { sql } from 'kysely';
import { newId } from '../../ids.ts';
import type { Database, Tx } from '../../ports/database.ts';
import type { Sealing } from '../../sealing.ts';
import type { MailKind } from '../../tables.ts';
import { sealMailText } from './mail-text.ts';

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
  /** The secret link in its text: such a text is sealed, and the mail is taken back with the link. */
  readonly link?: LinkInMail;
}

/** A link in a mail: the hash of its secret, and what its text is sealed with. */
export interface LinkInMail {
  readonly secretHash: Buffer;
  readonly sealing: Sealing;
}

/** Put a mail into the queue, in the transaction of what it tells of. @returns its id */
export async function enqueueMail(tx: Tx, mail: MailToSend, now: Date): Promise<string> {
  const [id] = await enqueueMails(tx, [mail], now);
  return id!;
}

/** Put mails into the queue. @returns their ids, in the same order */
export async function enqueueMails(tx: Tx, mails: readonly MailToSend[], now: Date): Promise<string[]> {
  const rows = mails.map(({ id = newId(now.getTime()), to, organizationId, subject, kind, link, plain, html }) => ({
    id,
    recipient: to,
    organization_id: organizationId,
    kind,
    // A line break would begin another header; names that people typed stand in subjects.
    subject: subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
    ...(link === undefined ? { plain, html } : { plain: '', html: '', ...sealed(id, { plain, html }, link) }),
    created_at: now,
    next_attempt_at: now,
    last_error: null,
  }));
  if (rows.length > 0) await tx.insertInto('mails').values(rows).execute();
  return rows.map(({ id }) => id);
}

function sealed(id: string, text: { readonly plain: string; readonly html: string }, { secretHash, sealing }: LinkInMail) {
  return { sealed: sealMailText(sealing, id, text), link_hash: secretHash };
}

/** Take back mails whose links are good no more, and were not delivered yet. */
export async function cancelLinkMails(tx: Tx, secretHashes: readonly Buffer[]): Promise<void> {
  if (secretHashes.length === 0) return;
  await tx
    .deleteFrom('mails')
    .where('link_hash', 'in', [...secretHashes])
    .where('sent_at', 'is', null)
    .execute();
}

const SECRET_LINK = /account\.html\?(?:reset|invitation)=/u;
const SEALED_AT_ONCE = 200;

/** Seal the mails with secret links that an earlier version left in the clear. Run at each start; the second time it finds none. */
export async function sealEarlierMails(database: Database, sealing: Sealing): Promise<void> {
  for (;;) {
    const rows = await database.read
      .selectFrom('mails')
      .select(['id', 'plain', 'html'])
      .where('kind', '<>', 'notification')
      .where('sealed', 'is', null)
      .where('plain', 'like', '%account.html?%')
      .limit(SEALED_AT_ONCE)
      .execute();
    const found = rows.filter(({ plain }) => SECRET_LINK.test(plain));
    await database.write(async (tx) => {
      for (const row of found)
        await tx
          .updateTable('mails')
          .set({ plain: '', html: '', sealed: sealMailText(sealing, row.id, row) })
          .where('id', '=', row.id)
          .execute();
    });
    if (found.length < SEALED_AT_ONCE) return;
  }
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

/** As far as anybody needs to know. */
const MOST_COUNTED = 10_000;

/** Mails that could be sent now, of the whole installation; at most 10,000 are counted. */
export async function countDueMails(database: Database, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select 1 from mails where next_attempt_at <= ${now}::timestamptz limit ${MOST_COUNTED}) due`.execute(database.read);
  return rows[0]!.count;
}
