import type { ColumnType, Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    coverage_progress: { closed_until: Date; marked_until: Date };
    coverage_due: { slot: Date; router_id: string; due_at: Generated<Date> };
    coverage_slots: {
      router_id: string;
      slot: Date;
      organization_id: string;
      device_id: string;
      cell: string;
      carrier: string;
      technology: string;
      samples: number;
      rsrp: number[];
      rsrq: number[];
      drops: number;
      lost_seconds: number;
    };
    /** Its bins are columns too (bins.ts). */
    coverage_days: {
      organization_id: string;
      cell: string;
      day: string;
      carrier: string;
      technology: string;
      resolution: number;
      samples: number;
      drops: number;
      lost_seconds: number;
    };
    coverage_networks: { organization_id: string; carrier: string; technology: string; last_day: string };
    coverage_comparisons: {
      organization_id: string;
      day: string;
      changes: number;
      compared_changes: Generated<number>;
      compared_at: ColumnType<Date | null>;
    };
    coverage_vehicle_days: {
      organization_id: string;
      day: string;
      device_id: string;
      carrier: string;
      technology: string;
      cells: number;
      rsrp_samples: number;
      rsrp_difference: number;
      rsrq_samples: number;
      rsrq_difference: number;
    };
  }
}
