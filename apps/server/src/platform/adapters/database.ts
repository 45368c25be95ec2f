import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import type { Database, Tables, Tx } from '../ports/index.ts';
import { hasAnnounced } from '../outbox/announced.ts';
import { onPrimary, type ReadSource } from '../ports/read-source.ts';
import { isSerializationFault } from './postgres/faults.ts';
import type { ReplicaReads } from './replica-reads.ts';

/** Attempts before a lost transaction is reported. */
const TRIES = 3;

/**
 * The database port over a pool of the serving role.
 * @param onCommit called after each committed write that the outbox announces, to trigger its readers
 * @param onFailure called with the error of each failed write
 * @param replica where lists may be read; without it, from the same pool
 * @param beforeCommit the last step of each write; an error rolls it back
 * @param first the first step of each write; an error rolls it back
 */
export function createDatabase(
  pool: Pool,
  onCommit: () => void,
  onFailure: (error: unknown) => void = () => {},
  replica?: Pick<ReplicaReads, 'source' | 'noteWrite'>,
  beforeCommit?: (tx: Tx) => Promise<void>,
  first?: (tx: Tx) => Promise<void>,
): Database {
  const read = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    read,
    pool,
    lists: repeatingLost(replica?.source ?? onPrimary(pool)),
    async write(work) {
      for (let tries = 1; ; tries++) {
        try {
          let isAnnounced = false;
          const result = await read.transaction().execute(async (tx) => {
            await first?.(tx);
            const worked = await work(tx);
            await beforeCommit?.(tx);
            isAnnounced = hasAnnounced(tx);
            return worked;
          });
          replica?.noteWrite();
          if (isAnnounced) onCommit();
          return result;
        } catch (error) {
          if (tries < TRIES && isSerializationFault(error)) continue;
          // It may have been committed before the connection was lost.
          replica?.noteWrite();
          onFailure(error);
          throw error;
        }
      }
    },
  };
}

/** Reads have no effects: one that lost a deadlock to a change of its tables is repeated once, on a new snapshot. */
function repeatingLost(source: ReadSource): ReadSource {
  return {
    name: () => source.name(),
    async run(work) {
      try {
        return await source.run(work);
      } catch (error) {
        if (!isSerializationFault(error)) throw error;
        return source.run(work);
      }
    },
  };
}
