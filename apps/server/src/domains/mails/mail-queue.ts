import { sql } from 'kysely';
import { newId, type Sealing } from '../../kernel/index.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { sealMailText } from './mail-text.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'mails.kind': MailKind;
  }
}

/** The subject of a mail: an account, or an event. */
export type MailKind = 'account' | 'invitation' | 'notification';

/** A mail and its organization. */
export interface MailToSend {
  /** Set if another row refers to the mail; used in its Message-ID. */
  readonly id?: string;
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly plain: string;
  readonly html: string;
  readonly kind: MailKind;
  /** The organization whose admins see it if it cannot be delivered; null = none. */
  readonly organizationId: string | null;
  /** The secret link in its text: the text is encrypted, and the mail is cancelled with the link. */
  readonly link?: LinkInMail;
  /** The id of a file that it carries, from `storeMailFile`. */
  readonly fileId?: string;
  /** Where one click ends such mails (RFC 8058). */
  readonly unsubscribe?: string;
}

/** A link in a mail: the hash of its secret, and the sealing for the text. */
export interface LinkInMail {
  readonly secretHash: Buffer;
  readonly sealing: Sealing;
}

/** Put a mail into the queue, in the transaction of its event. @returns its id */
export async function enqueueMail(tx: Tx, mail: MailToSend, now: Date): Promise<string> {
  const [id] = await enqueueMails(tx, [mail], now);
  return id!;
}

/** Put mails into the queue. @returns their ids, in the same order */
export async function enqueueMails(tx: Tx, mails: readonly MailToSend[], now: Date): Promise<string[]> {
  const rows = mails.map(
    ({ id = newId(now.getTime()), to, organizationId, subject, kind, link, plain, html, fileId, unsubscribe }) => ({
      id,
      recipient: to,
      organization_id: organizationId,
      kind,
      // A line break would begin another header; subjects contain names typed by users.
      subject: subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
      ...(link === undefined ? { plain, html } : { plain: '', html: '', ...sealed(id, { plain, html }, link) }),
      file_id: fileId ?? null,
      unsubscribe: unsubscribe ?? null,
      created_at: now,
      next_attempt_at: now,
      last_error: null,
    }),
  );
  if (rows.length > 0) await tx.insertInto('mails').values(rows).execute();
  return rows.map(({ id }) => id);
}

/** Store a file that mails will carry, in the transaction of these mails. @param file `ownerId`: the organization or main account that it is of @param keptUntil how long it can be opened; at least as long as the mails can be sent again @returns its id */
export async function storeMailFile(
  tx: Tx,
  file: { readonly name: string; readonly type: string; readonly content: Buffer; readonly ownerId: string },
  now: Date,
  keptUntil: Date | null = null,
): Promise<string> {
  const id = newId(now.getTime());
  await tx
    .insertInto('mail_files')
    .values({
      id,
      name: file.name,
      type: file.type,
      content: file.content,
      owner_id: file.ownerId,
      created_at: now,
      kept_until: keptUntil,
    })
    .execute();
  return id;
}

/** Delete files before their time: those of an organization that is being purged. */
export async function deleteMailFiles(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await tx
      .deleteFrom('mail_files')
      .where('id', 'in', [...ids])
      .execute();
}

function sealed(id: string, text: { readonly plain: string; readonly html: string }, { secretHash, sealing }: LinkInMail) {
  return { sealed: sealMailText(sealing, id, text), link_hash: secretHash };
}

/** Cancel undelivered mails whose links have become invalid. */
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

/**
 * Encrypt mails with secret links that an earlier version stored in plain text. Runs at each start; the second time it finds
 * none.
 */
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

/** Delete queued mails of an organization to a recipient that was removed. */
export async function cancelMails(tx: Tx, organizationId: string, recipient: string): Promise<void> {
  await tx
    .deleteFrom('mails')
    .where('organization_id', '=', organizationId)
    .where('recipient', '=', recipient)
    .where('kind', '=', 'notification')
    .where('sent_at', 'is', null)
    .execute();
}

/** The same for mails with these files. */
export async function cancelFileMails(tx: Tx, files: readonly string[], recipient: string): Promise<void> {
  await sql`delete from mails where file_id = any (${[...files]}::uuid[]) and recipient = ${recipient} and sent_at is null`.execute(
    tx,
  );
}

/** The same for all recipients and kinds: the organization is being deleted. */
export async function cancelMailsOf(tx: Tx, organizationId: string): Promise<void> {
  await tx.deleteFrom('mails').where('organization_id', '=', organizationId).where('sent_at', 'is', null).execute();
}

/** Delete sent mails, and those given up, after 30 days, and then the files that they carried: until then they can be sent again (retention). */
export async function purgeMails(database: Database, now: Date): Promise<void> {
  await database.write((tx) =>
    tx
      .deleteFrom('mails')
      .where('created_at', '<', new Date(now.getTime() - 30 * 86_400_000))
      .where('next_attempt_at', 'is', null)
      .execute(),
  );
  await database.write((tx) =>
    tx
      .deleteFrom('mail_files')
      .where('created_at', '<', new Date(now.getTime() - 35 * 86_400_000))
      .where((is) => is.or([is('kept_until', 'is', null), is('kept_until', '<', now)]))
      .execute(),
  );
}

/** The highest count that is useful. */
const MOST_COUNTED = 10_000;

/** Mails that could be sent now, of the whole installation; at most 10,000 are counted. */
export async function countDueMails(database: Database, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select 1 from mails where next_attempt_at <= ${now}::timestamptz limit ${MOST_COUNTED}) due`.execute(database.read);
  return rows[0]!.count;
}
