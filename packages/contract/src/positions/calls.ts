import { z } from 'zod';
import { severities } from '../alerts/calls.ts';
import { offlineReasons } from '../devices/counted-presence.ts';
import { deviceListQuery } from '../devices/calls.ts';
import { language, tenantQuery } from '../conventions.ts';
import { diagnosisKinds } from '../diagnosis/diagnosis-kinds.ts';
import { presence } from '../presence.ts';
import { everyRole, operation } from '../operation.ts';
import { positionFaultReasons } from './position-faults.ts';

export * from './position-faults.ts';

/** The most vehicles in one response of the map. */
export const MAX_ON_MAP = 10_000;

/** 'parked' and 'planned' are offline without a fault (SAY-04). */
export const mapPresences = [...presence.options, ...offlineReasons] as const;
export type MapPresence = (typeof mapPresences)[number];

/** A vehicle on the map, as an array to keep ten thousand of them small. */
export const mapVehicle = z
  .tuple([
    /** Device. */
    z.string(),
    /** Vehicle number, or the serial number where there is none. */
    z.string(),
    /** Latitude, longitude: degrees, WGS 84. */
    z.number(),
    z.number(),
    /** Time of the position, epoch seconds. */
    z.number().int(),
    z.enum(mapPresences),
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
    /** The most severe open alert (ALR-03). */
    z.enum(severities).nullable(),
    /** The most urgent thing that was found about it (SAY-02). */
    z.enum(diagnosisKinds).nullable(),
  ])
  .describe(
    'Device; vehicle number, or the serial number without one; latitude and longitude (degrees, WGS 84); time (epoch seconds); presence, or why its being offline is no fault; RSSI (dBm); speed (km/h); course (degrees from north); accuracy (metres); true = 500 km or more from the position before; the most severe open alert; the most urgent thing that was found about it. Null = unknown or none.',
  );
export type MapVehicle = z.infer<typeof mapVehicle>;

/** A vehicle that is probably there, as an array like the others. */
export const estimatedVehicle = z
  .tuple([
    /** Device. */
    z.string(),
    /** Vehicle number, or the serial number where there is none. */
    z.string(),
    /** Latitude, longitude: degrees, WGS 84. */
    z.number(),
    z.number(),
    /** Time of its last contact, epoch seconds. */
    z.number().int(),
    z.enum(mapPresences),
    /** Signal, RSSI in dBm. */
    z.number().nullable(),
    /** Metres within which it probably is. */
    z.number(),
    /** The most severe open alert (ALR-03). */
    z.enum(severities).nullable(),
    /** The most urgent thing that was found about it (SAY-02). */
    z.enum(diagnosisKinds).nullable(),
  ])
  .describe(
    'Device; vehicle number, or the serial number without one; latitude and longitude (degrees, WGS 84) from the serving cell; time of its last contact (epoch seconds); presence, or why its being offline is no fault; RSSI (dBm); metres within which it probably is; the most severe open alert; the most urgent thing that was found about it. Null = unknown or none.',
  );
export type EstimatedVehicle = z.infer<typeof estimatedVehicle>;

/** Positions of a router that were rejected or corrected for one reason. */
export const positionFault = z.object({
  reason: z.enum(positionFaultReasons),
  /** Epoch seconds of the first and of the last one. */
  since: z.number().int(),
  last: z.number().int(),
  count: z.number().int(),
  /** What the last one was, as it came, sanitized and cut: its time, its coordinates, or its text. */
  received: z.string().nullable(),
});
export type PositionFault = z.infer<typeof positionFault>;

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
      /** Devices that match and whose place is estimated, not among `vehicles` unless they have an old position; left out with `since`. */
      estimated: z.array(estimatedVehicle).optional(),
      /** Devices that match and never had a position; left out with `since`. */
      never: z.number().int().optional(),
      /** Devices that match and had none for 24 hours; left out with `since`. */
      old: z.number().int().optional(),
      /** Devices that match and whose positions are rejected; left out with `since`. */
      rejected: z.number().int().optional(),
      /** Epoch milliseconds, for `since`. */
      asOf: z.number().int(),
    }),
  }),
});

/** The most positions in one response of a trail: one each 5 s of a day. Of more, every second, third … of each part without a gap or a jump is answered, and its last one. */
export const MAX_IN_TRAIL = 17_280;
/** Metres around its first position within which a vehicle stands, and how long it is there before that is a stop. */
export const STOP_METRES = 50;
export const STOP_SECONDS = 120;
/** Seconds without a position after which a vehicle that was elsewhere before was not followed. */
export const GAP_SECONDS = 180;
/** The same for one that was at the same place. */
export const STILL_GAP_SECONDS = 1_800;
/** A reading of the signal that is farther from a position says nothing about it. */
export const SIGNAL_SECONDS = 300;

/** A position of a trail, as an array to keep a day of them small. */
export const trailFix = z
  .tuple([
    /** Time, epoch seconds. */
    z.number().int(),
    /** Latitude, longitude: degrees, WGS 84. */
    z.number(),
    z.number(),
    /** Km/h. */
    z.number().nullable(),
    /** Degrees from north. */
    z.number().nullable(),
    /** Accuracy, metres. */
    z.number().nullable(),
    /** Signal of the nearest report of readings: RSSI in dBm. */
    z.number().nullable(),
    /** 500 km or more from the position before. */
    z.boolean(),
  ])
  .describe(
    'Time (epoch seconds); latitude and longitude (degrees, WGS 84); speed (km/h); course (degrees from north); accuracy (metres); RSSI (dBm); true = 500 km or more from the position before. Null = unknown.',
  );
export type TrailFix = z.infer<typeof trailFix>;

const span = z.tuple([z.number().int(), z.number().int()]).describe('From and until, epoch seconds.');

export const trailQuery = tenantQuery.extend({
  device: z.string(),
  /** A day of the calendar, `2026-11-23`; today without it. */
  day: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/u, 'must be a day, for example 2026-11-23')
    .optional(),
  /** IANA time zone in which the day begins and ends; UTC without it. */
  zone: z.string().max(60).optional(),
});
export type TrailQuery = z.output<typeof trailQuery>;

export const trail = operation({
  id: 'positions.trail',
  method: 'GET',
  path: '/data_manager/v1/dm/device/trail',
  summary:
    'Where a device was on a day: positions with speed and signal, stops, times without a position, and the newest position (POS-04).',
  scope: 'tenant',
  roles: everyRole,
  query: trailQuery,
  response: z.object({
    result: z.object({
      /** The day, and its beginning and end in epoch seconds. */
      day: z.string(),
      from: z.number().int(),
      until: z.number().int(),
      /** In order of time. */
      fixes: z.array(trailFix),
      /** Every how many-th position is answered, next to the first and the last of each part without a gap or a jump; 1 = all. */
      every: z.number().int(),
      /** Places where the vehicle stood: from and until in epoch seconds, and where. */
      stops: z.array(z.object({ from: z.number().int(), until: z.number().int(), latitude: z.number(), longitude: z.number() })),
      /** Times without a position between two positions, epoch seconds. */
      gaps: z.array(span),
      /** Kilometres between the positions, without gaps and jumps. */
      km: z.number(),
      /** The newest position, of any day; null if there never was one. */
      newest: z
        .object({
          at: z.number().int(),
          latitude: z.number(),
          longitude: z.number(),
          speed: z.number().nullable(),
          accuracy: z.number().nullable(),
        })
        .nullable(),
      /** Positions of its router that are rejected, or stored with a corrected time, now or in the last day. */
      faults: z.array(positionFault),
    }),
  }),
});

export const trailFormats = ['geojson', 'gpx', 'csv'] as const;
export type TrailFormat = (typeof trailFormats)[number];
export const trailTypes: Readonly<Record<TrailFormat, string>> = {
  geojson: 'application/geo+json',
  gpx: 'application/gpx+xml',
  csv: 'text/csv',
};

export const trailFile = operation({
  id: 'positions.trailFile',
  method: 'GET',
  path: '/data_manager/v1/dm/device/trail/file',
  summary: 'The positions of a device on a day as a file: GeoJSON (RFC 7946), GPX 1.1 or CSV (POS-04).',
  scope: 'tenant',
  roles: everyRole,
  query: trailQuery.extend({ format: z.enum(trailFormats), language }),
  response: z.string(),
  sends: 'file',
  fileTypes: Object.values(trailTypes),
});

export const topics = ['positions'] as const;
