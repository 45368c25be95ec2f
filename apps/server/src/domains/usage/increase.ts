import type { CounterReading } from './counters.ts';

/** A reading that is stored or about to be; its SIM is resolved, '' = unknown. */
export type Reading = Omit<CounterReading, 'iccid'> & { readonly iccid: string };

/** Bytes by which the counters of a modem grew from one reading to the next. */
export interface Increase {
  readonly sent: number;
  readonly received: number;
  /** The counters began again in between: the bytes are those since then. */
  readonly isRestarted: boolean;
}

const TWO_TO_32 = 2 ** 32;
const TWO_TO_31 = 2 ** 31;

/**
 * The increase between two readings of one modem (USE-01); undefined where the later one cannot be true: a counter went backwards and nothing
 * restarted it, so the reading is an outdated copy.
 *
 * - The router restarted in between, by its uptime: what the counters show now.
 * - A counter of 32 bit that wrapped: the difference modulo 2^32, where that is less than half the range (as in RFC 1982).
 * - Otherwise, a fall to less than half, or of both counters with another SIM, is a modem that began again; a smaller one is no increase.
 */
export function increaseBetween(before: Reading, after: Reading): Increase | undefined {
  const fromZero = { sent: after.sent, received: after.received, isRestarted: true };
  const hasRestarted = isAfterRestart(before, after);
  if (hasRestarted === true) return fromZero;
  const falls = [after.sent < before.sent, after.received < before.received];
  const bothFall = falls.every(Boolean);
  // Without an uptime, both at once are a restart rather than two wraps.
  const canWrap = !bothFall || hasRestarted === false;
  const sent = growth(before.sent, after.sent, canWrap);
  const received = growth(before.received, after.received, canWrap);
  if (sent !== undefined && received !== undefined) return { sent, received, isRestarted: false };
  const isMuchLess =
    (sent === undefined && after.sent < before.sent / 2) || (received === undefined && after.received < before.received / 2);
  return isMuchLess || (bothFall && before.iccid !== after.iccid) ? fromZero : undefined;
}

/** Whether the router started after the earlier reading; undefined = it does not say. */
function isAfterRestart(before: Reading, after: Reading): boolean | undefined {
  if (after.uptime === null) return undefined;
  // Half of the time that it was up before: as far as the clock may be off.
  const slack = before.uptime === null ? 0 : Math.min(before.uptime / 2, 60) * 1_000;
  return startOf(after)! > before.at - slack;
}

/** When the router started, epoch milliseconds; undefined = not reported. */
export function startOf({ at, uptime }: Reading): number | undefined {
  return uptime === null ? undefined : at - uptime * 1_000;
}

function growth(before: number, after: number, canWrap: boolean): number | undefined {
  if (after >= before) return after - before;
  const wrapped = after + TWO_TO_32 - before;
  return canWrap && before < TWO_TO_32 && wrapped < TWO_TO_31 ? wrapped : undefined;
}
