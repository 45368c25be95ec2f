import { z } from 'zod';
import { tenantQuery } from '../conventions.ts';
import { everyRole, operation } from '../operation.ts';

/** Places of one call. */
export const MOST_PLACES = 50;

/** Where something is from what it is near to. */
export const directions = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const;
export type Direction = (typeof directions)[number];

/** What a place is near to: a geofence of the organization, or a town where it has none. */
export const landmark = z.object({
  kind: z.enum(['geofence', 'town']),
  name: z.string(),
  /** The name in Traditional Chinese, where it has one of its own. */
  chinese: z.string().nullable(),
  /** Metres to its boundary; 0 = inside. */
  metres: z.number().int(),
  /** Where the place is, from the middle of the landmark. */
  direction: z.enum(directions),
});

/** The description of a place. */
export const place = z.object({
  /** The nearest street of the base map; null where none is near. */
  street: z.string().nullable(),
  /** The nearest street that crosses it; null where none is near. */
  crossing: z.string().nullable(),
  near: landmark.nullable(),
});
export type Place = z.infer<typeof place>;

/** Characters of one number, with what separates it. */
const LONGEST_NUMBER = 17;

const latitudeAndLongitude = z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)]);

/** Latitude and longitude of each place, joined by commas or semicolons. */
const at = z
  .string()
  .max(2 * MOST_PLACES * LONGEST_NUMBER)
  .regex(/^-?\d{1,3}(?:\.\d{1,12})?(?:[,;]-?\d{1,3}(?:\.\d{1,12})?)*$/u)
  .transform((text) => {
    const numbers = text.split(/[,;]/u).map(Number);
    return Array.from({ length: Math.ceil(numbers.length / 2) }, (_, index) => numbers.slice(index * 2, index * 2 + 2));
  })
  .pipe(z.array(latitudeAndLongitude).max(MOST_PLACES));

export const describePlaces = operation({
  id: 'places.describe',
  method: 'GET',
  path: '/data_manager/v1/dm/places',
  summary:
    'Describe places by the nearest street and crossing of the base map, and by the nearest geofence of the organization or the nearest town. `at` has up to 50 pairs of latitude and longitude (degrees, WGS 84) such as `41.9,-87.6;41.8,-87.7`; one result for each, in this order (SAY-07).',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({ at }),
  response: z.object({ result: z.array(place) }),
});

export const schemaNames = {
  PlaceObject: place,
  LandmarkObject: landmark,
};
