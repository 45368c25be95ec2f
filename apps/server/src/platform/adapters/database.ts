import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import type { Database, Tables } from '../ports/index.ts';
import { isSerializationFault } from './postgres/faults.ts';

/** Attempts before a lost transaction is reported. */
const TRIES = 3;

/**
 * The database port over a pool of the serving role.
 * @param onCommit called after each committed write, to trigger readers of the outbox
 * @param onFailure called with the error of each failed write
 */
export function createDatabase(pool: Pool, onCommit: () => void, onFailure: (error: unknown) => void = () => {}): Database {
  const read = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    read,
    pool,
    async write(work) {
      for (let tries = 1; ; tries++) {
        try {
          const result = await read.transaction().execute(work);
          onCommit();
          return result;
        } catch (error) {
          if (tries < TRIES && isSerializationFault(error)) continue;
          onFailure(error);
          throw error;
        }
      }
    },
  };
}
