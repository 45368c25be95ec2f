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
}

/** Why a position or a document with one was rejected; each has a counter. */
export const fixRejections = [
  /** Not a place on the earth. */
  'outside',
  /** 0° north, 0° east: what receivers report that have no fix. */
  'zero',
  'future',
  /** More than ten years old: the clock of the receiver is wrong. */
  'old',
  /** Older than the days that are stored. */
  'expired',
  /** A second position of one second, or more in one notification than are read. */
  'too_many',
  /** Not as our trail writes it. */
  'malformed',
  /** A document that is larger than TR-181 allows. */
  'too_large',
  /** A document with a type or entities. */
  'doctype',
  'not_xml',
  /** XML, without a location in the namespaces of PIDF-LO. */
  'namespace',
  /** PIDF-LO in a shape or a coordinate system that is not read. */
  'shape',
] as const;
export type FixRejection = (typeof fixRejections)[number];

/** The times that are accepted, epoch milliseconds. */
export interface FixWindow {
  readonly now: number;
  /** The first time that is stored. */
  readonly from: number;
}

/** How far ahead of our clock a position may be. */
const AHEAD_MS = 60_000;
const TEN_YEARS_MS = 10 * 365.25 * 86_400_000;
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
  const at = Math.floor(fix.at) * 1_000;
  if (!Number.isFinite(at)) return 'malformed';
  if (at > now + AHEAD_MS) return 'future';
  if (at < now - TEN_YEARS_MS) return 'old';
  if (at < from) return 'expired';
  const heading = within(fix.heading, 360);
  return {
    at,
    latitude,
    longitude,
    accuracy: within(fix.accuracy, LEAST_ACCURATE_METRES),
    speed: within(fix.speed, FASTEST_KMH),
    heading: heading === 360 ? 0 : heading,
  };
}

function within(value: number | undefined, most: number): number | null {
  return value !== undefined && value >= 0 && value <= most ? value : null;
}
