import type { Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    groups: {
      organization_id: string;
      key: string;
      name: string;
      description: Generated<string>;
      tags: Generated<string[]>;
      report_seconds: Generated<number | null>;
      version: Generated<number>;
      created_at: Stamp;
      updated_at: Stamp;
    };
    group_controls: {
      organization_id: string;
      group_key: string;
      account_id: string;
      created_at: Stamp;
    };
  }
}
