import { dayBounds } from '../../kernel/index.ts';
import { increaseBetween, isZero, type Reading } from './increase.ts';

/** A time in which an organization's device had a router. */
export interface OwnedTime {
  readonly organizationId: string;
  readonly deviceId: string;
  /** Epoch milliseconds; Infinity = it still has. */
  readonly from: number;
  readonly until: number;
  /** Whose days the organization counts in this time; UTC if left out. */
  readonly zone?: string;
}

/** Bytes of a SIM in a device of an organization on a day of its time zone. */
export interface UsePart {
  readonly organizationId: string;
  readonly deviceId: string;
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly iccid: string;
  readonly sent: number;
  readonly received: number;
}

const DAY_MS = 86_400_000;
/** Days that one increase is divided among; before those, it counts for the first of them. */
const MOST_DAYS = 400;

/**
 * The increase from one reading to the next, by owner and day (USE-01). What lies between two readings is divided in proportion to the time, and
 * the sum stays exact. Time in which no organization had the router does not count.
 */
export function splitIncrease(before: Reading, after: Reading, owners: readonly OwnedTime[]): UsePart[] {
  const increase = increaseBetween(before, after);
  if (increase === undefined || isZero(increase)) return [];
  const from = Math.max(increase.from, after.at - MOST_DAYS * DAY_MS);
  const until = Math.max(after.at, from + 1);
  const parts: UsePart[] = [];
  let [sent, received] = [0, 0];
  for (const { end, owner, day } of slices(from, until, owners)) {
    // What has been divided up to the end of a slice, less what was before: rounding never loses a byte.
    const [sentSoFar, receivedSoFar] = [share(increase.sent, end, from, until), share(increase.received, end, from, until)];
    if (owner !== undefined && sentSoFar + receivedSoFar > sent + received)
      parts.push({
        organizationId: owner.organizationId,
        deviceId: owner.deviceId,
        day,
        iccid: increase.iccid,
        sent: sentSoFar - sent,
        received: receivedSoFar - received,
      });
    [sent, received] = [sentSoFar, receivedSoFar];
  }
  return parts;
}

function share(bytes: number, end: number, from: number, until: number): number {
  return end >= until ? bytes : Math.floor(bytes * ((end - from) / (until - from)));
}

interface Slice {
  readonly end: number;
  readonly owner: OwnedTime | undefined;
  /** Of the owner's zone, days since 1970-01-01. */
  readonly day: number;
}

/** The time between, cut where the owner changes and at midnight in the owner's zone. */
function* slices(from: number, until: number, owners: readonly OwnedTime[]): Generator<Slice> {
  const changes = owners.flatMap((owner) => [owner.from, owner.until]).filter((time) => time > from && time < until);
  for (let start = from; start < until;) {
    const owner = ownerAt(owners, start);
    const { day, end: midnight } = dayBounds(owner?.zone ?? 'UTC', start);
    const end = Math.min(until, midnight, ...changes.filter((time) => time > start));
    yield { end, owner, day };
    start = end;
  }
}

function ownerAt(owners: readonly OwnedTime[], time: number): OwnedTime | undefined {
  return owners.find(({ from, until }) => time >= from && time < until);
}

/** What all of these readings, in the order of their time, add up to; those that say nothing are passed over. */
export function splitAll(readings: readonly Reading[], owners: readonly OwnedTime[]): UsePart[] {
  return mergeReadings([], readings).flatMap((after, index, all) =>
    index === 0 ? [] : splitIncrease(all[index - 1]!, after, owners),
  );
}

/** Milliseconds between readings whose reports name the same second, such as those before and after a switch of the SIM. */
const MOST_IN_A_SECOND = 50;

/**
 * Readings in the order of their time, each once, without those that say nothing after the one before.
 * @param stored in order; they stay
 * @param added in any order, those of one time in the order of their reports; one that is stored already is left out
 */
export function mergeReadings(stored: readonly Reading[], added: readonly Reading[]): Reading[] {
  const byTime = new Map(stored.map((reading) => [reading.at, reading]));
  const merged = [...stored];
  for (const reported of added.toSorted((a, b) => a.at - b.at)) {
    const reading = atFreeTime(byTime, reported);
    if (reading === undefined || isZero(reading)) continue;
    const place = merged.findLastIndex(({ at }) => at < reading.at) + 1;
    const [before, after] = [merged[place - 1], merged[place]];
    if (before !== undefined && increaseBetween(before, reading) === undefined) continue;
    if (after !== undefined && increaseBetween(reading, after) === undefined) continue;
    byTime.set(reading.at, reading);
    merged.splice(place, 0, reading);
  }
  return merged;
}

/** The reading at its time, or right after others of that time; undefined if it is one of those. */
function atFreeTime(byTime: ReadonlyMap<number, Reading>, reading: Reading): Reading | undefined {
  for (let at = reading.at; at < reading.at + MOST_IN_A_SECOND; at++) {
    const other = byTime.get(at);
    if (other === undefined) return { ...reading, at };
    const isSame = other.iccid === reading.iccid && other.sent === reading.sent && other.received === reading.received;
    if (isSame) return undefined;
  }
  return undefined;
}
