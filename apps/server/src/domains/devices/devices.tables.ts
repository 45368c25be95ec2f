import type { ColumnType, Generated } from 'kysely';
import type { TextKey } from '../router-state/index.ts';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    devices: PresenceColumns &
      TextFacts & {
        booted_at: NullableStamp;
        organization_id: string;
        id: string;
        main_account_id: string;
        router_id: string;
        serial: string;
        mac: string;
        group_key: string;
        vehicle_number: Generated<string>;
        note: Generated<string>;
        tags: Generated<string[]>;
        /** ISO day. */
        started_on: string | null;
        /** ISO day. */
        expires_on: string | null;
        created_at: Stamp;
        updated_at: Stamp;
        archived_at: NullableStamp;
        version: Generated<number>;
        /** Computed: `booted_at` while online. */
        up_since: ColumnType<Date | null, never, never>;
        /** 0 to 100. */
        health: Generated<number | null>;
      };
    device_health: {
      device_id: string;
      at: Stamp;
      rsrp: number | null;
      rssi: number | null;
      drops: number;
      temperature: number | null;
      voltage: number | null;
    };
    /** One row. */
    device_health_pass: { computed_until: Stamp; target: NullableStamp; after_device: string | null };
    /** Written by triggers of `devices`. */
    device_counts: {
      organization_id: string;
      main_account_id: string;
      group_key: string;
      carrier: string | null;
      presence: string;
      /** The sum of all rows counts the living devices; one row may be negative. */
      devices: number;
      is_new: boolean;
    };
    /** Written by triggers of `devices`: the numbers by which a search finds a device. */
    device_identifiers: {
      device_id: string;
      kind: 'iccid' | 'imei' | 'mtn' | 'mac';
      value: string;
      organization_id: string;
      main_account_id: string;
    };
    /** One row per organization and five minutes. */
    online_shares: {
      organization_id: string;
      main_account_id: string;
      at: Stamp;
      online: number;
      devices: number;
    };
  }
}

type TextFacts = { [Key in TextKey]: string | null };
