import { isDeepStrictEqual } from 'node:util';
import {
  cornersOf,
  geofences as limits,
  MAX_CORNERS_OF_ALL,
  shapeFault,
  type GeofenceShape,
  isNameTaken,
  nameKey,
} from '@highline/contract';
import { DomainError, newId, required, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { Slices } from '../../platform/process/slices.ts';
import { recordAudit, sentence, type AuditAction } from '../logs/index.ts';
import type { AreaFault } from './checked-areas.ts';
import { readPlaces } from './geofence-places.queries.ts';
import { readGeofences } from './geofences.queries.ts';
import {
  geofenceFields,
  insertGeofences,
  lockGeofence,
  lockGeofences,
  readTotals,
  removeGeofence,
  setInside,
  updateGeofence,
  type GeofenceFields,
  type RouterPlace,
  type SomeFields,
  type Totals,
} from './geofences.store.ts';
import { areaOf, isWithin } from './geometry.ts';

export type GeofenceDeps = Pick<Deps, 'database' | 'clock' | 'reader'>;

/** Places that are looked at before the time is. */
const PLACES_AT_ONCE = 100;

/** A geofence to be added. */
export type Named = GeofenceFields & { readonly id: string };

/**
 * Add a geofence (POS-05). Vehicles that are there already are inside from now on, without an event.
 * @throws DomainError `geofence.name_taken`, `geofence.too_many`, or `geofence.…` for a shape that cannot be one
 */
export async function addGeofence(
  deps: GeofenceDeps,
  scope: OrganizationScope,
  actor: Actor,
  input: GeofenceFields,
): Promise<limits.Geofence> {
  const fence = { ...pickFields(input), id: newId(deps.clock.now().getTime()) };
  rejectFaultyShape(input.shape);
  await insert(deps, scope, actor, (totals) => {
    rejectUnfit([fence], totals);
    return [fence];
  });
  return getGeofence(deps, scope, fence.id);
}

/** Add geofences. @param choose those that fit to the present ones @throws DomainError as it does */
export async function insert(
  { database, clock }: Omit<GeofenceDeps, 'reader'>,
  scope: OrganizationScope,
  actor: Actor,
  choose: (totals: Totals) => readonly Named[],
): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    await lockGeofences(tx, scope);
    const fences = choose(await readTotals(tx, scope));
    await insertGeofences(tx, scope, fences, now);
    const places = await readPlaces(tx, scope);
    for (const { id, ...fields } of fences) {
      await setInside(tx, scope, id, await within(fields.shape, places), now);
      await record(tx, scope, actor, { action: sentence('geofence.added', fields.name), id, detail: describe(fields) }, now);
    }
    await announce(tx, scope, 'geofences', []);
  });
}

/**
 * @param features their numbers in a file
 * @throws DomainError `geofence.name_taken`, `geofence.name_twice`, `geofence.too_many`; the reason names the feature
 */
export function rejectUnfit(fences: readonly Named[], { corners, names }: Totals, features?: readonly number[]): void {
  const added = fences.reduce((sum, { shape }) => sum + cornersOf(shape), 0);
  if (names.size + fences.length > limits.MAX_GEOFENCES || corners + added > MAX_CORNERS_OF_ALL)
    throw new DomainError('geofence.too_many');
  const taken = new Set([...names].map((name) => nameKey(name)));
  const ofFile = new Set<string>();
  for (const [index, { name }] of fences.entries()) {
    const key = nameKey(name);
    const about = features === undefined ? { field: 'name' } : featureOf(features[index]!);
    if (taken.has(key))
      throw new DomainError('geofence.name_taken', { ...about, message: `“${name}”: a geofence with this name already exists.` });
    if (ofFile.has(key)) throw new DomainError('geofence.name_twice', about);
    ofFile.add(key);
  }
}

/** The routers that are inside of a shape. */
async function within(shape: GeofenceShape, places: readonly RouterPlace[]): Promise<string[]> {
  const area = areaOf(shape, 0);
  const slices = new Slices();
  const found: string[] = [];
  for (const [index, place] of places.entries()) {
    if (index % PLACES_AT_ONCE === 0) await slices.pause();
    if (isWithin(area, place, 0)) found.push(place.routerId);
  }
  return found;
}

/**
 * Change a geofence. With another area, vehicles that are inside it are so from now on, without an event.
 * @param isCurrent whether the caller's version is the current one
 * @throws DomainError `geofence.not_found`, `conflict.stale`, and as `addGeofence`
 */
export async function saveGeofence(
  deps: GeofenceDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
  edit: SomeFields,
  isCurrent: (version: number) => boolean,
): Promise<limits.Geofence> {
  const now = deps.clock.now();
  if (edit.shape !== undefined) rejectFaultyShape(edit.shape);
  await deps.database.write(async (tx) => {
    await lockGeofences(tx, scope);
    const fence = required(await lockGeofence(tx, scope, id), 'geofence.not_found');
    if (!isCurrent(fence.version)) throw new DomainError('conflict.stale');
    const { name = fence.name } = edit;
    const change = pickFields(edit, (field) => edit[field] !== undefined && !isDeepStrictEqual(edit[field], fence[field]));
    if (Object.keys(change).length === 0) return;
    const { corners, names } = await readTotals(tx, scope);
    const others = [...names].flatMap((other) => (other === fence.name ? [] : { name: other }));
    if (isNameTaken(name, others, fence.name)) throw new DomainError('geofence.name_taken', { field: 'name' });
    if (change.shape !== undefined && corners - fence.corners + cornersOf(change.shape) > MAX_CORNERS_OF_ALL)
      throw new DomainError('geofence.too_many');
    await updateGeofence(tx, scope, fence, change, now);
    if (change.shape !== undefined) await setInside(tx, scope, id, await within(change.shape, await readPlaces(tx, scope)), now);
    const { shape: _shape, ...before } = pickFields(fence, (field) => field in change);
    const { shape, ...after } = describe(change);
    const detail = { ...(Object.keys(before).length > 0 && { before, after }), ...(shape !== undefined && { shape }) };
    await record(tx, scope, actor, { action: sentence('geofence.changed', name), id, detail }, now);
    await announce(tx, scope, 'geofences', [id]);
  });
  return getGeofence(deps, scope, id);
}

/** Delete a geofence; its events stay. @throws DomainError `geofence.not_found` */
export async function deleteGeofence(deps: GeofenceDeps, scope: OrganizationScope, actor: Actor, id: string): Promise<void> {
  const now = deps.clock.now();
  await deps.database.write(async (tx) => {
    const fence = required(await lockGeofence(tx, scope, id), 'geofence.not_found');
    await removeGeofence(tx, scope, id);
    const detail = describe(pickFields(fence));
    await record(tx, scope, actor, { action: sentence('geofence.deleted', fence.name), id, detail }, now);
    await announce(tx, scope, 'geofences', [id]);
  });
}

async function getGeofence({ reader }: GeofenceDeps, scope: OrganizationScope, id: string): Promise<limits.Geofence> {
  return required((await readGeofences(reader, scope, id))[0], 'geofence.not_found');
}

function rejectFaultyShape(shape: GeofenceShape): void {
  const fault = shapeFault(shape);
  if (fault !== undefined) throw faultOf(fault);
}

/** @param feature its number in a file */
export function faultOf(fault: AreaFault | 'geometry' | 'no_radius', feature?: number): DomainError {
  return new DomainError(`geofence.${fault}`, feature === undefined ? { field: 'shape' } : featureOf(feature));
}

const featureOf = (feature: number) => ({ field: `feature ${feature}`, reason: `Feature ${feature}` });

/** The fields of a geofence, without what else a row or a body has. */
function pickFields<From extends SomeFields>(
  from: From,
  isPicked: (field: keyof GeofenceFields) => boolean = () => true,
): Pick<From, keyof From & keyof GeofenceFields> {
  const picked = geofenceFields.filter((field) => field in from && isPicked(field));
  return Object.fromEntries(picked.map((field) => [field, from[field]])) as Pick<From, keyof From & keyof GeofenceFields>;
}

/** What the log says of fields: all of a circle, the size of a polygon. */
function describe({ shape, ...fields }: SomeFields): Readonly<Record<string, unknown>> & { readonly shape?: object } {
  if (shape === undefined) return fields;
  return { ...fields, shape: shape.kind === 'circle' ? shape : { kind: shape.kind, corners: cornersOf(shape) } };
}

async function record(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  {
    action,
    id,
    detail,
  }: { readonly action: AuditAction; readonly id: string; readonly detail: Readonly<Record<string, unknown>> },
  now: Date,
): Promise<void> {
  await recordAudit(tx, scope.organizationId, actor, { action, subject: { kind: 'geofence', id }, detail }, now);
}
