/** One call of an endpoint. */
export interface Attempt {
  /** ISO 8601. */
  readonly at: string;
  /** Milliseconds. */
  readonly took: number;
  /** Null = there was no response. */
  readonly status: number | null;
  /** Empty = it succeeded. */
  readonly error: string;
  /** Its first 4 KB. */
  readonly answer: string;
}

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/** Waits between calls of an event: the last one is made about three days after the first. */
const WAITS_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR] as const;
/** Waits are up to this much longer, so that events that failed together do not return together. */
const JITTER = 0.2;

/**
 * How long to wait after a failed call, milliseconds; undefined = it was the last one.
 * @param calls how many were made
 * @param random from 0 to 1
 */
export function waitAfter(calls: number, random: number): number | undefined {
  const wait = WAITS_MS[calls - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 + JITTER * random));
}
