/** One outgoing mail. */
export interface Mail {
  /** Stable over retries, so that a receiver can detect a repetition (DECISIONS, Mail). */
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
  readonly plain: string;
  readonly html: string;
  /** A file that it carries. */
  readonly file?: { readonly name: string; readonly type: string; readonly content: Buffer };
  /** Where one click ends such mails (RFC 8058). */
  readonly unsubscribe?: string;
  /** Envelope sender: where a mail server returns it to that has accepted it. Left out: the sender. */
  readonly bounceAddress?: string;
}

/** The server will never accept this mail: a retry is useless. */
export class PermanentMailError extends Error {
  /** It accepts no mail to this recipient; otherwise it does not accept this text or file. */
  readonly isOfRecipient: boolean;

  constructor(message: string, { isOfRecipient = false, ...options }: ErrorOptions & { readonly isOfRecipient?: boolean } = {}) {
    super(message, options);
    this.name = 'PermanentMailError';
    this.isOfRecipient = isOfRecipient;
  }
}

/** Too large, content, security and policy say nothing about the recipient, and what is not permanent does not either. */
const OF_RECIPIENT = /^5\.(?![67]\.|2\.3$|3\.4$)/u;

/** Whether an enhanced status of a mail server (RFC 3463) says that the recipient gets no mail. */
export function isStatusOfRecipient(status: string): boolean {
  return OF_RECIPIENT.test(status);
}

/**
 * Sends a mail to the next server, or into the demo's outbox folder. Throws when it was not accepted, `PermanentMailError` when it
 * never will be.
 */
export interface MailTransport {
  send(mail: Mail): Promise<void>;
  /** Mails end as files here: there is no mail server. */
  readonly keepsFiles?: boolean;
  close(): Promise<void>;
}
