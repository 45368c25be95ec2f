import type { ColumnType, Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    organizations: {
      id: string;
      main_account_id: string;
      name: string;
      phone: Generated<string>;
      address: Generated<string>;
      description: Generated<string>;
      tags: Generated<string[]>;
      /** Days that its readings and history are kept; null = as many as the installation keeps. */
      retention_days: Generated<number | null>;
      version: Generated<number>;
      created_at: Stamp;
      updated_at: Stamp;
      deleted_at: NullableStamp;
      request_key: Generated<string | null>;
      purged_at: NullableStamp;
    };
    /** One row per organization, made by a trigger and kept by a job (organization.figures.ts). */
    organization_figures: {
      organization_id: string;
      main_account_id: string;
      devices: number;
      online: number;
      /** Devices whose routers never connected. */
      never_connected: number;
      /** Computed: thousandths of those that have connected; null without any. */
      connected_share: ColumnType<number | null, never, never>;
      expiring: number;
      failed_rollouts: number;
      paused_rollouts: number;
    };
    organization_retention: { organization_id: string; deleted_until: Date };
  }
}
