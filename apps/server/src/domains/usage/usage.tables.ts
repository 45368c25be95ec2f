import type { ColumnType, Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

/** A count of bytes; the driver reads it as text. */
type Bytes = ColumnType<string, number, number>;

interface StoredReading {
  router_id: string;
  modem: number;
  at: Date;
  iccid: string;
  uptime: string | null;
  sent: Bytes;
  received: Bytes;
}

interface UsedBytes {
  organization_id: string;
  iccid: string;
  device_id: string;
  sent: Bytes;
  received: Bytes;
}

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    usage_readings: StoredReading;
    usage_heads: StoredReading & { first_at: Date };
    usage_sims: {
      organization_id: string;
      iccid: string;
      carrier: Generated<string>;
      plan_id: string | null;
      cycle_day: Generated<number>;
      chosen_plan_id: Generated<string | null>;
      created_at: Stamp;
    };
    usage_days: UsedBytes & { day: string };
    usage_cycles: UsedBytes & { cycle_from: string };
    usage_plans: {
      organization_id: string;
      id: string;
      name: string;
      cycle_day: number;
      allowance: Bytes;
      is_pool: boolean;
      cost_per_gb: ColumnType<string | null, number | null, number | null>;
      currency: string;
      applies_to: string;
      carrier: string;
      shares: number[];
      action: string;
      command_id: string | null;
      actor: ColumnType<object, string, string>;
      version: Generated<number>;
      created_at: Stamp;
      updated_at: Stamp;
    };
    usage_zones: { organization_id: string; from_at: Date; zone: string };
    usage_matching: { organization_id: string; requested_at: Stamp };
    usage_plan_events: {
      organization_id: string;
      plan_id: string;
      cycle_from: string;
      iccid: string;
      share: number;
      happened_at: Stamp;
      outcome: Generated<string>;
    };
    usage_totals: { organization_id: string; day: string; sent: Bytes; received: Bytes };
  }
}
