import { byPath } from '../../../kernel/by-path.ts';
import { roundMeasured } from '../../../kernel/measured.ts';
import { MODEMS } from '../../../kernel/tr181.ts';
import { readings, type Reading, type ReadingKey } from '../facts.ts';
import type { Sample } from '../telemetry/telemetry.sample.ts';

type KeyedReading = (typeof readings)[number];

const lastPart = (path: string) => path.slice(path.lastIndexOf('.') + 1);

/** By the last part of their name: a router answers with hundreds of paths, of which few are readings. */
const readingsByLastPart = Map.groupBy(readings, ({ from }) => lastPart(from.name));

/** Reading and instance that a full path stands for; instance 0 for a single object. */
const readingOf = byPath((path): { readonly reading: KeyedReading; readonly instance: number } | undefined => {
  for (const reading of readingsByLastPart.get(lastPart(path)) ?? []) {
    const { table, name } = reading.from;
    if (table === '') {
      if (path === name) return { reading, instance: 0 };
    } else if (path.startsWith(table) && path.endsWith(`.${name}`)) {
      const instance = path.slice(table.length, -name.length - 1);
      if (/^[1-9]\d{0,8}$/u.test(instance)) return { reading, instance: Number(instance) };
    }
  }
  return undefined;
});

/**
 * Values measured at one time, from full paths and values. A parameter with several instances is taken from the modem in use,
 * else from the first instance. What the modem in use says is unknown is not taken from another one.
 * @param at epoch milliseconds
 */
export function readMeasured(values: Iterable<readonly [string, unknown]>, modem: number, at: number): Sample[] {
  const found = new Map<ReadingKey, { rank: number; value: number | undefined }>();
  for (const [path, raw] of values) {
    const known = readingOf(path);
    if (known === undefined) continue;
    const { key, from } = known.reading;
    const isInUse = from.table === MODEMS && known.instance === modem;
    const value = readValue(known.reading, raw);
    if (value === undefined && !isInUse) continue;
    const rank = isInUse ? 0 : known.instance;
    if (rank <= (found.get(key)?.rank ?? Number.POSITIVE_INFINITY)) found.set(key, { rank, value });
  }
  return Array.from(found).flatMap(([parameter, { value }]) => (value === undefined ? [] : { at, parameter, value }));
}

/**
 * The newest signal (RSSI, dBm) in reports, the oldest first; null = the newest that has one says that it is unknown, undefined = none has one.
 * @param modem instance of the modem in use
 */
export function signalIn(
  reports: readonly { readonly values: readonly (readonly [string, unknown])[] }[],
  modem: number,
): number | null | undefined {
  for (const { values } of reports.toReversed()) {
    const signals = values.filter(([path]) => readingOf(path)?.reading.key === 'rssi');
    if (signals.length > 0) return readMeasured(signals, modem, 0)[0]?.value ?? null;
  }
  return undefined;
}

function readValue({ factor, least, most }: Reading, raw: unknown): number | undefined {
  if (typeof raw !== 'number' && (typeof raw !== 'string' || raw.trim() === '')) return undefined;
  const value = roundMeasured(Number(raw) * factor);
  return value >= least && value <= most ? value : undefined;
}
