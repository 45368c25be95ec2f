import type { Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    api_keys: {
      id: string;
      main_account_id: string;
      /** Null: the main account and all of its organizations. */
      organization_id: string | null;
      name: string;
      operations: string[];
      ranges: Generated<string[]>;
      secret_hash: Buffer;
      hint: string;
      previous_hash: Buffer | null;
      previous_until: NullableStamp;
      made_by: string;
      made_by_email: string;
      created_at: Stamp;
      expires_at: NullableStamp;
      revoked_at: NullableStamp;
      last_used_at: NullableStamp;
      last_used_address: string | null;
    };
  }
}
