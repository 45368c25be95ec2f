import { cornersOf, geofences as contract, type GeofenceShape } from '@highline/contract';
import { sql, type Selectable } from 'kysely';
import { isId, type OrganizationScope } from '../../kernel/index.ts';
import type { Queries, Tables, Tx } from '../../platform/ports/index.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'geofences.shape': GeofenceShape;
  }
}

export type GeofenceFields = contract.GeofenceFields;
export type StoredGeofence = Selectable<Tables['geofences']>;
/** Fields that may be left out. */
export type SomeFields = { readonly [Field in keyof GeofenceFields]?: GeofenceFields[Field] | undefined };

/** Each is a column with the same name. */
export const geofenceFields = Object.keys(contract.geofenceFields.shape) as readonly (keyof GeofenceFields &
  keyof StoredGeofence)[];

/** Concurrent saves of one organization wait here, so that none exceeds a limit. */
export async function lockGeofences(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`geofences of ${organizationId}`}, 0))`.execute(tx);
}

/** A geofence, locked until the transaction ends; undefined also for an invalid id. */
export async function lockGeofence(
  tx: Tx,
  { organizationId }: OrganizationScope,
  id: string,
): Promise<StoredGeofence | undefined> {
  if (!isId(id)) return undefined;
  return tx
    .selectFrom('geofences')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether an organization has this geofence. */
export async function isGeofence(queries: Queries, { organizationId }: OrganizationScope, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const found = queries.selectFrom('geofences').select('id').where('organization_id', '=', organizationId).where('id', '=', id);
  return (await found.executeTakeFirst()) !== undefined;
}

/** The corners of all geofences of an organization together, and their names. */
export interface Totals {
  readonly corners: number;
  readonly names: ReadonlySet<string>;
}

/** How many geofences an organization has, their corners together, and their names. */
export async function readTotals(queries: Queries, { organizationId }: OrganizationScope): Promise<Totals> {
  const rows = await queries
    .selectFrom('geofences')
    .select(['name', 'corners'])
    .where('organization_id', '=', organizationId)
    .execute();
  return { corners: rows.reduce((sum, row) => sum + row.corners, 0), names: new Set(rows.map(({ name }) => name)) };
}

export async function insertGeofences(
  tx: Tx,
  { organizationId }: OrganizationScope,
  fences: readonly (GeofenceFields & { readonly id: string })[],
  now: Date,
): Promise<void> {
  const rows = fences.map(({ shape, ...fields }) => ({
    ...fields,
    organization_id: organizationId,
    shape: JSON.stringify(shape),
    corners: cornersOf(shape),
    created_at: now,
    updated_at: now,
  }));
  await tx.insertInto('geofences').values(rows).execute();
}

export async function updateGeofence(
  tx: Tx,
  { organizationId }: OrganizationScope,
  { id, version }: StoredGeofence,
  { shape, ...fields }: SomeFields,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('geofences')
    .set({
      ...fields,
      ...(shape === undefined ? {} : { shape: JSON.stringify(shape), corners: cornersOf(shape) }),
      version: version + 1,
      updated_at: now,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Its states go with it. */
export async function removeGeofence(tx: Tx, { organizationId }: OrganizationScope, id: string): Promise<void> {
  await tx.deleteFrom('geofences').where('organization_id', '=', organizationId).where('id', '=', id).execute();
}

/**
 * A vehicle has another router: it is inside of the geofences that it was inside of, without entering them again; since now, for what a router did
 * before it was the vehicle's does not count.
 */
export async function moveStates(
  tx: Tx,
  { organizationId }: OrganizationScope,
  from: string,
  to: string,
  now: Date,
): Promise<void> {
  const own = sql`s.geofence_id in (select g.id from geofences g where g.organization_id = ${organizationId}::uuid)`;
  await sql`delete from geofence_states s where s.router_id = ${to}::uuid and ${own}`.execute(tx);
  await sql`update geofence_states s set router_id = ${to}::uuid, since = case when s.is_inside then ${now}::timestamptz end
    where s.router_id = ${from}::uuid and ${own}`.execute(tx);
}

/** The newest position of each router of an organization. */
export interface RouterPlace {
  readonly routerId: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** Put routers inside of a geofence without an event: those that are there when it is drawn. */
export async function setInside(
  tx: Tx,
  scope: OrganizationScope,
  id: string,
  routerIds: readonly string[],
  now: Date,
): Promise<void> {
  const own = sql`g.id = ${id}::uuid and g.organization_id = ${scope.organizationId}::uuid`;
  await sql`delete from geofence_states s using geofences g where s.geofence_id = g.id and ${own}`.execute(tx);
  if (routerIds.length === 0) return;
  await sql`insert into geofence_states (router_id, geofence_id, is_inside, since)
    select r.id, g.id, true, ${now}::timestamptz from geofences g cross join unnest(${[...routerIds]}::uuid[]) r (id) where ${own}`.execute(
    tx,
  );
}
