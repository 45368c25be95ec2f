import type { Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    mails: {
      id: string;
      recipient: string;
      subject: string;
      plain: string;
      html: string;
      created_at: Stamp;
      next_attempt_at: NullableStamp;
      attempts: Generated<number>;
      sent_at: NullableStamp;
      last_error: string | null;
      organization_id: string | null;
      kind: Generated<MailKind>;
      sealed: Generated<Buffer | null>;
      link_hash: Generated<Buffer | null>;
    };
  }
}

/** The subject of a mail: an account, or an event. */
export type MailKind = 'account' | 'invitation' | 'notification';
