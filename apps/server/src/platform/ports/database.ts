import type { Kysely, Transaction } from 'kysely';
import type { Pool } from 'pg';
import type { ReadSource } from './read-source.ts';
import type { Tables } from './tables.ts';

export type Queries = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** The database as domains use it: reads anywhere, writes only inside `write`. */
export interface Database {
  /** For reads only. */
  readonly read: Queries;
  /** For cursors and COPY, which the query builder does not support. */
  readonly pool: Pool;
  /** For lists, searches, counts, reports and exports. */
  readonly lists: ReadSource;
  /**
   * Run `work` in one transaction and, after its commit, trigger readers of the outbox. State, audit entry and outbox row of a
   * change belong into the same call. A transaction lost to a deadlock is repeated from its start, so `work` must have no effects
   * outside its transaction.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** True where a unique index rejected a write: another transaction wrote the same value first. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown }).code === '23505';
}

/** Values that no type of a column can have: 22003, 22007, 22008, 22021, 22P02, 22P05. */
const INVALID_VALUE = /^22(?:003|007|008|021|P02|P05)$/u;

/** True where PostgreSQL rejected a value, which then came from a caller and was not checked before. */
export function isInvalidValue(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && INVALID_VALUE.test(code);
}

/** True where a disk is full: that of PostgreSQL, or of our own files. */
export function isDiskFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return code === '53100' || code === 'ENOSPC' || code === 'EDQUOT';
}

/** What a caller gets then. */
export const DISK_FULL = 'The disk of the server, or of its database, is full. Tell the operator of this server.';

/** A statement took too long or was cancelled, memory ran out, a disk could not be read. */
const OVERLOAD_STATES: ReadonlySet<unknown> = new Set(['57014', '53200', '58030']);

/** Whether PostgreSQL could not finish a statement that is right. */
export function isUnfinished(error: unknown): boolean {
  return OVERLOAD_STATES.has(((error ?? {}) as { readonly code?: unknown }).code);
}
