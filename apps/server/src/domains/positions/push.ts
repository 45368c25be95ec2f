import { GPS_TRAIL, isLocationPath } from './paths.ts';

/** Reports read per Push!, as with readings. */
const MOST_REPORTS = 2_000;
/** Texts with positions per Push!. */
const MOST_TEXTS = 4_000;

/** Positions as text, by the way in which they are written. */
export interface PositionTexts {
  /** Values of Device.X_HIGHLINE_GPS.Trail. */
  readonly trails: readonly string[];
  /** PIDF-LO documents. */
  readonly locations: readonly string[];
}

/** The positions in a Push! event (TR-181 Device.BulkData, JSON, name-value pairs); undefined when it has none. */
export function positionTextsOf(data: string): PositionTexts | undefined {
  // Most reports of most agents have no positions: they are not parsed for them.
  if (!data.includes(GPS_TRAIL) && !data.includes('.DataObject"')) return undefined;
  const trails: string[] = [];
  const locations: string[] = [];
  for (const report of reportsOf(data).slice(-MOST_REPORTS)) {
    for (const [path, value] of Object.entries(report)) {
      if (typeof value !== 'string' || value === '' || trails.length + locations.length >= MOST_TEXTS) continue;
      if (path === GPS_TRAIL) trails.push(value);
      else if (isLocationPath(path)) locations.push(value);
    }
  }
  return trails.length + locations.length === 0 ? undefined : { trails, locations };
}

function reportsOf(data: string): object[] {
  try {
    const { Report: reports } = JSON.parse(data) as { Report?: unknown };
    return (Array.isArray(reports) ? reports : [reports]).filter((each) => typeof each === 'object' && each !== null);
  } catch {
    return [];
  }
}
