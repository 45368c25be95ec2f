import type { properties } from '@highline/contract';
import { sql } from 'kysely';
import { natural } from '../../platform/listing/index.ts';
import { lockOrganizationForNoKeyUpdate } from '../../platform/locks/row-locks.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'device_properties.value': boolean | number | string;
  }
}

type Within = Pick<OrganizationScope, 'organizationId'>;
export type PropertyRow = properties.CustomProperty;

/** A stored picture. */
export interface Picture {
  readonly type: properties.PictureType;
  readonly contents: Buffer;
  readonly sha256: Buffer;
}

/** A property with its value on a device, all null if nothing was set. */
export interface StoredProperty extends PropertyRow {
  readonly value: boolean | number | string | null;
  readonly picture_type: properties.PictureType | null;
  readonly picture_size: number | null;
  readonly picture_sha256: Buffer | null;
}

/** An organization's properties by name; the service limits their number. */
export async function selectProperties(queries: Queries, scope: Within): Promise<PropertyRow[]> {
  return queries
    .selectFrom('custom_properties')
    .select(['key', 'name', 'type', 'unit'])
    .where('organization_id', '=', scope.organizationId)
    .orderBy(natural(sql`name`))
    .execute();
}

/** The same, locked against additions until the transaction ends. */
export async function lockProperties(tx: Tx, scope: OrganizationScope): Promise<PropertyRow[]> {
  await lockOrganizationForNoKeyUpdate(tx, scope);
  return selectProperties(tx, scope);
}

/** Insert a property; the caller has locked the others and checked that key and name are free. */
export async function insertProperty(tx: Tx, scope: OrganizationScope, property: PropertyRow, now: Date): Promise<void> {
  await tx
    .insertInto('custom_properties')
    .values({ organization_id: scope.organizationId, ...property, created_at: now })
    .execute();
}

/** All properties of a device of the organization by name, without the contents of pictures. */
export async function selectStored(queries: Queries, scope: Within, deviceId: string): Promise<StoredProperty[]> {
  return queries
    .selectFrom('custom_properties as p')
    .leftJoin('device_properties as h', (join) =>
      join
        .onRef('h.organization_id', '=', 'p.organization_id')
        .onRef('h.property_key', '=', 'p.key')
        .on('h.device_id', '=', deviceId),
    )
    .select(['p.key', 'p.name', 'p.type', 'p.unit', 'h.value', 'h.picture_type', 'h.picture_size', 'h.picture_sha256'])
    .where('p.organization_id', '=', scope.organizationId)
    .orderBy(natural(sql`p.name`))
    .execute();
}

/** A device's picture with its contents. */
export async function selectPicture(
  queries: Queries,
  scope: Within,
  deviceId: string,
  key: string,
): Promise<Pick<Picture, 'type' | 'contents'> | undefined> {
  const row = await queries
    .selectFrom('device_properties')
    .select(['picture', 'picture_type'])
    .where('organization_id', '=', scope.organizationId)
    .where('device_id', '=', deviceId)
    .where('property_key', '=', key)
    .executeTakeFirst();
  if (row === undefined || row.picture === null || row.picture_type === null) return undefined;
  return { type: row.picture_type, contents: row.picture };
}

/** Total bytes of the pictures of an organization's devices; a caller who adds one has locked the organization. */
export async function sumPictures(tx: Tx, scope: OrganizationScope): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select coalesce(sum(picture_size), 0) as bytes from device_properties
    where organization_id = ${scope.organizationId}::uuid and picture_size is not null`.execute(tx);
  return rows[0]!.bytes;
}

/** A property on a device. */
export interface PropertyTarget {
  readonly deviceId: string;
  readonly key: string;
}

/** Write the value of a property on a device, replacing the old one. */
export async function upsertStored(
  tx: Tx,
  scope: OrganizationScope,
  { deviceId, key }: PropertyTarget,
  what: boolean | number | string | Picture,
  now: Date,
): Promise<void> {
  const row = {
    ...(typeof what === 'object'
      ? {
          value: null,
          picture: what.contents,
          picture_type: what.type,
          picture_size: what.contents.length,
          picture_sha256: what.sha256,
        }
      : { value: JSON.stringify(what), picture: null, picture_type: null, picture_size: null, picture_sha256: null }),
    updated_at: now,
  };
  await tx
    .insertInto('device_properties')
    .values({ organization_id: scope.organizationId, device_id: deviceId, property_key: key, ...row })
    .onConflict((conflict) => conflict.columns(['organization_id', 'device_id', 'property_key']).doUpdateSet(row))
    .execute();
}

/** Delete the value of a property on a device, if it has one. */
export async function deleteStored(tx: Tx, scope: OrganizationScope, { deviceId, key }: PropertyTarget): Promise<void> {
  await tx
    .deleteFrom('device_properties')
    .where('organization_id', '=', scope.organizationId)
    .where('device_id', '=', deviceId)
    .where('property_key', '=', key)
    .execute();
}

/** Delete all values of devices that leave the organization: the next organization must not see them. */
export async function deletePropertiesOf(tx: Tx, scope: OrganizationScope, deviceIds: readonly string[]): Promise<void> {
  await sql`delete from device_properties where organization_id = ${scope.organizationId}::uuid
    and device_id = any (${[...deviceIds]}::uuid[])`.execute(tx);
}
