import type { Kysely, Transaction } from 'kysely';
import type { Pool } from 'pg';
import type { Tables } from '../tables.ts';

export type Queries = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** The database as rooms see it: reads anywhere, writes only inside `write`. */
export interface Database {
  /** For reads; never write through it. */
  readonly read: Queries;
  /** For cursors and COPY, which the query builder does not speak. */
  readonly pool: Pool;
  /**
   * Run `work` in one transaction and, once it is committed, wake whoever waits for the outbox. State, audit entry and
   * outbox row of a change belong into the same call. A transaction that lost against another one (two that waited in a circle) is
   * run again from its start: `work` touches nothing but its transaction.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** True where a unique index refused a write: somebody else wrote the same value first. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown }).code === '23505';
}
