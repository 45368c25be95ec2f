import type { Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    firmware: {
      id: string;
      main_account_id: string;
      version: string;
      profile: string;
      note: Generated<string>;
      file_name: string;
      size: number;
      sha256: Buffer;
      signed_by: string | null;
      created_at: Stamp;
      updated_at: Stamp;
    };
  }
}
