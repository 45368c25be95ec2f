import { z } from 'zod';
import { fileFormat, columnsOf, language, pageOf, pageQuery, sortOf, tenantQuery } from '../conventions.ts';
import { everyRole, operation } from '../operation.ts';

/** The longest period that is answered, and the one without a choice, in days. */
export const MAX_COVERAGE_DAYS = 92;
export const USUAL_COVERAGE_DAYS = 30;
/** The most hexagons in one response. */
export const MAX_CELLS = 4_000;
/** H3 resolutions: hexagons about 1 km across for streets, up to those of a continent. */
export const FINEST_CELL = 8;
export const COARSEST_CELL = 2;
/** A vehicle this many dB below the others, over so many reports, probably has a broken antenna or cable. */
export const ANTENNA_DB = -8;
export const ANTENNA_SAMPLES = 30;

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/u, 'must be a day, for example 2026-11-23');

const periodQuery = tenantQuery.extend({
  /** First and last day, `2026-11-23`, of UTC; the last 30 days without them. At most 92 days. */
  from: day.optional(),
  until: day.optional(),
  /** As routers report it (`Device.Cellular.Interface.{i}.NetworkInUse`). */
  carrier: z.string().max(100).optional(),
  /** As routers report it (`CurrentAccessTechnology`). */
  technology: z.string().max(100).optional(),
});
export type CoverageQuery = z.output<typeof periodQuery>;

const degrees = (text: string) => text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
const isBox = (text: string) => {
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN, ...more] = degrees(text);
  return more.length === 0 && Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90 && south < north;
};

const value = z.number().nullable();
const count = z.number().int();

/** What was measured in a hexagon, or by one network there. */
const measured = {
  /** Median RSRP in dBm and RSRQ in dB, to the middle of a bin of 2 and 1 dB; null = no report had one. */
  rsrp: value,
  rsrq: value,
  /** Reports with a signal. */
  samples: count,
  /** Connections that were lost here, and the minutes until they were back, at most 120 for each. */
  drops: count,
  minutes: z.number(),
};

export const coverageCell = z.object({
  /** H3 index. */
  cell: z.string(),
  /** Corners, not closed. */
  corners: z.array(z.tuple([z.number(), z.number()]).describe('Longitude and latitude, degrees.')),
  latitude: z.number(),
  longitude: z.number(),
  ...measured,
  /** The same by carrier and technology, the most reports first; empty = not reported. */
  networks: z.array(z.object({ carrier: z.string(), technology: z.string(), ...measured })),
});
export type CoverageCell = z.infer<typeof coverageCell>;

export const coverageCellsQuery = periodQuery.extend({
  /** Only hexagons within `west,south,east,north`, in degrees; over the date line if west is more than east. Everywhere without it. */
  bbox: z
    .string()
    .max(120)
    .refine(isBox, 'must be west,south,east,north in degrees')
    .transform((text) => degrees(text) as [west: number, south: number, east: number, north: number])
    .optional(),
  /** H3 resolution; without it the finest of which the box has at most 4,000. */
  resolution: z.coerce.number().int().min(COARSEST_CELL).max(FINEST_CELL).optional(),
});
export type CoverageCellsQuery = z.output<typeof coverageCellsQuery>;

export const cells = operation({
  id: 'coverage.cells',
  method: 'GET',
  path: '/data_manager/v1/dm/coverage',
  summary:
    'Hexagons (H3) with median RSRP and RSRQ, reports, lost connections and minutes without one, by carrier and technology, for a period (POS-06).',
  scope: 'tenant',
  roles: everyRole,
  query: coverageCellsQuery,
  response: z.object({
    result: z.object({
      /** First and last day of UTC. */
      from: z.string(),
      until: z.string(),
      resolution: count,
      cells: z.array(coverageCell),
      /** There are more: ask for a part of the map. */
      isCut: z.boolean(),
      /** What reports of the scope have, for filters. */
      carriers: z.array(z.string()),
      technologies: z.array(z.string()),
    }),
  }),
});

export const deadZone = z.object({
  /** 1 = the most minutes. */
  rank: count,
  cell: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  squareKm: z.number(),
  minutes: z.number(),
  drops: count,
  samples: count,
  rsrp: value,
  rsrq: value,
});
export type DeadZone = z.infer<typeof deadZone>;

export const deadZoneQuery = periodQuery.extend(pageQuery.omit({ search: true, field: true, ignoreCase: true }).shape).extend({
  sort: sortOf(['minutes', 'drops']),
});
export type DeadZoneQuery = z.output<typeof deadZoneQuery>;

export const deadZones = operation({
  id: 'coverage.deadZones',
  method: 'GET',
  path: '/data_manager/v1/dm/coverage/dead-zones',
  summary: 'Hexagons about 1 km across where connections were lost, the most minutes first (POS-06).',
  scope: 'tenant',
  roles: everyRole,
  query: deadZoneQuery,
  response: pageOf(deadZone),
});

export const deadZoneColumns = ['rank', 'cell', 'latitude', 'longitude', 'minutes', 'drops', 'samples', 'rsrp', 'rsrq'] as const;

export const exportDeadZones = operation({
  id: 'coverage.exportDeadZones',
  method: 'GET',
  path: '/data_manager/v1/dm/coverage/dead-zones/export',
  summary: 'The same list as CSV or Excel workbook (coverage_dead_zones).',
  scope: 'tenant',
  roles: everyRole,
  query: deadZoneQuery.extend({ format: fileFormat, columns: columnsOf(deadZoneColumns), language }),
  response: z.string(),
  sends: 'file',
});

export const coverageVehicle = z.object({
  device: z.string(),
  /** Vehicle number, or the serial number where there is none. */
  name: z.string(),
  serial: z.string(),
  org: z.string(),
  orgName: z.string(),
  /** Mean difference to the median of the organization's other vehicles in the same hexagons on the same day, dB; below 0 = worse. */
  rsrp: value,
  rsrq: value,
  /** Reports that were compared, and hexagons, counted by day. */
  samples: count,
  cells: count,
  /** So much worse that the antenna or its cable is probably broken. */
  isSuspect: z.boolean(),
});
export type CoverageVehicle = z.infer<typeof coverageVehicle>;

export const coverageVehicleSorts = ['rsrp', 'rsrq', 'samples'] as const;
export const coverageVehicleFields = ['vehicle', 'serial'] as const;
export const coverageVehicleQuery = periodQuery.extend(pageQuery.shape).extend({
  sort: sortOf(coverageVehicleSorts),
  field: z.enum(coverageVehicleFields).optional(),
});
export type CoverageVehicleQuery = z.output<typeof coverageVehicleQuery>;

export const vehicles = operation({
  id: 'coverage.vehicles',
  method: 'GET',
  path: '/data_manager/v1/dm/coverage/vehicles',
  summary:
    'Vehicles against the median of the fleet in the same hexagons, on the same carrier and technology, the worst first: finds broken antennas (POS-06).',
  scope: 'tenant',
  roles: everyRole,
  query: coverageVehicleQuery,
  response: pageOf(coverageVehicle),
});

export const coverageVehicleColumns = ['name', 'serial', 'org', 'rsrp', 'rsrq', 'samples', 'cells', 'suspect'] as const;

export const exportVehicles = operation({
  id: 'coverage.exportVehicles',
  method: 'GET',
  path: '/data_manager/v1/dm/coverage/vehicles/export',
  summary: 'The same list as CSV or Excel workbook (coverage_vehicles).',
  scope: 'tenant',
  roles: everyRole,
  query: coverageVehicleQuery.extend({ format: fileFormat, columns: columnsOf(coverageVehicleColumns), language }),
  response: z.string(),
  sends: 'file',
});

export const schemaNames = {
  CoverageCell: coverageCell,
  CoverageVehicle: coverageVehicle,
  DeadZone: deadZone,
};
