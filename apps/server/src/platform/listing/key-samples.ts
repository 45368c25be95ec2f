import type { Clock } from '../ports/clock.ts';
import type { Reader } from './fragment.ts';
import type { List } from './list.ts';
import { keyName, sampledRowsOf, segmentCounts } from './segment-sql.ts';
import { createSemaphore } from './semaphore.ts';

/** A row of a list at a known position. */
export interface SampledRow {
  readonly segment: number;
  readonly keys: readonly string[];
  /** Index in the whole list. */
  readonly position: number;
}

/** Rows of one list at regular distances, by position: a jump begins at one of them instead of counting (docs/domains/lists.md). */
export type KeySample = readonly SampledRow[];

/** Stores samples of long lists. */
export interface KeySamples {
  /** Pages from this offset on begin at a sampled row. */
  readonly from: number;
  /**
   * The sample of a list, or undefined if there is none that may be used.
   * @param owner tenant of the list
   */
  find(owner: string, list: List, reader: Reader): KeySample | undefined | Promise<KeySample>;
  /** Read the sample of a list in the background, if there is none or its data has changed. */
  prepare(owner: string, list: List, reader: Reader): void;
  /** As `find`, waiting for it. */
  wait(owner: string, list: List, reader: Reader): Promise<KeySample>;
}

/** Reports every committed change to a main account's data, also by other servers. */
interface Changes {
  readonly clock: Clock;
  readonly onChanged: (listener: (mainAccountId: string) => void) => void;
}

export interface KeySampleOptions {
  readonly from?: number;
  /** Rows from one sampled row to the next: a jump skips at most as many. */
  readonly distance?: number;
  /** An unused sample is dropped first. */
  readonly most?: number;
  /** Least age at which a sample of changed data is read again; its reading takes at most a tenth of the time. */
  readonly restMs?: number;
  /** A sample of changed data older than this is no longer used. */
  readonly staleMs?: number;
}

interface Entry {
  readonly owner: string;
  keySample?: KeySample;
  readAt: number;
  tookMs: number;
  /** Changes of the tenant's data, and those that the sample contains. */
  changes: number;
  seen: number;
  reading?: Promise<KeySample> | undefined;
}

/** Samples in the memory of this process, read one at a time. */
export function createKeySamples({ clock, onChanged }: Changes, options: KeySampleOptions = {}): KeySamples {
  const { from = 10_000, distance = 1_000, most = 60, restMs = 5_000, staleMs = 120_000 } = options;
  const entries = new Map<string, Entry>();
  const turn = createSemaphore(1);
  onChanged((owner) => {
    for (const entry of entries.values()) if (entry.owner === owner) entry.changes += 1;
  });

  const read = async (entry: Entry, list: List, reader: Reader): Promise<KeySample> => {
    await turn.acquire();
    try {
      const seen = entry.changes;
      const begin = performance.now();
      entry.keySample = await readKeySample(reader, list, distance);
      entry.tookMs = performance.now() - begin;
      entry.seen = seen;
      entry.readAt = clock.now().getTime();
      return entry.keySample;
    } finally {
      turn.release();
      entry.reading = undefined;
    }
  };

  const entryOf = (owner: string, { fingerprint }: List): Entry => {
    const id = `${owner} ${fingerprint}`;
    const entry = entries.get(id) ?? { owner, readAt: 0, tookMs: 0, changes: 0, seen: 0 };
    entries.delete(id);
    entries.set(id, entry);
    const oldest = entries.size > most ? entries.keys().next().value : undefined;
    if (oldest !== undefined) entries.delete(oldest);
    return entry;
  };

  const start = (entry: Entry, list: List, reader: Reader) => (entry.reading ??= read(entry, list, reader));

  const ageOf = ({ readAt }: Entry) => clock.now().getTime() - readAt;
  const isChanged = ({ changes, seen }: Entry) => changes > seen;

  const find = (owner: string, list: List): KeySample | undefined => {
    const entry = entryOf(owner, list);
    return isChanged(entry) && ageOf(entry) > staleMs ? undefined : entry.keySample;
  };

  return {
    from,
    find,
    prepare(owner, list, reader) {
      const entry = entryOf(owner, list);
      const isDue = isChanged(entry) && ageOf(entry) > Math.max(restMs, 10 * entry.tookMs);
      // A failed reading is tried again by the next call.
      if (entry.keySample === undefined || isDue) start(entry, list, reader).catch(() => {});
    },
    wait: async (owner, list, reader) => find(owner, list) ?? start(entryOf(owner, list), list, reader),
  };
}

/** The sampled row from which an offset is reached; undefined for an empty sample. */
export function sampledBefore(keySample: KeySample, offset: number): SampledRow | undefined {
  let [low, high] = [0, keySample.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keySample[middle]!.position <= offset) low = middle + 1;
    else high = middle;
  }
  return keySample[low - 1];
}

type SampledRowRow = Record<string, string> & { readonly place: number; readonly total?: number };

/** Walk along the index of each segment once; only every so many rows are returned. */
async function readKeySample(reader: Reader, list: List, distance: number): Promise<KeySample> {
  const sampledRows: SampledRow[] = [];
  const counts = list.segments.length === 1 ? [] : await reader.rows<Record<string, number>>(segmentCounts(list));
  let begin = 0;
  for (const [segment, { keys, nested }] of list.segments.entries()) {
    let outer = begin;
    let next = begin;
    for (const row of await reader.rows<SampledRowRow>(sampledRowsOf(list, list.segments[segment]!, distance))) {
      if (nested !== undefined && row.place === 1) [outer, next] = [next, next + row.total!];
      sampledRows.push({ segment, keys: keys.map((_, index) => row[keyName(index)]!), position: outer + row.place - 1 });
    }
    begin += counts[0]?.[keyName(segment)] ?? 0;
  }
  return sampledRows;
}
