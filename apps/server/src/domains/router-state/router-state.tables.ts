import type { ColumnType } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    router_contacts: {
      router_id: string;
      last_contact_at: Date;
      /** dBm. */
      rssi: number | null;
    };
    connectivity: {
      router_id: string;
      at: Date;
      kind: string;
      reason: string;
    };
    router_events: {
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
    };
    router_facts: {
      id: ColumnType<number, never, never>;
      router_id: string;
      at: Stamp;
      fact: string;
      value: string;
    };
    telemetry_parameters: {
      id: number;
      name: string;
      unit: string;
    };
    telemetry: {
      router_id: string;
      at: Date;
      parameter: number;
      value: number;
    };
  }
}
