import type { properties } from '@highline/contract';
import type { ColumnType } from 'kysely';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    custom_properties: {
      organization_id: string;
      key: string;
      name: string;
      type: properties.PropertyType;
      unit: string;
      created_at: Stamp;
    };
    device_properties: {
      organization_id: string;
      device_id: string;
      property_key: string;
      value: ColumnType<boolean | number | string | null, string | null, string | null>;
      picture: Buffer | null;
      picture_type: properties.PictureType | null;
      picture_size: number | null;
      picture_sha256: Buffer | null;
      updated_at: Stamp;
    };
  }
}
