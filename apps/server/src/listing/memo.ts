import type { Clock } from '../ports/clock.ts';

/**
 * Keeps what is dear to compute and may be a moment old (totals of lists, counts of the overview). Bounded: the entry that was
 * unused the longest goes first. Several calls for one missing entry wait for one computation.
 */
export interface Memo<Value> {
  /** @param owner whose the value is; `forget` drops all of an owner's */
  get(owner: string, key: string, compute: () => Promise<Value>): Promise<Value>;
  /** After a write: what was computed before it is no longer answered. */
  forget(owner: string): void;
}

interface Entry<Value> {
  readonly owner: string;
  readonly value: Promise<Value>;
  /** Milliseconds since the epoch; a computation that still runs is never stale. */
  freshUntil: number;
}

/** @param lifetimeMs how old an answer may be */
export function createMemo<Value>(clock: Clock, lifetimeMs: number, most = 500): Memo<Value> {
  const entries = new Map<string, Entry<Value>>();

  const settle = async (id: string, entry: Entry<Value>): Promise<void> => {
    try {
      await entry.value;
      entry.freshUntil = clock.now().getTime() + lifetimeMs;
    } catch {
      // Whoever waits for the value hears of it; the next call tries again.
      if (entries.get(id) === entry) entries.delete(id);
    }
  };

  const keep = (id: string, owner: string, compute: () => Promise<Value>): Promise<Value> => {
    const entry: Entry<Value> = { owner, value: compute(), freshUntil: Infinity };
    entries.set(id, entry);
    void settle(id, entry);
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
    forget(owner) {
      for (const [id, entry] of entries) if (entry.owner === owner) entries.delete(id);
    },
  };
}
