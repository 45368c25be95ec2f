/** One mail on its way out. */
export interface Mail {
  /** Stable over retries, so that a receiver can tell a repetition (DECISIONS, Mail). */
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
  readonly plain: string;
  readonly html: string;
}

/** The server will never take this mail: trying again is of no use. */
export class RefusedForGood extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RefusedForGood';
  }
}

/** Hands a mail to the next server, or into the demo's outbox folder. Throws when it was not taken, `RefusedForGood` when it never will be. */
export interface MailTransport {
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}
