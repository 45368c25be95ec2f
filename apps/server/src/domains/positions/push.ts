import type { CountFault } from './fault-counts.ts';
import type { ReportedFix } from './fix.ts';
import { GPS_TRAIL, isLocationPath } from './paths.ts';
import { readPidfLo } from './pidf-lo.ts';
import { countOf, readTrail } from './trail.ts';

/**
 * Entries of trails, and tags and attributes of documents, that are read of one message, the newest: almost three hours at one a second, or 150
 * documents. Reading them takes some 10 ms, in which nothing else runs.
 */
const MOST_PARTS = 10_000;

/** A report of a router: full paths and values. */
export interface ReportedValues {
  readonly values: Iterable<readonly [path: string, value: unknown]>;
}

/** A PIDF-LO document, as its router has it. */
export interface PositionDocument {
  readonly text: string;
  /** Epoch milliseconds, for a document without a timestamp; undefined = not known. */
  readonly acquiredAt: number | undefined;
}

/** Positions as text, by the way in which they are written. */
export interface PositionTexts {
  /** Values of Device.X_HIGHLINE_GPS.Trail. */
  readonly trails: readonly string[];
  readonly locations: readonly PositionDocument[];
}

/** The positions in reports (TR-181 Device.BulkData); undefined when they have none. */
export function positionTextsOf(reports: readonly ReportedValues[]): PositionTexts | undefined {
  const trails: string[] = [];
  const locations: PositionDocument[] = [];
  for (const { values } of reports) {
    for (const [path, value] of values) {
      if (typeof value !== 'string' || value === '') continue;
      if (path === GPS_TRAIL) trails.push(value);
      else if (isLocationPath(path)) locations.push({ text: value, acquiredAt: undefined });
    }
  }
  return trails.length + locations.length === 0 ? undefined : { trails, locations };
}

/** The positions in these texts, in their order; what is no position, or too much, is counted. @param now epoch milliseconds */
export function readReportedFixes({ trails, locations }: PositionTexts, now: number, reject: CountFault): ReportedFix[] {
  const found: ReportedFix[][] = [];
  let left = MOST_PARTS;
  for (const { text, acquiredAt } of locations.toReversed()) {
    left -= partsOf(text);
    const fix = left < 0 ? 'too_many' : readPidfLo(text, acquiredAt ?? now);
    if (typeof fix === 'string') reject(fix, fix === 'too_many' ? '' : text);
    else found.push([{ ...fix, isUndated: fix.isUndated && acquiredAt === undefined }]);
  }
  left = Math.max(left, 0);
  for (const trail of trails.toReversed()) {
    const { fixes, entries } = readTrail(trail, left, reject);
    left -= entries;
    found.push(fixes);
  }
  return found.toReversed().flat();
}

/** Of a document: what takes time to read. */
function partsOf(document: string): number {
  return countOf(document, '<') + countOf(document, '=');
}
