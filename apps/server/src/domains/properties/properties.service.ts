import { createHash } from 'node:crypto';
import { isNameTaken, properties as calls } from '@highline/contract';
import { type Actor, DomainError, invalidField, type OrganizationScope, required, type Scope } from '../../kernel/index.ts';
import { lockOrganizationForNoKeyUpdate } from '../../platform/locks/row-locks.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { storedVersion, toStoredPropertyDto } from './stored-property.dto.ts';
import { pictureTypeOf } from './picture-type.ts';
import { findPropertyDevice, lockTarget, type PropertyDevice } from './properties.queries.ts';
import {
  deleteStored,
  lockProperties,
  insertProperty,
  selectStored,
  selectPicture,
  selectProperties,
  sumPictures,
  upsertStored,
  type StoredProperty,
  type Picture,
  type PropertyRow,
} from './properties.store.ts';
import { keyOf } from './property-key.ts';

export type { StoredProperty };

export type PropertyDeps = Pick<Deps, 'database' | 'clock'>;

/** The definition of a new property (OLD-02). */
export interface PropertyInput {
  readonly name: string;
  readonly type: calls.PropertyType;
  readonly unit?: string | undefined;
}

type IsCurrent = (version: string) => boolean;

/** The new value; null removes it. */
export type ValueInput = boolean | number | string | null;

/** An organization's properties by name. */
export async function listProperties(
  { database }: Pick<PropertyDeps, 'database'>,
  scope: OrganizationScope,
): Promise<PropertyRow[]> {
  return selectProperties(database.read, scope);
}

/**
 * Add a property, permanently: no operation removes or changes one.
 * @throws DomainError `property.too_many`, `property.name_taken`, `request.invalid` for a unit of a type other than number
 */
export async function addProperty(
  { database, clock }: PropertyDeps,
  scope: OrganizationScope,
  actor: Actor,
  { name, type, unit = '' }: PropertyInput,
): Promise<PropertyRow> {
  if (unit !== '' && type !== 'number') throw invalidField('unit', 'only numbers have one');
  const now = clock.now();
  return database.write(async (tx) => {
    const others = await lockProperties(tx, scope);
    if (others.length >= calls.MOST_PROPERTIES) throw new DomainError('property.too_many');
    if (isNameTaken(name, others)) throw new DomainError('property.name_taken', { field: 'name' });
    const key = keyOf(name, new Set(others.map((other) => other.key)));
    const property: PropertyRow = { key, name, type, unit };
    await insertProperty(tx, scope, property, now);
    await announce(tx, scope, 'properties', [key]);
    const event = { action: sentence('property.added', name), subject: { kind: 'property', id: key }, detail: { ...property } };
    await recordAudit(tx, scope.organizationId, actor, event, now);
    return property;
  });
}

/**
 * All properties of a device by name, with its values.
 * @throws DomainError `not_found` for a device that is not the caller's
 */
export async function listStored(
  { database }: Pick<PropertyDeps, 'database'>,
  scope: Scope,
  deviceId: string,
): Promise<StoredProperty[]> {
  const target = found(await findPropertyDevice(database.read, scope, deviceId));
  return selectStored(database.read, target, target.deviceId);
}

/**
 * The picture of a property on a device.
 * @throws DomainError `not_found` for the device, `property.picture_missing`
 */
export async function openPicture(
  { database }: Pick<PropertyDeps, 'database'>,
  scope: Scope,
  deviceId: string,
  key: string,
): Promise<Pick<Picture, 'type' | 'contents'>> {
  const target = found(await findPropertyDevice(database.read, scope, deviceId));
  return required(await selectPicture(database.read, target, target.deviceId, key), 'property.picture_missing');
}

/**
 * Set or remove the value of a property on a device. The old value is logged.
 * @param isCurrent whether the caller's version, from If-Match, is the current one
 * @throws DomainError `conflict.stale` with the current values, `not_found` for the device, `property.not_found`,
 * `request.invalid` for a value of another type
 */
export async function setValue(
  deps: PropertyDeps,
  scope: OrganizationScope,
  actor: Actor,
  propertyTarget: { readonly deviceId: string; readonly key: string },
  value: ValueInput,
  isCurrent: IsCurrent,
): Promise<StoredProperty> {
  const desired = value === '' ? null : value;
  return write(deps, scope, actor, propertyTarget, desired, async (_tx, before) => {
    const { type } = before;
    rejectStale(before, isCurrent);
    if (desired !== null && typeof desired !== (type === 'bool' ? 'boolean' : type))
      throw invalidField('value', `does not fit a ${type}`);
  });
}

/**
 * Set a picture.
 * @param contents the file as received; its type is read from its bytes
 * @param isCurrent as in `setValue`
 * @throws DomainError `property.picture_type`, `property.picture_too_large`, `property.pictures_full`, `conflict.stale` with the
 * current values, `not_found` for the device, `property.not_found`, `request.invalid` for a property that is not a picture
 */
export async function setPicture(
  deps: PropertyDeps,
  scope: OrganizationScope,
  actor: Actor,
  propertyTarget: { readonly deviceId: string; readonly key: string },
  contents: Buffer,
  isCurrent: IsCurrent,
): Promise<StoredProperty> {
  if (contents.length > calls.MAX_PICTURE_BYTES) throw new DomainError('property.picture_too_large', { field: 'picture' });
  const type = required(pictureTypeOf(contents), 'property.picture_type', { field: 'picture' });
  const sha256 = createHash('sha256').update(contents).digest();
  return write(deps, scope, actor, propertyTarget, { type, contents, sha256 }, async (tx, before) => {
    rejectStale(before, isCurrent);
    if (before.type !== 'picture') throw invalidField('picture', 'this property is not a picture');
    const others = (await sumPictures(tx, scope)) - (before.picture_size ?? 0);
    if (others + contents.length > calls.MOST_PICTURE_BYTES)
      throw new DomainError('property.pictures_full', { field: 'picture' });
  });
}

async function write(
  { database, clock }: PropertyDeps,
  scope: OrganizationScope,
  actor: Actor,
  propertyTarget: { readonly deviceId: string; readonly key: string },
  what: ValueInput | Picture,
  rejectInvalid: (tx: Tx, before: StoredProperty) => Promise<void>,
): Promise<StoredProperty> {
  const now = clock.now();
  return database.write(async (tx) => {
    // Pictures are counted together; the organization is locked before its devices, as everywhere.
    if (what !== null && typeof what === 'object') await lockOrganizationForNoKeyUpdate(tx, scope);
    const target = found(await lockTarget(tx, scope, propertyTarget.deviceId));
    const read = async () => (await selectStored(tx, scope, target.deviceId)).find(({ key }) => key === propertyTarget.key);
    const before = required(await read(), 'property.not_found', { field: 'property' });
    await rejectInvalid(tx, before);
    // A call that changes nothing is not logged.
    if (valueOf(before) === inputOf(what)) return before;
    const there = { deviceId: target.deviceId, key: before.key };
    if (what === null) await deleteStored(tx, scope, there);
    else await upsertStored(tx, scope, there, what, now);
    const after = (await read())!;
    await announce(tx, scope, 'properties', [target.deviceId]);
    await recordAudit(tx, scope.organizationId, actor, eventOf(target, before, after), now);
    return after;
  });
}

function eventOf({ deviceId, serial }: PropertyDevice, before: StoredProperty, after: StoredProperty) {
  const { key, name } = before;
  return {
    action: sentence('device.property_set', name, serial),
    subject: { kind: 'device', id: deviceId },
    detail: { serial, property: key, before: valueOf(before), after: valueOf(after) },
  };
}

/** The logged value of a property on a device; of a picture its hash. */
function valueOf({ value, picture_sha256: sha256 }: StoredProperty): ValueInput {
  return sha256 === null ? value : sha256.toString('hex');
}

function inputOf(what: ValueInput | Picture): ValueInput {
  return what !== null && typeof what === 'object' ? what.sha256.toString('hex') : what;
}

function rejectStale(before: StoredProperty, isCurrent: IsCurrent): void {
  if (!isCurrent(storedVersion(before))) throw new DomainError('conflict.stale', { detail: toStoredPropertyDto(before) });
}

function found(target: PropertyDevice | undefined): PropertyDevice {
  if (target === undefined) throw new DomainError('not_found', { field: 'device' });
  return target;
}
