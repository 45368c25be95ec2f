import { z } from 'zod';
import { groupKey, tenantQuery } from '../conventions.ts';
import { everyRole, operation } from '../operation.ts';

/** The most vehicles in one feed. */
export const MOST_IN_FEED = 100_000;
/** Positions that are older are left out of a feed, unless its reader asks for others. */
export const FEED_MAX_AGE_SECONDS = 86_400;

/** GTFS-Realtime is a protocol buffer: its feed has VehiclePositions. */
export const feedFormats = ['gtfs-rt', 'geojson'] as const;
export type FeedFormat = (typeof feedFormats)[number];
export const feedTypes: Readonly<Record<FeedFormat, string>> = {
  'gtfs-rt': 'application/x-protobuf',
  geojson: 'application/geo+json',
};

/** The newest positions for programs of others (RPM-06). */
export const feed = operation({
  id: 'positions.feed',
  method: 'GET',
  path: '/data_manager/v1/dm/positions/feed',
  summary:
    'The newest positions as GTFS-Realtime VehiclePositions, or as GeoJSON, for programs with an API key; the whole data set, at most 100,000 vehicles. Answers an ETag and takes If-None-Match (RPM-06).',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({
    format: z.enum(feedFormats).optional(),
    /** Key of a group. */
    group: groupKey.min(1).optional(),
    /** Groups are routes: `route_id` of a vehicle is the name of its group. */
    routes: z.enum(['groups']).optional(),
    /** Seconds; older positions are left out. */
    maxAge: z.coerce
      .number()
      .int()
      .min(1)
      .max(90 * 86_400)
      .optional(),
  }),
  response: z.string(),
  sends: 'file',
  fileTypes: Object.values(feedTypes),
  queue: 'none',
});
