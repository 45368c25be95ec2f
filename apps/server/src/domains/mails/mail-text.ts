import { createSealing, type MasterKey, type Sealing } from '../../kernel/sealing.ts';

/** The text of a mail, plain and as HTML. */
export interface MailText {
  readonly plain: string;
  readonly html: string;
}

/** Encrypts mails with secret links under the master key. */
export function createMailSealing(masterKey: MasterKey): Sealing {
  return createSealing(masterKey, 'highline mails');
}

/** @param id of the mail; the text can be decrypted for no other one */
export function sealMailText(sealing: Sealing, id: string, { plain, html }: MailText): Buffer {
  return sealing.seal(id, Buffer.from(JSON.stringify([plain, html]), 'utf8'));
}

/**
 * The text of a mail from its stored form.
 * @throws DomainError `secret.unreadable` when it was encrypted under another master key, or belongs to another mail
 */
export function openMailText(
  sealing: Sealing,
  mail: MailText & { readonly id: string; readonly sealed: Buffer | null },
): MailText {
  if (mail.sealed === null) return { plain: mail.plain, html: mail.html };
  const [plain, html] = JSON.parse(sealing.open(mail.id, mail.sealed).toString('utf8')) as [string, string];
  return { plain, html };
}
