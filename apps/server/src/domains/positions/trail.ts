import { readDecimal } from './decimal.ts';
import type { ReportedFix } from './fix.ts';
import type { CountFault } from './fault-counts.ts';

/**
 * Read the value of `Device.X_HIGHLINE_GPS.Trail`: entries separated by semicolons, each `seconds,latitude,longitude,accuracy,speed,heading` (epoch
 * seconds, degrees, metres, km/h, degrees from north), where the last three may be empty.
 * @param most so many entries are read, the last ones: they are in order of time
 */
export function readTrail(
  value: string,
  most: number,
  reject: CountFault,
): { readonly fixes: ReportedFix[]; readonly entries: number } {
  const dropped = Math.max(0, countOf(value, ';') + 1 - most);
  if (dropped > 0) reject('too_many', '', dropped);
  let begin = 0;
  for (let index = 0; index < dropped; index++) begin = value.indexOf(';', begin) + 1;
  const entries = value.slice(begin).split(';', most);
  const fixes = entries.flatMap((entry) => {
    if (entry.trim() === '') return [];
    const fix = readEntry(entry);
    if (fix === undefined) reject('malformed', entry);
    return fix ?? [];
  });
  return { fixes, entries: entries.length };
}

/** How often a character is in a text. */
export function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++;
  return count;
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
