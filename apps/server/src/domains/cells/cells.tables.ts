import type { Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md). Triggers of accounts and
// routers write directory_updates too (migration 0068).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    directory_names: {
      kind: string;
      hash: Buffer;
      cell: string;
      seen_at: Stamp;
    };
    directory_membership: {
      is_only: Generated<boolean>;
      cell: string;
      pass_began_at: NullableStamp;
      pass_table: 'accounts' | 'routers' | null;
      pass_after: string | null;
      pass_ended_at: NullableStamp;
    };
    directory_updates: {
      id: Generated<string>;
      xid: Generated<string>;
      kind: string;
      name: string;
      is_added: boolean;
    };
  }
}
