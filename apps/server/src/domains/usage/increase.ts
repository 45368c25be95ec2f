import type { CounterReading } from './counters.ts';

/** A reading that is stored or about to be; its SIM is resolved, '' = unknown. */
export type Reading = Omit<CounterReading, 'iccid'> & { readonly iccid: string };

/** Bytes by which the counters of a modem grew from one reading to the next. */
export interface Increase {
  readonly sent: number;
  readonly received: number;
  /** The SIM that used them; '' = unknown. */
  readonly iccid: string;
  /** When counting began, epoch milliseconds: at the earlier reading, or when the router started after it. */
  readonly from: number;
}

type Bytes = Pick<Reading, 'sent' | 'received'>;

const TWO_TO_32 = 2 ** 32;
const MBIT = 1_000_000 / 8;
/**
 * The most bytes per second that a modem moves: 5G NR with two carriers of 100 MHz, 30 kHz spacing, 256QAM, 4 layers down and 2 up (3GPP TS 38.306
 * 4.1.2: 2 × 2,337 and 2 × 1,250 Mbit/s). Faster counters were not counting in between.
 */
const FASTEST: Bytes = { sent: 2_500 * MBIT, received: 4_700 * MBIT };
/** The same of modems whose counters have 32 bit: LTE category 6 (3GPP TS 36.306, tables 4.1-1 and 4.1-2). A faster wrap is none. */
const FASTEST_OF_32_BIT: Bytes = { sent: 50 * MBIT, received: 300 * MBIT };
/** Seconds by which the time between two readings may be wrong: a report has whole seconds, and its counters may be as old as the one before. */
const SLACK_SECONDS = 60;
/** After how long a counter that came back at zero is believed: before that, its modem is being enumerated again. */
const ZERO_MS = 7 * 86_400_000;
/** Uptimes of 32 bit begin again: counted in milliseconds after 49.7 days, in hundredths after 497 days (RFC 2578 TimeTicks). */
const UPTIME_WRAPS = [TWO_TO_32 / 1_000, TWO_TO_32 / 100];

/**
 * The increase between two readings of one modem (USE-01); undefined where the later one says nothing: it is zero for a moment, or went
 * back by less than half and nothing began again, so it is an outdated copy. Then the next reading is compared with the earlier one.
 *
 * A counter that grew, grew by the difference, also over a restart of the router: some modems keep their counters, and where one began at zero the
 * difference is too little, never too much. A counter that fell began again, and grew by what it shows; or it wrapped. Whatever is faster than a modem can
 * be is not counted, and counting begins at the later reading.
 */
export function increaseBetween(before: Reading, after: Reading): Increase | undefined {
  if (isZero(after) || isMomentaryZero(before, after)) return undefined;
  const hasRestarted = isAfterRestart(before, after);
  const wrapped = hasRestarted === true ? undefined : wrapBetween(before, after);
  const fallen = (['sent', 'received'] as const).filter((key) => after[key] < before[key]);
  const beganAgain = fallen.length > 0 && wrapped === undefined;
  const isExplained = hasRestarted === true || isOtherSim(before, after) || fallen.some((key) => after[key] < before[key] / 2);
  if (beganAgain && !isExplained) return undefined;
  const grown: Bytes = wrapped ?? { sent: growth(before.sent, after.sent), received: growth(before.received, after.received) };
  const bytes = !isZero(before) && isPossible(before, after, grown, FASTEST) ? grown : { sent: 0, received: 0 };
  const [first, second] = beganAgain || hasRestarted === true ? [after, before] : [before, after];
  const started = beganAgain ? (startOf(after) ?? before.at) : before.at;
  const from = Math.max(before.at, Math.min(started, after.at));
  return { sent: bytes.sent, received: bytes.received, iccid: first.iccid || second.iccid, from };
}

const growth = (before: number, after: number) => (after >= before ? after - before : after);

const isOtherSim = (before: Reading, after: Reading) => before.iccid !== after.iccid && before.iccid !== '' && after.iccid !== '';

/** Two zeros are what a modem reports before it counts: nothing is counted from them on, so they are left out. */
export const isZero = ({ sent, received }: Bytes) => sent === 0 && received === 0;

/** One counter is back at zero, and the other is not. */
function isMomentaryZero(before: Reading, after: Reading): boolean {
  const hasFallen = (before.sent > 0 && after.sent === 0) || (before.received > 0 && after.received === 0);
  return hasFallen && after.at - before.at < ZERO_MS;
}

/**
 * The increase if one counter of 32 bit wrapped: the difference modulo 2^32, where that is less than half the range (as in RFC 1982). Undefined where it
 * rather began again: with another SIM, faster than such modems are, where both fell (two wraps between two reports are rarer than a restart), or where
 * more would be counted between the earlier reading and the wrap than the counters show since.
 */
function wrapBetween(before: Reading, after: Reading): Bytes | undefined {
  const hasWrapped = { sent: after.sent < before.sent, received: after.received < before.received };
  if (hasWrapped.sent === hasWrapped.received || isOtherSim(before, after)) return undefined;
  const key = hasWrapped.sent ? 'sent' : 'received';
  const untilWrap = TWO_TO_32 - before[key];
  if (untilWrap <= 0 || untilWrap > after.sent + after.received || untilWrap + after[key] >= TWO_TO_32 / 2) return undefined;
  const bytes = { sent: after.sent - before.sent, received: after.received - before.received, [key]: untilWrap + after[key] };
  return isPossible(before, after, bytes, FASTEST_OF_32_BIT) ? bytes : undefined;
}

function isPossible(before: Reading, after: Reading, bytes: Bytes, fastest: Bytes): boolean {
  const seconds = (after.at - before.at) / 1_000 + SLACK_SECONDS;
  return bytes.sent <= fastest.sent * seconds && bytes.received <= fastest.received * seconds;
}

/** Whether the router started after the earlier reading; undefined = it does not say. */
function isAfterRestart(before: Reading, after: Reading): boolean | undefined {
  if (after.uptime === null) return undefined;
  // Half of the time that it was up before: as far as the clock may be off.
  const slack = before.uptime === null ? 0 : Math.min(before.uptime / 2, SLACK_SECONDS);
  if (startOf(after)! <= before.at - slack * 1_000) return false;
  if (before.uptime === null) return true;
  const expected = before.uptime + (after.at - before.at) / 1_000;
  return !UPTIME_WRAPS.some((wrap) => before.uptime! < wrap && Math.abs(expected - wrap - after.uptime!) <= slack);
}

/** When the router started, epoch milliseconds; undefined = not reported. */
function startOf({ at, uptime }: Reading): number | undefined {
  return uptime === null ? undefined : at - uptime * 1_000;
}
