import type { Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    config_files: {
      organization_id: string;
      id: string;
      name: string;
      note: Generated<string>;
      current_version: Generated<number>;
      version: Generated<number>;
      created_at: Stamp;
      updated_at: Stamp;
    };
    config_versions: {
      organization_id: string;
      config_id: string;
      number: number;
      size: number;
      sha256: Buffer;
      sealed: Buffer;
      created_at: Stamp;
      created_by: Generated<string>;
    };
  }
}
