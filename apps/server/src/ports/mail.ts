/** One mail on its way out. */
export interface Mail {
  /** Stable over retries, so that a receiver can tell a repetition (DECISIONS, Mail). */
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
  readonly plain: string;
  readonly html: string;
}

/** Hands a mail to the next server, or into the demo's outbox folder. Throws when it was not taken. */
export interface MailTransport {
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}
