import { sql } from 'kysely';
import type { Database, Tx } from '../ports/database.ts';

/** @returns false when the result of this call is recorded already */
export async function markRecorded(tx: Tx, id: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('recorded_calls')
    .values({ id })
    .onConflict((existing) => existing.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** Longer than any call takes. */
const KEPT = sql`interval '10 minutes'`;

/** Delete marks of calls that are over. */
export async function purgeRecordedCalls(database: Database): Promise<void> {
  await database.write((tx) => sql`delete from recorded_calls where recorded_at < now() - ${KEPT}`.execute(tx));
}
