import { normalizeGroupKey } from '@highline/contract';
import { sql } from 'kysely';
import { DomainError, required } from '../../kernel/failure.ts';
import { isId } from '../../kernel/ids.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Actor, OrganizationScope, Scope } from '../../kernel/scope.ts';
import { deleteProfiles } from '../esims/index.ts';
import { getGroup, lockGroups } from '../groups/index.ts';
import { lockRoutersInOrder, releaseRouters } from '../inventory/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { membershipChanged, rejectUnseenArrival, requireArrivalApproval } from '../rollouts/index.ts';
import { recordMembership } from './devices.audit.ts';
import { tagsAsInUse } from './devices.queries.ts';
import { lockLocations, rejectMoved, untilStill } from './devices.moved.ts';
import {
  archiveDevices,
  findForDeletion,
  lockDevice,
  peekDevice,
  updateDevice,
  type DeletableDevice,
  type EditableDevice,
  type LockedDevice,
} from './devices.store.ts';

export type DeviceServiceDeps = Pick<Deps, 'database' | 'clock' | 'deviceLink'>;

export interface DeviceChanges {
  readonly vehicleNumber?: string | undefined;
  readonly note?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Key of a group of the device's organization. */
  readonly group?: string | undefined;
  /** `confirmation` of what the other group starts at once, as the user has seen it; undefined = not compared. */
  readonly confirmed?: string | undefined;
}

/**
 * Archive devices and free their routers, all or none (DEV-04). Devices that were archived before count as done.
 * @returns how many were archived now
 * @throws DomainError `not_found` when one of the ids is not a device of the scope
 */
export async function deleteDevices(
  { database, clock, deviceLink }: DeviceServiceDeps,
  scope: Scope,
  actor: Actor,
  ids: readonly string[],
): Promise<number> {
  const chosen = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (!chosen.every(isId)) throw new DomainError('not_found');
  const now = clock.now();
  const gone = await untilStill(database, async (tx) => {
    const found = await findForDeletion(tx, scope, chosen);
    if (found.length !== chosen.length) throw new DomainError('not_found');
    return archiveFound(tx, scope, actor, found, now);
  });
  deviceLink.disconnect(routersOf(gone), 'The device was deleted.');
  return gone.length;
}

/** Archive those of the found devices that are living, free their routers and log it. Run it in `untilStill`. */
export async function archiveFound(
  tx: Tx,
  scope: Scope,
  actor: Actor,
  found: readonly DeletableDevice[],
  now: Date,
): Promise<Omit<DeletableDevice, 'archived'>[]> {
  const living = found.filter(({ archived }) => !archived);
  if (living.length === 0) return [];
  await lockLocations(tx, scope, living);
  await lockRoutersInOrder(tx, scope, routersOf(living));
  const archived = await archiveDevices(
    tx,
    scope,
    living.map(({ id }) => id),
    now,
  );
  rejectMoved(living, archived);
  await releaseRouters(tx, scope, routersOf(archived), now);
  await recordDeletion(tx, scope, actor, archived, now);
  return archived;
}

function routersOf(devices: readonly Pick<DeletableDevice, 'router_id'>[]): string[] {
  return devices.map((device) => device.router_id);
}

/**
 * End the rollouts of deleted devices and log the deletion in each organization. Logs are locked in the order of their ids, as
 * everywhere.
 */
async function recordDeletion(
  tx: Tx,
  { mainAccountId }: Scope,
  actor: Actor,
  archived: readonly Omit<DeletableDevice, 'archived'>[],
  now: Date,
): Promise<void> {
  const organizations = [...new Set(archived.map((device) => device.organization_id))].sort();
  for (const organizationId of organizations) {
    const own = archived.filter((device) => device.organization_id === organizationId);
    const owner: OrganizationScope = { kind: 'organization', mainAccountId, organizationId };
    await membershipChanged(
      tx,
      owner,
      own.map(({ id }) => id),
      now,
    );
    await deleteProfiles(
      tx,
      owner,
      own.map(({ id }) => id),
    );
    const named = own.map(({ id, serial, group_key: groupKey }) => ({ id, serial, groupKey }));
    await recordMembership(tx, owner, actor, 'Deleted', named, now);
  }
}

/**
 * Change vehicle number, note, tags and group of a device (DEV-07, BLK-02). A save that changes nothing is not logged.
 * @param isCurrent whether the caller's version, from If-Match, is the current one
 * @throws DomainError `not_found`, `group.not_found`, `conflict.stale`, `impact.changed`, `approval.waiting`
 */
export async function saveDevice(
  { database, clock }: Pick<DeviceServiceDeps, 'database' | 'clock'>,
  scope: Scope,
  actor: Actor,
  id: string,
  changes: DeviceChanges,
  isCurrent: (version: number) => boolean,
): Promise<void> {
  if (!isId(id)) throw new DomainError('not_found');
  const now = clock.now();
  await untilStill(database, async (tx) => {
    const seen = required(await peekDevice(tx, scope, id), 'not_found');
    if (!isCurrent(seen.version)) throw new DomainError('conflict.stale');
    const { mainAccountId } = scope;
    const owner: OrganizationScope = { kind: 'organization', mainAccountId, organizationId: seen.organization_id };
    const { group } = changes;
    // The groups before the device, in the order of every move, to avoid deadlocks.
    if (group !== undefined) await lockGroups(tx, owner, [seen.group_key, normalizeGroupKey(group)]);
    const desired = await columnsOf(tx, owner, changes);
    const device = required(await lockDevice(tx, scope, id), 'not_found');
    if (!isCurrent(device.version)) throw new DomainError('conflict.stale');
    if (desired.group_key !== undefined) rejectMoved([{ id, ...seen }], [device]);
    const changed = changesOf(device, desired);
    if (Object.keys(changed).length === 0) return;
    if (changed.group_key !== undefined)
      await rejectUnseenArrival(tx, owner, changed.group_key, [{ id }], changes.confirmed, 'group');
    await updateDevice(tx, scope, id, changed, now);
    await announce(tx, owner, 'devices', [id]);
    if (changed.group_key !== undefined) {
      await membershipChanged(tx, owner, [id], now);
      await requireArrivalApproval(tx, owner, [{ group: changed.group_key, joining: sql`d.id = ${id}::uuid` }]);
      await announce(tx, owner, 'groups', []);
    }
    await recordAudit(tx, device.organization_id, actor, changeEvent(device, changed), now);
  });
}

async function columnsOf(tx: Tx, owner: OrganizationScope, changes: DeviceChanges): Promise<Partial<EditableDevice>> {
  const { vehicleNumber, note, group, tags } = changes;
  return {
    ...(vehicleNumber === undefined ? {} : { vehicle_number: vehicleNumber }),
    ...(note === undefined ? {} : { note }),
    ...(tags === undefined ? {} : { tags: await tagsAsInUse(tx, owner, tags) }),
    ...(group === undefined || group === '' ? {} : { group_key: (await getGroup(tx, owner, group)).key }),
  };
}

function changesOf(device: LockedDevice, desired: Partial<EditableDevice>): Partial<EditableDevice> {
  const entries = Object.entries(desired) as [keyof EditableDevice, string | string[]][];
  return Object.fromEntries(entries.filter(([column, value]) => JSON.stringify(device[column]) !== JSON.stringify(value)));
}

const columnNames: Record<keyof EditableDevice, string> = {
  vehicle_number: 'vehicle number',
  note: 'note',
  group_key: 'group',
  tags: 'tags',
};

function changeEvent(device: LockedDevice, changed: Partial<EditableDevice>) {
  const columns = Object.keys(changed) as (keyof EditableDevice)[];
  const before = Object.fromEntries(columns.map((column) => [columnNames[column], device[column]]));
  const after = Object.fromEntries(columns.map((column) => [columnNames[column], changed[column]]));
  return {
    action: sentence('device.changed', { terms: columns.map((column) => columnNames[column]) }, device.serial),
    subject: { kind: 'device', id: device.id },
    detail: { serial: device.serial, before, after },
  };
}
