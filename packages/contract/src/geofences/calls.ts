import { z } from 'zod';
import { deletion, tenantBody, tenantQuery, typedName } from '../conventions.ts';
import type { GeofenceShape } from './geofence-shape.ts';
import { omissions } from '../geojson.ts';
import { everyRole, managers, operation } from '../operation.ts';

/** Geofences of one organization. */
export const MAX_GEOFENCES = 500;
export const LONGEST_GEOFENCE_NAME = 80;
/** The longest GeoJSON text, characters. */
export const LONGEST_GEOJSON = 4_000_000;

const name = typedName(LONGEST_GEOFENCE_NAME).min(1);

/** An area; `shapeFault` says whether it can be a geofence. */
export const geofenceShape: z.ZodType<GeofenceShape> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('circle'), latitude: z.number(), longitude: z.number(), radius: z.number() }),
  z.object({
    kind: z.literal('polygon'),
    rings: z.array(z.array(z.tuple([z.number(), z.number()]).describe('Longitude and latitude, degrees.'))),
  }),
]);

/** What a person enters of a geofence. */
export const geofenceFields = z.object({ name, shape: geofenceShape });
export type GeofenceFields = z.infer<typeof geofenceFields>;

/** An area of an organization. */
export const geofence = z.object({
  id: z.string(),
  ...geofenceFields.shape,
  name: z.string(),
  /** Vehicles that are inside. */
  inside: z.number().int(),
  version: z.number().int(),
});
export type Geofence = z.infer<typeof geofence>;

const path = '/data_manager/v1/dm/geofences';
const oneFence = z.object({ result: geofence });

export const listGeofences = operation({
  id: 'geofences.list',
  method: 'GET',
  path,
  summary: 'The geofences of an organization by name, at most 500, with the number of vehicles inside (POS-05).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery,
  response: z.object({ result: z.array(geofence) }),
});

export const addGeofence = operation({
  id: 'geofences.add',
  method: 'POST',
  path,
  summary: 'Add a geofence: a circle or a polygon. Vehicles that are inside already do not enter it (POS-05).',
  scope: 'organization',
  roles: managers,
  body: tenantBody.extend(geofenceFields.shape),
  response: oneFence,
});

export const saveGeofence = operation({
  id: 'geofences.save',
  method: 'PATCH',
  path: `${path}/{geofence}`,
  summary: 'Change the name or the area of a geofence. With another area, vehicles that are inside it now do not enter it.',
  scope: 'organization',
  roles: managers,
  params: z.object({ geofence: z.string() }),
  body: tenantBody.extend(geofenceFields.partial().shape),
  response: oneFence,
});

export const deleteGeofence = operation({
  id: 'geofences.delete',
  method: 'DELETE',
  path: `${path}/{geofence}`,
  summary: 'Delete a geofence; what happened at it stays on the timelines.',
  scope: 'organization',
  roles: managers,
  params: z.object({ geofence: z.string() }),
  query: tenantQuery,
  response: deletion,
});

export const importGeofences = operation({
  id: 'geofences.import',
  queue: 'imports',
  method: 'POST',
  path: `${path}/import`,
  summary:
    'Add geofences from GeoJSON (RFC 7946): Polygons, MultiPolygons, and Points with `radius` in metres among their properties; all of these or none. What is no area is left out (POS-05).',
  scope: 'organization',
  roles: managers,
  /** `dryRun`: check only, write nothing (BLK-05). */
  query: z.object({ dryRun: z.string().optional() }),
  body: tenantBody.extend({ geojson: z.string().max(LONGEST_GEOJSON) }),
  bodyExample: {
    geojson: JSON.stringify({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [-87.6298, 41.8781] },
      properties: { name: 'North depot', radius: 200 },
    }),
  },
  maxBodyBytes: 8 * 1_048_576,
  response: z.object({
    result: z.object({
      /** True when nothing was written (`?dryRun`). */
      dryRun: z.boolean(),
      /** How many were added, or would be. */
      added: z.number().int(),
      /** Number of features that are no areas: lines, points without a radius, and empty ones. */
      leftOutCount: z.number().int(),
      /** The first 100 of them, by their number in the file, counted from 1. */
      leftOut: z.array(z.object({ feature: z.number().int(), reason: z.enum(omissions) })),
    }),
  }),
});

export const topics = ['geofences'] as const;

export const schemaNames = {
  Geofence: geofence,
  GeofenceShape: geofenceShape,
};
