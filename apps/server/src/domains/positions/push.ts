import { GPS_TRAIL, isLocationPath } from './paths.ts';

/** Texts with positions per Push!. */
const MOST_TEXTS = 4_000;

/** A report of a router: full paths and values. */
export interface ReportedValues {
  readonly values: Iterable<readonly [path: string, value: unknown]>;
}

/** Positions as text, by the way in which they are written. */
export interface PositionTexts {
  /** Values of Device.X_HIGHLINE_GPS.Trail. */
  readonly trails: readonly string[];
  /** PIDF-LO documents. */
  readonly locations: readonly string[];
}

/** The positions in reports (TR-181 Device.BulkData); undefined when they have none. */
export function positionTextsOf(reports: readonly ReportedValues[]): PositionTexts | undefined {
  const trails: string[] = [];
  const locations: string[] = [];
  for (const { values } of reports) {
    for (const [path, value] of values) {
      if (typeof value !== 'string' || value === '' || trails.length + locations.length >= MOST_TEXTS) continue;
      if (path === GPS_TRAIL) trails.push(value);
      else if (isLocationPath(path)) locations.push(value);
    }
  }
  return trails.length + locations.length === 0 ? undefined : { trails, locations };
}
