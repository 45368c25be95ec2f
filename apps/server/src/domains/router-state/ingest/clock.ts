import { CLOCK_NOT_SET_MS } from '@highline/contract';

/** How far a router's clock may be ahead of ours after correction before it counts as wrong. */
const AHEAD_MS = 60_000;
/** What is known was measured with the same errors: times have whole seconds, and routes to and from a router differ. */
const SAME_SKEW_MS = 2_000;
/** A time has whole seconds. */
const SECOND_MS = 1_000;
/** Routers keep no readings older than this. */
const OLDEST_MS = 30 * 86_400_000;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/u;

/**
 * A time as TR-106 writes it (`2026-11-20T12:00:00Z`, without a zone it is UTC), in epoch milliseconds. Undefined for anything
 * else, and for the "unknown time" of year 1.
 */
export function readTime(text: string): number | undefined {
  if (!TIME.test(text)) return undefined;
  const time = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/u.test(text) ? text : `${text}Z`);
  return time > 0 ? time : undefined;
}

/**
 * How far a router's clock is ahead of ours, in milliseconds; undefined when it reported no time. A time that is off by more
 * than 24 days, or that of year 1, means that its clock is not set (`isClockUnset`). What is known already stays while the difference may be one of measuring, so a report that a
 * router sends again after it connected again has the time that it had before; and a clock that may be right is right. While thousands of routers
 * connect, an answer takes seconds.
 * @param requestedAt @param responded when the request left and the response came, by our clock: the time was read in between
 */
export function readSkew(
  localTime: string | undefined,
  requestedAt: number,
  responded: number,
  known: number | undefined,
): number | undefined {
  if (localTime === undefined || !TIME.test(localTime)) return undefined;
  const time = readTime(localTime) ?? 0;
  const skew = Math.round(time - (requestedAt + responded) / 2);
  const [assumed, error] = known === undefined ? [0, SECOND_MS] : [known, SAME_SKEW_MS];
  if (Math.abs(skew - assumed) < error + (responded - requestedAt) / 2) return assumed;
  return Math.max(-CLOCK_NOT_SET_MS, Math.min(skew, CLOCK_NOT_SET_MS));
}

/**
 * Convert times of several measurements from the router's clock to ours by subtracting its skew. If the newest is then still in
 * the future, or older than anything a router keeps, the clock is wrong: shift all of them so that the newest is now and their
 * distances remain.
 * @param times epoch milliseconds by the router's clock; undefined = not reported, so now
 */
export function correctTimes(times: readonly (number | undefined)[], skewMs: number | undefined, now: number): number[] {
  const corrected = times.map((time) => (time === undefined ? now : time - (skewMs ?? 0)));
  const newest = corrected.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const isBelievable = newest <= now + AHEAD_MS && newest >= now - OLDEST_MS;
  // Slightly ahead means the reported time was rounded to a second: use now, since nothing is measured after it is reported.
  return corrected.map((time) => Math.min(isBelievable ? time : time - newest + now, now));
}
