import { dayBounds } from '../../../kernel/index.ts';
import { MOST_COUNTED, type ClientCounter } from './client-counters.ts';

/** What a client used on a day: bytes to it, and from it. */
export interface ClientUse {
  readonly mac: string;
  readonly name: string;
  readonly sent: number;
  readonly received: number;
}

/** The last counters of a client, and what it used on the day of the state. */
export interface CountedClient extends ClientCounter {
  readonly today: { readonly sent: number; readonly received: number };
  /** It was there at the last reading. */
  readonly isPresent: boolean;
}

/** What is known of the clients of a router. */
export interface UseState {
  /** Days since 1970-01-01, in the zone of the organization. */
  readonly day: number;
  /** Epoch milliseconds. */
  readonly readAt: number;
  readonly clients: readonly CountedClient[];
}

export interface ClosedDay {
  readonly day: number;
  readonly clients: readonly ClientUse[];
}

/** The most that a client moves: Wi-Fi 7 with two streams of 320 MHz, 5.8 Gbit/s. What is faster was not counted in between. */
const FASTEST_BYTES_PER_MS = 5_800_000_000 / 8 / 1_000;
/** By which the time between two readings may be wrong, since routers update counters at times of their own. */
const SLACK_MS = 60_000;
/** Time over which one increase is divided among days. */
const LONGEST_MS = 3 * 86_400_000;

/**
 * Add a reading to what is known (LIV-02). Of the two counters, one that grew, grew by the difference; one that fell began again, and grew by what it
 * shows. Nothing is invented: a counter that is zero or an outdated copy says nothing, one that another part of the router counts begins again, and
 * what is faster than a network is not counted.
 * @param zone of the days
 * @returns the new state, and the days that are over
 */
export function countUse(
  before: UseState | undefined,
  counters: readonly ClientCounter[],
  readAt: number,
  zone: string,
): { readonly state: UseState; readonly closed: readonly ClosedDay[] } {
  const today = Math.max(dayBounds(zone, readAt).day, before?.day ?? 0);
  const parts = before === undefined ? [] : partsOf(before, readAt, today, zone);
  const known = new Map(before?.clients.map((client) => [client.mac, client]));
  const perDay = new Map<number, Map<string, ClientUse>>();
  for (const client of known.values()) addTo(perDay, before!.day, client, client.today.sent, client.today.received);
  const present = new Map<string, ClientCounter>();
  let size = known.size;
  for (const counter of counters) {
    const last = known.get(counter.mac);
    if (last === undefined && size++ >= MOST_COUNTED) continue;
    const { kept, sent, received } = increase(last, counter, before?.readAt, readAt);
    present.set(counter.mac, kept);
    divide(parts, [sent, received], (day, [part = 0, other = 0]) => addTo(perDay, day, counter, part, other));
  }
  const ofToday = perDay.get(today);
  const clients = [...present.values(), ...[...known.values()].filter(({ mac }) => !present.has(mac))].flatMap((counter) => {
    const use = ofToday?.get(counter.mac);
    const isPresent = present.has(counter.mac);
    // One that left is forgotten with the day.
    if (!isPresent && use === undefined) return [];
    return [{ ...counter, today: { sent: use?.sent ?? 0, received: use?.received ?? 0 }, isPresent }];
  });
  const closed = [...perDay].flatMap(([day, uses]): ClosedDay[] =>
    day < today && uses.size > 0 ? [{ day, clients: [...uses.values()] }] : [],
  );
  return { state: { day: today, readAt, clients }, closed };
}

/** What clients used on the day of the state. */
export function useOfDay(clients: readonly CountedClient[]): ClientUse[] {
  return clients.flatMap(({ mac, name, today }) => (today.sent + today.received === 0 ? [] : [{ mac, name, ...today }]));
}

/** What clients used in parts of a day, each client once. */
export function mergeUses(parts: readonly (readonly ClientUse[])[]): ClientUse[] {
  const perDay = new Map<number, Map<string, ClientUse>>();
  for (const use of parts.flat()) addTo(perDay, 0, use, use.sent, use.received);
  return [...(perDay.get(0)?.values() ?? [])];
}

/** What a client used between two readings, and its counters from now on. */
function increase(last: CountedClient | undefined, now: ClientCounter, lastAt: number | undefined, at: number) {
  const nothing = { kept: now, sent: 0, received: 0 };
  if (last === undefined || last.source !== now.source) {
    // A station that joined since then was counted from zero.
    const isNew = now.source === 'station' && now.since !== undefined && lastAt !== undefined && now.since >= lastAt;
    return isNew && now.since <= at && isPossible(now, at - now.since)
      ? { kept: now, sent: now.sent, received: now.received }
      : nothing;
  }
  const name = now.name === '' ? last.name : now.name;
  const kept = { ...now, name };
  const isMomentaryZero = (key: 'sent' | 'received', other: 'sent' | 'received') =>
    now[key] === 0 && last[key] > 0 && (now[other] === 0 || now[other] >= last[other]);
  if (isMomentaryZero('sent', 'received') || isMomentaryZero('received', 'sent'))
    return { kept: { ...last, name }, sent: 0, received: 0 };
  const hasFallen = now.sent < last.sent || now.received < last.received;
  if (hasFallen && (now.sent * 2 > last.sent || last.sent === 0) && (now.received * 2 > last.received || last.received === 0))
    return { kept: { ...last, name }, sent: 0, received: 0 };
  const grown = { sent: growth(last.sent, now.sent), received: growth(last.received, now.received) };
  const isCounted = isPossible(grown, at - (lastAt ?? at));
  return { kept, sent: isCounted ? grown.sent : 0, received: isCounted ? grown.received : 0 };
}

const growth = (before: number, after: number) => (after >= before ? after - before : after);

function isPossible({ sent, received }: { readonly sent: number; readonly received: number }, ms: number): boolean {
  return sent + received <= FASTEST_BYTES_PER_MS * (Math.max(0, ms) + SLACK_MS);
}

interface Part {
  readonly day: number;
  /** Share of the time up to the end of this part. */
  readonly until: number;
}

/** The days between two readings with their shares of the time; all on the last one where the time goes back. */
function partsOf({ day: first, readAt: lastAt }: UseState, readAt: number, today: number, zone: string): Part[] {
  const from = Math.max(lastAt, readAt - LONGEST_MS);
  const parts: Part[] = [];
  for (let start = from; start < readAt;) {
    const { day, end } = dayBounds(zone, start);
    const until = Math.min(readAt, end);
    parts.push({ day: Math.min(today, Math.max(first, day)), until: (until - from) / (readAt - from) });
    start = until;
  }
  return parts.length === 0 ? [{ day: today, until: 1 }] : parts;
}

/** What has been divided up to the end of a part, less what was before: rounding never loses a byte. */
function divide(parts: readonly Part[], bytes: readonly number[], add: (day: number, bytes: readonly number[]) => void): void {
  if (bytes.every((count) => count === 0)) return;
  const done = bytes.map(() => 0);
  for (const { day, until } of parts) {
    const upTo = bytes.map((count) => (until >= 1 ? count : Math.floor(count * until)));
    add(
      day,
      upTo.map((count, index) => count - done[index]!),
    );
    upTo.forEach((count, index) => (done[index] = count));
  }
}

function addTo(
  perDay: Map<number, Map<string, ClientUse>>,
  day: number,
  { mac, name }: Pick<ClientCounter, 'mac' | 'name'>,
  sent: number,
  received: number,
): void {
  if (sent + received === 0) return;
  let uses = perDay.get(day);
  if (uses === undefined) perDay.set(day, (uses = new Map()));
  const use = uses.get(mac);
  uses.set(mac, {
    mac,
    name: name === '' ? (use?.name ?? '') : name,
    sent: sent + (use?.sent ?? 0),
    received: received + (use?.received ?? 0),
  });
}
