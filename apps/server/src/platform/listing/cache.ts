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
}

interface Entry<Value> {
  readonly owner: string;
  readonly value: Promise<Value>;
  /** Milliseconds since the epoch; a running computation never expires. */
  freshUntil: number;
}

/** @param lifetimeMs maximum age of a result */
export function createCache<Value>(clock: Clock, lifetimeMs: number, most = 500): Cache<Value> {
  const entries = new Map<string, Entry<Value>>();

  const finish = async (id: string, entry: Entry<Value>): Promise<void> => {
    try {
      await entry.value;
      entry.freshUntil = clock.now().getTime() + lifetimeMs;
    } catch {
      // All waiters receive the error; the next call retries.
      if (entries.get(id) === entry) entries.delete(id);
    }
  };

  const keep = (id: string, owner: string, compute: () => Promise<Value>): Promise<Value> => {
    const entry: Entry<Value> = { owner, value: compute(), freshUntil: Infinity };
    entries.set(id, entry);
    void finish(id, entry);
    const oldest = entries.size > most ? entries.keys().next().value : undefined;
    if (oldest !== undefined) entries.delete(oldest);
    return entry.value;
  };

  return {
    get(owner, key, compute) {
      const id = `${owner} ${key}`;
      const entry = entries.get(id);
      entries.delete(id);
      if (entry === undefined || clock.now().getTime() >= entry.freshUntil) return keep(id, owner, compute);
      entries.set(id, entry);
      return entry.value;
    },
    invalidate(owner) {
      for (const [id, entry] of entries) if (entry.owner === owner) entries.delete(id);
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

/** A cache by main account that each of its changes invalidates. */
export function createTotals<Value>({ clock, onChanged }: Changes, lifetimeMs = TOTALS_LIFETIME_MS): Cache<Value> {
  const totals = createCache<Value>(clock, lifetimeMs);
  onChanged((mainAccountId) => totals.invalidate(mainAccountId));
  return totals;
}
