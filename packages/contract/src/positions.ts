import { z } from 'zod';
import { deviceListQuery } from './devices.ts';
import { everyRole, operation } from './operation.ts';

/** The most vehicles in one answer of the map. */
export const MAX_ON_MAP = 10_000;

/** A vehicle on the map, as an array to keep ten thousand of them small. */
export const mapVehicle = z.tuple([
  /** Device. */
  z.string(),
  /** Vehicle number, or the serial number where there is none. */
  z.string(),
  /** Latitude, longitude: degrees, WGS 84. */
  z.number(),
  z.number(),
  /** Time of the position, epoch seconds. */
  z.number().int(),
  z.enum(['online', 'offline', 'unknown']),
  /** Signal, RSSI in dBm. */
  z.number().nullable(),
  /** Km/h. */
  z.number().nullable(),
  /** Degrees from north. */
  z.number().nullable(),
  /** Accuracy, metres. */
  z.number().nullable(),
  /** 500 km or more from the position before. */
  z.boolean(),
]);
export type MapVehicle = z.infer<typeof mapVehicle>;

const degrees = (text: string) => text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
const isBox = (text: string) => {
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN, ...more] = degrees(text);
  return more.length === 0 && Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90 && south <= north;
};

export const mapQuery = deviceListQuery.omit({ limit: true, offset: true, cursor: true, sort: true, around: true }).extend({
  /** Only positions within `west,south,east,north`, in degrees; over the date line if west is more than east. */
  bbox: z
    .string()
    .max(120)
    .refine(isBox, 'must be west,south,east,north in degrees')
    .transform((text) => degrees(text) as [west: number, south: number, east: number, north: number])
    .optional(),
  /** Only positions stored since this `asOf` of an earlier answer. */
  since: z.coerce.number().int().min(0).max(1e13).optional(),
});
export type MapQuery = z.output<typeof mapQuery>;

export const map = operation({
  id: 'positions.map',
  method: 'GET',
  path: '/data_manager/v1/dm/positions',
  summary:
    'The newest position of each device that matches the filters of the device list, at most 10,000 (POS-02). Answers an ETag; with `since` only what is new.',
  scope: 'tenant',
  roles: everyRole,
  query: mapQuery,
  response: z.object({
    result: z.object({
      vehicles: z.array(mapVehicle),
      /** There are more than 10,000: ask for a part of the map. */
      isCut: z.boolean(),
      /** Devices that match and never had a position; left out with `since`. */
      never: z.number().int().optional(),
      /** Devices that match and had none for 24 hours; left out with `since`. */
      old: z.number().int().optional(),
      /** Epoch milliseconds, for `since`. */
      asOf: z.number().int(),
    }),
  }),
});
