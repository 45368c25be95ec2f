import type { ColumnType } from 'kysely';
import type { Stamp } from '../../platform/ports/tables.ts';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    router_contacts: RouterContactsTable;
    connectivity: ConnectivityTable;
    router_events: RouterEventsTable;
    router_facts: RouterFactsTable;
    telemetry_parameters: TelemetryParametersTable;
    telemetry: TelemetryTable;
  }
}

interface RouterContactsTable {
  router_id: string;
  last_contact_at: Date;
  /** dBm. */
  rssi: number | null;
}

interface ConnectivityTable {
  router_id: string;
  at: Date;
  kind: string;
  reason: string;
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

interface TelemetryParametersTable {
  id: number;
  name: string;
  unit: string;
}

interface TelemetryTable {
  router_id: string;
  at: Date;
  parameter: number;
  value: number;
}
