import { setTimeout as pause } from 'node:timers/promises';
import { currentLimitKey } from '../calls/call-steps.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * Caches results that are expensive and may be slightly old (totals of lists, counts of the overview). Bounded: the least
 * recently used entry is dropped first. Concurrent calls for one missing entry share one computation.
 */
export interface Cache<Value> {
  /** @param owner tenant of the value; `invalidate` drops all values of an owner */
  get(owner: string, key: string, compute: () => Promise<Value>): Promise<Value>;
  /** After a write: earlier results are no longer returned. */
  invalidate(owner: string): void;
  /**
   * After a write by others, of which there may be several each second: the same, but an expensive result rests for ten times as long as it
   * took, 2 s at most. Until then it is returned, or with `waits` the call waits for the next one.
   */
  changed(owner: string): void;
}

export interface CacheOptions {
  /** Entries that are kept. */
  readonly most?: number;
  /** A result from before a change is never returned: who reads because of the change may be the last to read. */
  readonly waits?: boolean;
}

/** From this many milliseconds on, a result is expensive. */
const EXPENSIVE_MS = 100;
const MAX_REST_MS = 2_000;

interface Entry<Value> {
  readonly owner: string;
  value: Promise<Value>;
  begun: number;
  /** It waits for the rest of the result before it. */
  isWaiting: boolean;
  /** Undefined while it is computed. */
  tookMs?: number;
  isChanged: boolean;
  /** Milliseconds since the epoch; a running computation never expires. */
  freshUntil: number;
}

/** @param lifetimeMs maximum age of a result */
export function createCache<Value>(
  clock: Clock,
  lifetimeMs: number,
  { most = 500, waits = false }: CacheOptions = {},
): Cache<Value> {
  const entries = new Map<string, Entry<Value>>();

  const finish = async (id: string, entry: Entry<Value>): Promise<void> => {
    try {
      await entry.value;
      entry.tookMs = clock.now().getTime() - entry.begun;
      entry.freshUntil = entry.isChanged ? restUntil(entry) : clock.now().getTime() + lifetimeMs;
    } catch {
      // All waiters receive the error; the next call retries.
      if (entries.get(id) === entry) entries.delete(id);
    }
  };

  /** Of a result that others have changed. */
  const restUntil = ({ begun, tookMs = 0 }: Entry<Value>) =>
    tookMs < EXPENSIVE_MS ? 0 : begun + Math.min(10 * tookMs, MAX_REST_MS);

  const keep = (id: string, owner: string, compute: () => Promise<Value>, before?: Entry<Value>): Promise<Value> => {
    const begun = clock.now().getTime();
    const entry = { owner, begun, isWaiting: before !== undefined, isChanged: false, freshUntil: Infinity } as Entry<Value>;
    entry.value = before === undefined ? compute() : computeAfter(before, entry, compute);
    entries.set(id, entry);
    void finish(id, entry);
    const oldest = entries.size > most ? entries.keys().next().value : undefined;
    if (oldest !== undefined) entries.delete(oldest);
    return entry.value;
  };

  const computeAfter = async (before: Entry<Value>, entry: Entry<Value>, compute: () => Promise<Value>): Promise<Value> => {
    await before.value.catch(() => {});
    const rest = before.freshUntil - clock.now().getTime();
    if (rest > 0) await pause(Math.min(rest, MAX_REST_MS));
    entry.isWaiting = false;
    entry.begun = clock.now().getTime();
    return compute();
  };

  return {
    get(owner, key, compute) {
      const id = `${owner} ${currentLimitKey()} ${key}`;
      const entry = entries.get(id);
      entries.delete(id);
      if (entry === undefined || clock.now().getTime() >= entry.freshUntil) return keep(id, owner, compute);
      if (waits && entry.isChanged) return keep(id, owner, compute, entry);
      entries.set(id, entry);
      return entry.value;
    },
    invalidate(owner) {
      for (const [id, entry] of entries) if (entry.owner === owner) entries.delete(id);
    },
    changed(owner) {
      const now = clock.now().getTime();
      for (const [id, entry] of entries) {
        // What has not begun reads this write too.
        if (entry.owner !== owner || entry.isWaiting) continue;
        entry.isChanged = true;
        // It may have read before the write, and is cheap.
        if (entry.tookMs === undefined && now - entry.begun < EXPENSIVE_MS) entries.delete(id);
        if (entry.tookMs !== undefined) entry.freshUntil = Math.min(entry.freshUntil, restUntil(entry));
      }
    },
  };
}

/** Maximum age of the totals of a list. */
const TOTALS_LIFETIME_MS = 2_000;

/** Reports every committed change to a main account's data, also by other servers. */
interface Changes {
  readonly clock: Clock;
  readonly onChanged: (listener: (mainAccountId: string) => void) => void;
}

/** A cache by main account whose values each of its changes makes outdated. */
export function createTotals<Value>(
  { clock, onChanged }: Changes,
  lifetimeMs = TOTALS_LIFETIME_MS,
  options: CacheOptions = {},
): Cache<Value> {
  const totals = createCache<Value>(clock, lifetimeMs, options);
  onChanged((mainAccountId) => totals.changed(mainAccountId));
  return totals;
}
