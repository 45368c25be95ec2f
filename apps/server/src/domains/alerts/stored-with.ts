import type { Tx } from '../../platform/ports/database.ts';
import { compareDevices, watchedDevices, type DeviceKindName } from './alert-states.job.queries.ts';
import { deviceKinds } from './kinds.job.queries.ts';

const namesOf = (stored: (typeof deviceKinds)[DeviceKindName]['storedWith']) =>
  (Object.keys(deviceKinds) as DeviceKindName[]).filter((kind) => deviceKinds[kind].storedWith === stored);
const ofPresence = namesOf('presence');
const ofPositions = namesOf('positions');
const ofCrossings = namesOf('crossings');

/** Compare devices whose presence changes in this transaction with the rules of their organizations (ALR-04). */
export async function comparePresence(tx: Tx, deviceIds: readonly string[], now: Date): Promise<void> {
  if (deviceIds.length === 0) return;
  for (const kind of ofPresence) await compareDevices(tx, kind, now, deviceIds);
}

/** The same for devices that entered or left geofences in this transaction. */
export async function compareCrossings(tx: Tx, deviceIds: readonly string[], now: Date): Promise<void> {
  for (const kind of ofCrossings) await compareDevices(tx, kind, now, deviceIds);
}

/** The same for routers whose positions are stored in this transaction: a position ends what held without one. */
export async function comparePositions(tx: Tx, routerIds: readonly string[], now: Date): Promise<void> {
  const deviceIds = await watchedDevices(tx, routerIds, ofPositions);
  if (deviceIds.length === 0) return;
  for (const kind of ofPositions) await compareDevices(tx, kind, now, deviceIds);
}
