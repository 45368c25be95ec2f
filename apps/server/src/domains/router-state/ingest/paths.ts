import {
  BATTERY_LOW,
  CONFIG_FILES,
  FIRMWARE_IMAGES,
  INFO,
  IP_INTERFACES,
  LOCATIONS,
  MODEMS,
  PASSWORD_CHANGED,
  RADIOS,
  ROUTES,
  SIMS,
  SSIDS,
  THERMAL_PROTECTION,
} from '../../../kernel/tr181.ts';
import { facts, readings, type Parameter } from '../facts.ts';
import { uplinkPaths } from '../tables/uplinks.ts';
import { wifiPaths } from '../tables/wifi.ts';

/** Parameters whose changes a router reports in one subscription. */
export interface Watch {
  /** Id of the subscription. */
  readonly id: string;
  readonly parameters: readonly Parameter[];
  /** A lost change does no harm: another follows soon. */
  readonly isFleeting: boolean;
}

const parameters: readonly Parameter[] = facts.flatMap(({ from }) => from);
const tables = (list: readonly Parameter[]) => list.flatMap(({ table }) => (table === '' ? [] : [table]));

/** Paths of measured values that every agent may have. */
export const readingPaths: readonly string[] = [...new Set(tables(readings.map(({ from }) => from)))];

const firmwarePaths = [`${INFO}ActiveFirmwareImage`, FIRMWARE_IMAGES];

/** Paths of everything that is kept of a router: facts, readings and alarms. */
export const statePaths: readonly string[] = [
  ...new Set([
    ...parameters.map(({ table, name }) => (table === '' ? name : table)),
    ...firmwarePaths,
    ...readingPaths,
    ...uplinkPaths,
    ...wifiPaths,
    BATTERY_LOW,
    PASSWORD_CHANGED,
    LOCATIONS,
  ]),
];

/** Paths read when a step of a rollout has ended. */
export const activeFilePaths: readonly string[] = [`${INFO}SoftwareVersion`, ...firmwarePaths, CONFIG_FILES];

/** Paths read when a step with an eSIM profile has ended: number, network and uplink change with the profile. */
export const simPaths: readonly string[] = [MODEMS, SIMS, ...uplinkPaths];

/** Progress of a download. */
const PROGRESS = 'highline-progress';
/** Positions. */
const LOCATION = 'highline-location';

/** Changes of tables: the table is read again. */
const UPLINKS = 'highline-uplinks';
const WIFI = 'highline-wifi';

/** Watched parameters that are no facts: the modem and the SIM in use, uplinks, progress and alarms. */
const others: readonly Parameter[] = [
  { table: IP_INTERFACES, name: 'Status', watch: UPLINKS },
  { table: ROUTES, name: 'Status', watch: UPLINKS },
  { table: RADIOS, name: 'Status', watch: WIFI },
  { table: SSIDS, name: 'Status', watch: WIFI },
  { table: MODEMS, name: 'Status', watch: 'highline-modem' },
  { table: MODEMS, name: 'SIMReferenceList', watch: 'highline-modem' },
  { table: SIMS, name: 'Status', watch: 'highline-sim' },
  { table: FIRMWARE_IMAGES, name: 'Status', watch: PROGRESS },
  { table: FIRMWARE_IMAGES, name: 'X_HIGHLINE_Progress', watch: PROGRESS },
  // A lost one does no harm: the next follows, and trails are reported with the readings.
  { table: LOCATIONS, name: 'DataObject', watch: LOCATION },
  { table: '', name: BATTERY_LOW, watch: 'highline-battery' },
  { table: MODEMS, name: THERMAL_PROTECTION, watch: 'highline-thermal' },
  { table: '', name: PASSWORD_CHANGED, watch: 'highline-password' },
];

const changing: readonly (readonly [start: string, table: 'uplinks' | 'wifi'])[] = [
  [IP_INTERFACES, 'uplinks'],
  [ROUTES, 'uplinks'],
  [RADIOS, 'wifi'],
  [SSIDS, 'wifi'],
];

/** The table that a changed value belongs to; undefined = none. */
export function tableOfPath(path: string): 'uplinks' | 'wifi' | undefined {
  return changing.find(([start]) => path.startsWith(start))?.[1];
}

/** What is subscribed to, by subscription. */
export const watches: readonly Watch[] = Array.from(
  Map.groupBy([...others, ...parameters], ({ watch }) => watch),
  ([id, list]) => ({ id: id ?? '', parameters: list, isFleeting: id === PROGRESS || id === LOCATION }),
).filter(({ id }) => id !== '');
