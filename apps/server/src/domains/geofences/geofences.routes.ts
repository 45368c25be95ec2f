import { geofences as calls } from '@highline/contract';
import { ifMatch, tagResponse, type Routes } from '../../platform/calls/index.ts';
import { isSet } from '../../platform/calls/query-flag.ts';
import { readGeofences } from './geofences.queries.ts';
import { importGeofences } from './geofences.import.ts';
import { addGeofence, deleteGeofence, saveGeofence, type GeofenceDeps } from './geofences.service.ts';

/** Registers the calls of geofences (POS-05). */
export function registerGeofenceRoutes(routes: Routes, deps: GeofenceDeps): void {
  routes.on(calls.listGeofences, async ({ scope }) => ({ result: await readGeofences(deps.reader, scope) }));

  routes.on(calls.addGeofence, async ({ scope, actor, body }) => ({ result: await addGeofence(deps, scope, actor, body) }));

  routes.on(calls.importGeofences, async ({ scope, actor, query, body }) => ({
    result: await importGeofences(deps, scope, actor, body.geojson, { dryRun: isSet(query.dryRun) }),
  }));

  routes.on(calls.saveGeofence, async ({ scope, actor, params, body, request, reply }) => {
    const result = await saveGeofence(deps, scope, actor, params.geofence, body, ifMatch(request.headers['if-match']));
    tagResponse(reply, result.version);
    return { result };
  });

  routes.on(calls.deleteGeofence, async ({ scope, actor, params }) => {
    await deleteGeofence(deps, scope, actor, params.geofence);
    return { result: { deleted: 1 as const } };
  });
}
