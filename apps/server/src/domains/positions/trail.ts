import { readDecimal } from './decimal.ts';
import type { FixRejection, ReportedFix } from './fix.ts';

/** Fixes that are read of one value: two hours at one a second. */
const MOST_FIXES = 7_200;

/** What was read, and the entries that were rejected for each reason. */
export interface ReadFixes {
  readonly fixes: readonly ReportedFix[];
  readonly rejected: ReadonlyMap<FixRejection, { readonly count: number; readonly received: string }>;
}

/**
 * Read the value of `Device.X_HIGHLINE_GPS.Trail`: entries separated by semicolons, each `seconds,latitude,longitude,accuracy,speed,heading` (epoch
 * seconds, degrees, metres, km/h, degrees from north), where the last three may be empty.
 */
export function readTrail(value: string): ReadFixes {
  const rejected = new Map<FixRejection, { count: number; received: string }>();
  const fixes: ReportedFix[] = [];
  const entries = value.split(';', MOST_FIXES + 1);
  if (entries.length > MOST_FIXES) {
    entries.length = MOST_FIXES;
    rejected.set('too_many', { count: value.split(';').length - MOST_FIXES, received: '' });
  }
  for (const entry of entries) {
    if (entry.trim() === '') continue;
    const fix = readEntry(entry);
    if (fix === undefined) rejected.set('malformed', { count: (rejected.get('malformed')?.count ?? 0) + 1, received: entry });
    else fixes.push(fix);
  }
  return { fixes, rejected };
}

function readEntry(entry: string): ReportedFix | undefined {
  const parts = entry.split(',', 7);
  if (parts.length < 3 || parts.length > 6) return undefined;
  const numbers: (number | undefined)[] = [];
  for (const part of parts) {
    const text = part.trim();
    const isLeftOut = text === '' && numbers.length > 2;
    const number = isLeftOut ? undefined : readDecimal(text);
    if (!isLeftOut && number === undefined) return undefined;
    numbers.push(number);
  }
  const [at, latitude, longitude, accuracy, speed, heading] = numbers;
  return { at: at!, latitude: latitude!, longitude: longitude!, accuracy, speed, heading };
}
