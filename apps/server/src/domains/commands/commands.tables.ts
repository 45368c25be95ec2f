import type { commands } from '@highline/contract';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    custom_commands: {
      organization_id: string;
      id: string;
      name: string;
      kind: commands.CommandKind;
      argument: string;
      is_pinned: boolean;
      created_at: Stamp;
    };
  }
}
