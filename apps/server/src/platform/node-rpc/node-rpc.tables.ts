import type { ColumnType, Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../ports/tables.ts' {
  interface Tables {
    remote_calls: {
      organization_id: string;
      id: string;
      main_account_id: string;
      topic: 'remote' | 'commands';
      payload: ColumnType<unknown, string, never>;
      login_hash: Buffer;
      address: string;
      requested_at: Generated<Date>;
      claimed_at: NullableStamp;
      sealed_answer: Buffer | null;
    };
  }
}
