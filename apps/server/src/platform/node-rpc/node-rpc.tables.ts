import type { Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../ports/tables.ts' {
  interface Tables {
    recorded_calls: {
      id: string;
      recorded_at: Generated<Date>;
    };
  }
}
