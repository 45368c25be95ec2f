import type { Database, Tx } from '../ports/database.ts';

/** What a statement says that deletes rows. */
interface Deleted {
  readonly numAffectedRows?: bigint | undefined;
}

/**
 * Repeat a deletion of at most `batch` rows, each in a transaction of its own, until there are fewer. After an interruption the next run of a job
 * continues.
 * @returns how many rows were deleted
 */
export async function deleteInBatches(
  database: Pick<Database, 'write'>,
  batch: number,
  remove: (tx: Tx) => Promise<Deleted>,
): Promise<number> {
  for (let deleted = 0; ;) {
    const { numAffectedRows = 0n } = await database.write(remove);
    deleted += Number(numAffectedRows);
    if (numAffectedRows < batch) return deleted;
  }
}
