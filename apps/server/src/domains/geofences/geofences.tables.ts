import type { GeofenceShape } from '@highline/contract';
import type { ColumnType, Generated } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    geofences: {
      id: string;
      organization_id: string;
      name: string;
      shape: Json<GeofenceShape>;
      /** Of the shape; a circle has one. */
      corners: number;
      version: Generated<number>;
      created_at: Stamp;
      updated_at: Stamp;
    };
    geofence_states: {
      router_id: string;
      geofence_id: string;
      is_inside: boolean;
      since: Date | null;
      /** The first position on the other side. */
      pending_since: Date | null;
    };
    geofence_events: {
      id: ColumnType<string, never, never>;
      organization_id: string;
      device_id: string;
      router_id: string;
      geofence_id: string;
      geofence_name: string;
      kind: 'entered' | 'left';
      at: Date;
      stored_at: Stamp;
    };
  }
}
