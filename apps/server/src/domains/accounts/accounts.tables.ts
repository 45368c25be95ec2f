import type { Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    setup_links: {
      secret_hash: Buffer;
      created_at: Stamp;
    };
    main_accounts: {
      id: string;
      name: string;
      created_at: Stamp;
    };
    accounts: {
      id: string;
      main_account_id: string;
      organization_id: string | null;
      email: string;
      name: string;
      password_hash: string | null;
      roles: Generated<string[]>;
      is_contact: Generated<boolean>;
      custom_data: Json<Record<string, unknown>>;
      /** Language in which the user was invited. */
      language: 'en-US' | 'zh-TW' | null;
      signed_in_at: NullableStamp;
      version: Generated<number>;
      created_at: Stamp;
      updated_at: Stamp;
    };
    sessions: {
      bearer_hash: Buffer;
      account_id: string;
      created_at: Stamp;
      last_used_at: Stamp;
      expires_at: Date;
      address: string;
      user_agent: string;
    };
    mailed_links: {
      secret_hash: Buffer;
      account_id: string;
      purpose: 'reset-password' | 'invitation';
      created_at: Stamp;
      expires_at: Date;
      used_at: NullableStamp;
      /** The name of the sender of an invitation, as its mail has it; null = none was stored. */
      inviter: Generated<string | null>;
    };
    second_factors: {
      account_id: string;
      sealed_secret: Buffer;
      confirmed_at: NullableStamp;
      last_step: Generated<number>;
      created_at: Stamp;
    };
    recovery_codes: {
      account_id: string;
      code_hash: Buffer;
      used_at: NullableStamp;
    };
    rate_windows: {
      key: string;
      hits: number;
      ends_at: Date;
    };
  }
}
