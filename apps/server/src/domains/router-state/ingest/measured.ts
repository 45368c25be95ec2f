import { MODEMS } from '../../../kernel/tr181.ts';
import { readings, type Reading, type ReadingKey } from '../facts.ts';
import type { Sample } from '../telemetry/telemetry.sample.ts';

type KeyedReading = (typeof readings)[number];

interface KnownPath {
  readonly reading: KeyedReading;
  /** 0 for a single object. */
  readonly instance: number;
}

/** Paths whose meaning is kept: a fleet reports some dozens of them, again and again. */
const MOST_PATHS = 2_000;
const LONGEST_PATH = 200;
const meanings = new Map<string, KnownPath | undefined>();

/** Reading and instance that a full path stands for; undefined = it is no reading. */
function readingOf(path: string): KnownPath | undefined {
  const known = meanings.get(path);
  if (known !== undefined || meanings.has(path)) return known;
  const found = findReading(path);
  // Routers choose the paths, so what is kept is bounded.
  if (meanings.size >= MOST_PATHS) meanings.clear();
  if (path.length <= LONGEST_PATH) meanings.set(path, found);
  return found;
}

function findReading(path: string): KnownPath | undefined {
  for (const reading of readings) {
    const { table, name } = reading.from;
    if (table === '') {
      if (path === name) return { reading, instance: 0 };
    } else if (path.startsWith(table) && path.endsWith(`.${name}`)) {
      const instance = path.slice(table.length, -name.length - 1);
      if (/^[1-9]\d{0,8}$/u.test(instance)) return { reading, instance: Number(instance) };
    }
  }
  return undefined;
}

/**
 * Values measured at one time, from full paths and values. A parameter with several instances is taken from the modem in use,
 * else from the first instance.
 * @param at epoch milliseconds
 */
export function readMeasured(values: Iterable<readonly [string, unknown]>, modem: number, at: number): Sample[] {
  const found = new Map<ReadingKey, { rank: number; value: number }>();
  for (const [path, raw] of values) {
    const known = readingOf(path);
    const value = known === undefined ? undefined : readValue(known.reading, raw);
    if (known === undefined || value === undefined) continue;
    const { key, from } = known.reading;
    const rank = from.table === MODEMS && known.instance === modem ? 0 : known.instance;
    if (rank <= (found.get(key)?.rank ?? Number.POSITIVE_INFINITY)) found.set(key, { rank, value });
  }
  return Array.from(found, ([parameter, { value }]) => ({ at, parameter, value }));
}

function readValue({ factor, least, most }: Reading, raw: unknown): number | undefined {
  if (typeof raw !== 'number' && (typeof raw !== 'string' || raw.trim() === '')) return undefined;
  // Round away the binary fraction that multiplying by 0.001 leaves.
  const value = factor === 1 ? Number(raw) : Number((Number(raw) * factor).toFixed(6));
  return value >= least && value <= most ? value : undefined;
}
