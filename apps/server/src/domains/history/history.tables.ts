import type { ColumnType } from 'kysely';
import type { Stamp } from '../../platform/ports/tables.ts';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    router_events: RouterEventsTable;
    router_facts: RouterFactsTable;
  }
}

interface RouterEventsTable {
  id: ColumnType<number, never, never>;
  router_id: string;
  at: Date;
  kind: 'rollout' | 'alarm' | 'remote';
  subject: string;
  label: string;
  state: string;
  reason: string;
  rollout_id: string | null;
  remote_session_id: string | null;
}

interface RouterFactsTable {
  id: ColumnType<number, never, never>;
  router_id: string;
  at: Stamp;
  fact: string;
  value: string;
}
