import type { ColumnType, Generated } from 'kysely';
import type { ReadingKey } from './facts.ts';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

/** Readings of a router in an hour or a day, each at the place of its number. */
interface Rollup {
  router_id: string;
  at: Date;
  counts: (number | null)[];
  sums: (number | null)[];
  mins: (number | null)[];
  maxs: (number | null)[];
}

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    router_contacts: {
      router_id: string;
      last_contact_at: Date;
      /** dBm. */
      rssi: number | null;
      is_weak: Generated<boolean>;
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
    /** One row per value, from the version before `telemetry_reports`; read until retention has emptied it. */
    telemetry: {
      router_id: string;
      at: Date;
      parameter: number;
      value: number;
    };
    telemetry_sink: { node: string; lease_until: Date };
    telemetry_sink_batches: { id: string; created_at: Stamp; reports: number; payload: Buffer };
    telemetry_hours: Rollup;
    telemetry_days: Rollup;
    telemetry_rollup: { rolled_from: Date; closed_until: Date; rolled_until: Date };
    telemetry_late: { hour: Date; router_id: string };
    telemetry_reports: { router_id: string; at: Date } & { [Key in ReadingKey]: ColumnType<number | null, number | undefined> };
  }
}
