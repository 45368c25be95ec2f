import { positions } from '@highline/contract';
import { roundMeasured } from '../../kernel/measured.ts';

/** A position that a router reports, before it is checked. */
export interface ReportedFix {
  /** Epoch seconds. */
  readonly at: number;
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  /** Metres; undefined = not reported. */
  readonly accuracy?: number | undefined;
  /** Kilometres per hour. */
  readonly speed?: number | undefined;
  /** Degrees from north, clockwise. */
  readonly heading?: number | undefined;
  /** It came without a time, and `at` is the one of reading it. */
  readonly isUndated?: boolean | undefined;
}

/** A position that passed the checks: at a whole second, with values in range. */
export interface Fix {
  /** Epoch milliseconds, a whole second. */
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy: number | null;
  readonly speed: number | null;
  readonly heading: number | null;
  /** Its time is not the one that came. */
  readonly corrected?: positions.PositionCorrection | undefined;
  /** It was read without a time: at the place of the newest one it is that one, read again. */
  readonly isUndated?: boolean | undefined;
}

/** Why a position or a document with one was rejected; each has a counter. */
export const fixRejections = positions.positionRejections;
export type FixRejection = positions.PositionRejection;

/** The times that are accepted, epoch milliseconds. */
export interface FixWindow {
  readonly now: number;
  /** The first time that is stored. */
  readonly from: number;
}

/** How far ahead of our clock a position may be. */
const AHEAD_MS = 60_000;
const TEN_YEARS_MS = 10 * 365.25 * 86_400_000;
/** The number of the week in a GPS signal has ten bits. */
const ROLLOVER_MS = 1_024 * 7 * 86_400_000;
const GPS_BEGAN_MS = Date.UTC(1980, 0, 6);
/** Offsets of the zones east of Greenwich. West of it local time is in the past, where a position may be kept from. */
const ZONE_OFFSETS_MS = [
  1, 2, 3, 3.5, 4, 4.5, 5, 5.5, 5.75, 6, 6.5, 7, 8, 8.75, 9, 9.5, 10, 10.5, 11, 12, 12.75, 13, 13.75, 14,
].map((hours) => hours * 3_600_000);
/** Less than half of the least distance of two offsets. */
const RECENT_MS = 5 * 60_000;
/** About ten metres. */
const ZERO_DEGREES = 0.0001;
/** Faster is an aircraft. */
const FASTEST_KMH = 1_200;
const LEAST_ACCURATE_METRES = 1_000_000;

/** Check a position. What it says besides the place and the time is left out where it is no number in range. */
export function checkFix(fix: ReportedFix, { now, from }: FixWindow): Fix | FixRejection {
  const { latitude, longitude } = fix;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return 'outside';
  if (Math.abs(latitude) < ZERO_DEGREES && Math.abs(longitude) < ZERO_DEGREES) return 'zero';
  const reported = Math.floor(fix.at) * 1_000;
  if (!Number.isFinite(reported)) return 'malformed';
  const correction = correctionOf(reported, { now, from });
  const at = correction?.at ?? reported;
  if (at > now + AHEAD_MS) return 'future';
  if (at < now - TEN_YEARS_MS) return 'old';
  if (at < from) return 'expired';
  const heading = within(fix.heading, 360);
  return {
    at,
    corrected: correction?.kind,
    isUndated: fix.isUndated,
    latitude,
    longitude,
    accuracy: within(fix.accuracy, LEAST_ACCURATE_METRES),
    speed: within(fix.speed, FASTEST_KMH),
    heading: heading === 360 ? 0 : heading,
  };
}

/**
 * The time of a position whose reported time can only have one cause: a receiver that counts the weeks of GPS from the wrong rollover, where
 * 1,024 weeks or a multiple of them lead exactly to the days that are stored; or one that reports local time as UTC, where the time is
 * ahead of ours by the offset of a zone and would otherwise be of the last minutes. Undefined for all others.
 */
function correctionOf(
  at: number,
  { now, from }: FixWindow,
): { readonly kind: positions.PositionCorrection; readonly at: number } | undefined {
  if (at < now - TEN_YEARS_MS) {
    const weeks = Math.floor((now + AHEAD_MS - at) / ROLLOVER_MS) * ROLLOVER_MS;
    return at >= GPS_BEGAN_MS && at + weeks >= from ? { kind: 'week-rollover', at: at + weeks } : undefined;
  }
  if (at <= now + AHEAD_MS) return undefined;
  const offset = ZONE_OFFSETS_MS.find((each) => at - each <= now + AHEAD_MS && at - each >= now - RECENT_MS);
  return offset === undefined ? undefined : { kind: 'local-time', at: at - offset };
}

function within(value: number | undefined, most: number): number | null {
  return value !== undefined && value >= 0 && value <= most ? roundMeasured(value) : null;
}
