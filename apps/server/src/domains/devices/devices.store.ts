import { sql } from 'kysely';
import { manyOf } from '../../platform/listing/index.ts';
import type { Tx, Row } from '../../platform/ports/index.ts';
import type { OrganizationScope, Scope } from '../../kernel/scope.ts';
import type { SubscriptionDays } from '../subscriptions/index.ts';
import { mirroredColumns, mirroredValues } from '../router-state/index.ts';
import { devicesOf } from './device.filters.ts';

/** A device that is about to claim a router that is locked for it. */
export interface NewDevice {
  readonly id: string;
  readonly routerId: string;
  readonly groupKey: string;
  readonly vehicleNumber: string;
  readonly note: string;
  readonly tags: readonly string[];
  /** ISO days; both null = not subscribed yet. */
  readonly startedOn: string | null;
  readonly expiresOn: string | null;
}

/** Rows per statement of a bulk write. */
const BATCH = 5_000;

/**
 * Insert devices for their routers. Earlier reports of a router and its connection are copied to the new rows at once, because
 * the lists read them there.
 */
export async function insertDevices(tx: Tx, scope: OrganizationScope, devices: readonly NewDevice[], now: Date): Promise<void> {
  for (let start = 0; start < devices.length; start += BATCH) {
    const batch = devices.slice(start, start + BATCH);
    await sql`insert into devices (organization_id, id, main_account_id, router_id, serial, mac, group_key, vehicle_number, note, tags,
        started_on, expires_on, created_at, updated_at, ${mirroredColumns})
      select ${scope.organizationId}::uuid, n.id, ${scope.mainAccountId}::uuid, r.id, r.serial, r.mac, n.group_key, n.vehicle_number,
        n.note, array(select jsonb_array_elements_text(n.tags)), n.started_on, n.expires_on, ${now}::timestamptz, ${now}::timestamptz, ${mirroredValues}
      from unnest(
        ${batch.map((device) => device.id)}::uuid[], ${batch.map((device) => device.routerId)}::uuid[],
        ${batch.map((device) => device.groupKey)}::text[], ${batch.map((device) => device.vehicleNumber)}::text[],
        ${batch.map((device) => device.note)}::text[], ${batch.map((device) => JSON.stringify(device.tags))}::jsonb[],
        ${batch.map((device) => device.startedOn)}::date[], ${batch.map((device) => device.expiresOn)}::date[]
      ) as n (id, router_id, group_key, vehicle_number, note, tags, started_on, expires_on)
      join routers r on r.id = n.router_id and r.main_account_id = ${scope.mainAccountId}::uuid`.execute(tx);
  }
}

/** Which of these names living devices of the organization already have. */
export async function takenNames(tx: Tx, scope: OrganizationScope, names: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('devices')
    .select('vehicle_number')
    .where('organization_id', '=', scope.organizationId)
    .where('archived_at', 'is', null)
    .where('vehicle_number', 'in', manyOf(names, 'text'))
    .execute();
  return new Set(rows.map(({ vehicle_number }) => vehicle_number));
}

/** The fields of a device that a deletion needs. */
export interface DeletableDevice extends Row<'devices', 'id' | 'organization_id' | 'router_id' | 'serial' | 'group_key'> {
  readonly archived: boolean;
}

/** Devices of the scope by their ids, archived ones too. */
export async function findForDeletion(tx: Tx, scope: Scope, ids: readonly string[]): Promise<DeletableDevice[]> {
  const rows = await tx
    .selectFrom('devices')
    .select(['id', 'organization_id', 'router_id', 'serial', 'group_key', 'archived_at'])
    .where('id', 'in', manyOf(ids, 'uuid'))
    .where('main_account_id', '=', scope.mainAccountId)
    .$if(scope.kind === 'organization', (query) =>
      query.where('organization_id', '=', (scope as OrganizationScope).organizationId),
    )
    .execute();
  return rows.map(({ archived_at: archivedAt, ...row }) => ({ ...row, archived: archivedAt !== null }));
}

/** Archive living devices of the scope; returns those that were not archived meanwhile. */
export async function archiveDevices(
  tx: Tx,
  scope: Scope,
  ids: readonly string[],
  now: Date,
): Promise<Omit<DeletableDevice, 'archived'>[]> {
  const { rows } = await sql<Omit<DeletableDevice, 'archived'>>`
    update devices d set archived_at = ${now}::timestamptz, updated_at = ${now}::timestamptz, version = version + 1
    where d.id in ${manyOf(ids, 'uuid')} and ${devicesOf(scope)}
    returning d.id, d.organization_id, d.router_id, d.serial, d.group_key`.execute(tx);
  return rows;
}

/** The user-editable fields of a device. */
export type EditableDevice = Row<'devices', 'vehicle_number' | 'note' | 'group_key' | 'tags'>;

export type LockedDevice = EditableDevice & Row<'devices', 'id' | 'organization_id' | 'serial' | 'version'>;

/** The organization, group and current version of a living device of the scope; without a lock. */
export async function peekDevice(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<Row<'devices', 'organization_id' | 'group_key' | 'version'> | undefined> {
  const { rows } = await sql<Row<'devices', 'organization_id' | 'group_key' | 'version'>>`
    select d.organization_id, d.group_key, d.version from devices d where d.id = ${id}::uuid and ${devicesOf(scope)}`.execute(tx);
  return rows[0];
}

/** Lock a living device of the scope for a change. */
export async function lockDevice(tx: Tx, scope: Scope, id: string): Promise<LockedDevice | undefined> {
  const { rows } = await sql<LockedDevice>`
    select d.id, d.organization_id, d.serial, d.version, d.vehicle_number, d.note, d.group_key, d.tags
    from devices d where d.id = ${id}::uuid and ${devicesOf(scope)} for no key update`.execute(tx);
  return rows[0];
}

/** Write the changed columns and increment the version. */
export async function updateDevice(tx: Tx, scope: Scope, id: string, changes: Partial<EditableDevice>, now: Date): Promise<void> {
  await tx
    .updateTable('devices')
    .set((row) => ({ ...changes, updated_at: now, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .where('main_account_id', '=', scope.mainAccountId)
    .$if(scope.kind === 'organization', (query) =>
      query.where('organization_id', '=', (scope as OrganizationScope).organizationId),
    )
    .where('archived_at', 'is', null)
    .execute();
}

export interface LockedSubscription extends Pick<LockedDevice, 'id' | 'organization_id' | 'serial' | 'version'> {
  /** ISO days; null = never set. */
  readonly started_on: string | null;
  readonly expires_on: string | null;
}

/** Lock a living device of the scope for a change of its subscription. */
export async function lockSubscription(tx: Tx, scope: Scope, id: string): Promise<LockedSubscription | undefined> {
  const { rows } = await sql<LockedSubscription>`
    select d.id, d.organization_id, d.serial, d.version, d.started_on, d.expires_on
    from devices d where d.id = ${id}::uuid and ${devicesOf(scope)} for no key update`.execute(tx);
  return rows[0];
}

/** Set both days of a subscription, ISO dates that are never shifted. */
export async function updateSubscription(tx: Tx, scope: Scope, id: string, days: SubscriptionDays, now: Date): Promise<void> {
  await sql`update devices d set started_on = ${days.startedOn}::date, expires_on = ${days.expiresOn}::date,
      updated_at = ${now}::timestamptz, version = version + 1
    where d.id = ${id}::uuid and ${devicesOf(scope)}`.execute(tx);
}
