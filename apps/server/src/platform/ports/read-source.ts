import type { Pool } from 'pg';

/** Where lists, searches, counts, reports and exports are read: the primary, or a replica that is recent enough (decision 0035). */
export interface ReadSource {
  /** The database that reads of the present call use; results of one are not shared with calls of the other. */
  name(): 'primary' | 'replica';
  /** Run reads. `work` has no effects: it runs again on the primary if the replica fails, and once more after a deadlock. */
  run<T>(work: (pool: Pool) => Promise<T>): Promise<T>;
}

/** Every read on the primary. */
export function onPrimary(pool: Pool): ReadSource {
  return { name: () => 'primary', run: (work) => work(pool) };
}
