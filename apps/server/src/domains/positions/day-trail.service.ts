import { positions as calls } from '@highline/contract';
import { invalidField, required, type Scope } from '../../kernel/index.ts';
import { addDays, dayIn, parseDay, startOfDay } from '../../kernel/calendar.ts';
import type { Reader } from '../../platform/listing/index.ts';
import { gapsOf, lengthKm, runsOf, stopsOf, thinned, withSignal, type TrailPoint } from './day-trail.ts';
import { readFaults } from './position-faults.queries.ts';
import { findPlacedDevice, readNewest, readSignal, readTrail, type PlacedDevice, type TimeRange } from './day-trail.queries.ts';

/** A device, and its positions of a day. */
export interface DayTrail {
  readonly scope: Scope;
  readonly device: PlacedDevice;
  /** ISO day. */
  readonly day: string;
  readonly range: TimeRange;
  readonly points: readonly TrailPoint[];
}

/**
 * Read where a device was on a day (POS-04).
 * @throws DomainError `not_found`, `request.invalid` for a day or a zone that does not exist
 */
export async function readDayTrail(reader: Reader, scope: Scope, query: calls.TrailQuery, now: Date): Promise<DayTrail> {
  const zone = query.zone ?? 'UTC';
  const day = query.day === undefined ? dayIn(zone, now) : parseDay(query.day);
  if (day === undefined) throw invalidField('day', 'does not exist');
  const range = { from: startOfDay(zone, day), until: startOfDay(zone, addDays(day, 1)) };
  const device = required(await findPlacedDevice(reader, scope, query.device), 'not_found');
  const [points, readings] = await Promise.all([
    readTrail(reader, scope, device, range),
    readSignal(reader, scope, device, range),
  ]);
  return { scope, device, day, range, points: withSignal(points, readings) };
}

/** The response of a trail: what a map and charts draw. */
export async function sendTrail(reader: Reader, { scope, device, day, range, points }: DayTrail, now: Date) {
  const { kept, every } = thinned(points, calls.MAX_IN_TRAIL);
  return {
    day,
    from: range.from.getTime() / 1_000,
    until: range.until.getTime() / 1_000,
    fixes: kept.map(toFix),
    every,
    stops: stopsOf(points).map((stop) => ({ ...stop, latitude: rounded(stop.latitude), longitude: rounded(stop.longitude) })),
    gaps: gapsOf(points),
    km: Math.round(lengthKm(runsOf(points)) * 10) / 10,
    newest: await newestOf(reader, scope, device),
    faults: await readFaults(reader, scope, device, now),
  };
}

async function newestOf(reader: Reader, scope: Scope, device: PlacedDevice) {
  const newest = await readNewest(reader, scope, device);
  if (newest === undefined) return null;
  const { at, latitude, longitude, speed, accuracy } = newest;
  return { at, latitude: rounded(latitude), longitude: rounded(longitude), speed: tenth(speed), accuracy: tenth(accuracy) };
}

/** Five decimals are a metre. */
export const rounded = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
export const tenth = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10);

function toFix({ at, latitude, longitude, speed, heading, accuracy, signal, isJump }: TrailPoint): calls.TrailFix {
  const direction = heading === null ? null : Math.round(heading);
  return [at, rounded(latitude), rounded(longitude), tenth(speed), direction, tenth(accuracy), signal, isJump];
}
