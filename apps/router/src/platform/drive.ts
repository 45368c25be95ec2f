import { drift, hashToUnit } from './random.ts';
import { type Route, pointOnRoute } from './route.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** A vehicle drives 40 of every 55 minutes, or longer where it would be too fast. */
export const SHIFT_MS = 55 * MINUTE;
const DRIVE_MS = 40 * MINUTE;
const PARKED_MS = SHIFT_MS - DRIVE_MS;
/** No vehicle is faster: city traffic, and buses on an expressway at rush hour. */
export const TOP_KMH = 72;
/** Between two stops on the way. */
const KM_PER_STOP = 1.2;
/** Share of the time from one stop to the next in which the vehicle stands. */
const STANDING = 0.2;
/** Share of the moving time in which it speeds up, and again in which it slows down. */
const RAMP = 0.2;
const PARKED_EVERY_MS = 10 * MINUTE;
const TICK_MS = 5 * SECOND;
/** A trail reaches back this far. */
const LONGEST_TRAIL_MS = 2 * 60 * MINUTE;
/** A vehicle that moved this far is recorded before its time. */
const EVERY_METRES = 200;

/** Degrees (WGS 84), metres, km/h, degrees from north; `at` is the time of the satellites, epoch milliseconds. */
export type Fix = {
  at: number;
  latitude: number;
  longitude: number;
  accuracy: number;
  speed: number;
  heading: number;
};

export type Drive = { route: Route; seed: number };

type Motion = { isDriving: boolean; km: number; speed: number; beganAt: number };

/** Where a vehicle is on its route: it drives with stops on the way, then it is parked until the next drive. A function of (seed, time). */
function motionAt({ route, seed }: Drive, now: number): Motion {
  const driveKm = route.driveKm ?? 15 + 20 * hashToUnit(seed, 61);
  const usual = route.minutes === undefined ? DRIVE_MS : route.minutes.drive * MINUTE;
  const driveMs = Math.max(usual, (driveKm / (TOP_KMH * (1 - RAMP) * (1 - STANDING))) * 60 * MINUTE);
  const shiftMs = driveMs + (route.minutes === undefined ? PARKED_MS : route.minutes.parked * MINUTE);
  const number = Math.floor(now / shiftMs + hashToUnit(seed, 60));
  const beganAt = (number - hashToUnit(seed, 60)) * shiftMs;
  const part = (now - beganAt) / driveMs;
  if (part >= 1) return { isDriving: false, km: (number + 1) * driveKm, speed: 0, beganAt: beganAt + driveMs };
  const legs = Math.max(1, Math.round(driveKm / KM_PER_STOP));
  const leg = Math.floor(part * legs);
  const moved = Math.min(1, (part * legs - leg) / (1 - STANDING));
  const legKm = driveKm / legs;
  const hours = ((driveMs / legs) * (1 - STANDING)) / (60 * MINUTE);
  const { share, rate } = ramped(moved);
  return { isDriving: true, km: (number * legs + leg + share) * legKm, speed: (rate * legKm) / hours, beganAt };
}

/** Share of the way after a share of the time, with a constant acceleration at both ends; and the speed there, 1 = the mean. */
function ramped(time: number): { share: number; rate: number } {
  const top = 1 / (1 - RAMP);
  if (time <= 0 || time >= 1) return { share: Math.min(1, Math.max(0, time)), rate: 0 };
  if (time < RAMP) return { share: (top * time * time) / (2 * RAMP), rate: (top * time) / RAMP };
  if (time > 1 - RAMP) {
    const left = 1 - time;
    return { share: 1 - (top * left * left) / (2 * RAMP), rate: (top * left) / RAMP };
  }
  return { share: top * (time - RAMP / 2), rate: top };
}

/** Whether the vehicle is switched on. */
export function isDriving(drive: Drive, now: number): boolean {
  return motionAt(drive, now).isDriving;
}

/** Where the vehicle is, and whether satellites can be received there. */
export function placeAt(drive: Drive, now: number): Fix & { hasFix: boolean } {
  const { km, speed } = motionAt(drive, now);
  const { latitude, longitude, heading, isCovered } = pointOnRoute(drive.route, km);
  return {
    at: now,
    latitude,
    longitude,
    accuracy: Math.round(3 + 9 * drift(drive.seed + 63, now, 4 * MINUTE)),
    speed: Math.round(speed * 10) / 10,
    heading,
    hasFix: !isCovered,
  };
}

/** The last fix at a multiple of `everyMs`, at the start or at the stop of the vehicle; in a tunnel, the last one before it. */
export function lastFix(drive: Drive, now: number, everyMs: number): Fix | undefined {
  const { isDriving: drives, beganAt } = motionAt(drive, now);
  const every = drives ? everyMs : PARKED_EVERY_MS;
  const begin = Math.ceil(beganAt / SECOND) * SECOND;
  for (let back = Math.floor(Math.max(0, now - begin) / every); back >= 0; back--) {
    const { hasFix, ...fix } = placeAt(drive, begin + back * every);
    if (hasFix) return fix;
  }
  return undefined;
}

/**
 * Fixes after `since`, oldest first: by time and by distance while the vehicle drives, when it starts and stops, and now and then while it is
 * parked.
 */
export function fixesSince(drive: Drive, since: number, now: number, everyMs: number): Fix[] {
  const fixes: Fix[] = [];
  let last = Math.max(since, now - LONGEST_TRAIL_MS);
  let lastKm = motionAt(drive, last).km;
  let drove = motionAt(drive, last).isDriving;
  for (let at = (Math.floor(last / TICK_MS) + 1) * TICK_MS; at <= now; at += TICK_MS) {
    const { isDriving: drives, km } = motionAt(drive, at);
    const isDue = at - last >= (drives ? everyMs : PARKED_EVERY_MS) || (km - lastKm) * 1_000 >= EVERY_METRES;
    if (!isDue && drives === drove) continue;
    drove = drives;
    const { hasFix, ...fix } = placeAt(drive, at);
    if (!hasFix) continue;
    [last, lastKm] = [at, km];
    fixes.push(fix);
  }
  return fixes;
}
