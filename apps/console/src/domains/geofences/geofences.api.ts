import { geofences } from '@highline/contract';
import { call, type CallResponse } from '../../api/client.ts';
import type { Geofence } from '../../entities/geofences/geofence.api.ts';

/** What a geofence is saved with. */
export type GeofenceInput = geofences.GeofenceFields;

/** Save a changed geofence, or a new one. @throws ApiError `conflict.stale` when another user saved in the meantime */
export async function saveGeofence(stored: Geofence | undefined, input: GeofenceInput): Promise<Geofence> {
  if (stored === undefined) return (await call(geofences.addGeofence, { body: input })).result;
  const { id: geofence, version } = stored;
  // A name from before names of files were checked stays while the area is changed.
  const body = input.name === stored.name.trim() ? { ...input, name: undefined } : input;
  return (await call(geofences.saveGeofence, { params: { geofence }, body, ifMatch: `"${version}"` })).result;
}

export async function deleteGeofence(geofence: string): Promise<void> {
  await call(geofences.deleteGeofence, { params: { geofence }, query: {} });
}

export type GeofenceImport = CallResponse<typeof geofences.importGeofences>['result'];

/** Add the areas of a GeoJSON text; features that are no areas are left out. @param dryRun check only (BLK-05) */
export async function importGeofences(geojson: string, dryRun = false): Promise<GeofenceImport> {
  return (await call(geofences.importGeofences, { query: dryRun ? { dryRun: '1' } : {}, body: { geojson } })).result;
}
