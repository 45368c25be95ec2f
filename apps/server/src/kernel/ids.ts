import { randomBytes, randomInt } from 'node:crypto';

/** Half of 26 bits; the other half is left for counting. */
const COUNTER_BEGIN = 2 ** 25;

/** Timestamps whose counters are kept: callers pass their own, which are not always the newest. */
const MOMENTS = 1_000;

const counters = new Map<number, number>();

/**
 * A new id: UUID version 7 (RFC 9562, 5.7), so that later ids sort later and are appended at the end of an index. Ids of one
 * millisecond are distinguished by a counter before their random bits (6.2, method 1): lists sorted by id keep the creation order
 * within this process.
 * @param now milliseconds since the epoch
 */
export function newId(now = Date.now()): string {
  const bytes = randomBytes(16);
  const counter = countAt(now);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = ((counter >>> 22) & 0x0f) | 0x70;
  bytes[7] = (counter >>> 14) & 0xff;
  bytes[8] = ((counter >>> 8) & 0x3f) | 0x80;
  bytes[9] = counter & 0xff;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function countAt(now: number): number {
  const count = (counters.get(now) ?? randomInt(COUNTER_BEGIN)) + 1;
  counters.delete(now);
  counters.set(now, count);
  if (counters.size > MOMENTS) counters.delete(counters.keys().next().value!);
  return count;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** Whether a text has the format of an id; other texts are answered like an unknown id. */
export function isId(text: string): boolean {
  return uuid.test(text);
}

/** Milliseconds since the epoch of an id that `newId` made; undefined for another text. */
export function timeOfId(id: string): number | undefined {
  return isId(id) ? Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) : undefined;
}
