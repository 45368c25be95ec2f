import { sql } from 'kysely';
import type { Tx } from '../ports/database.ts';
import { currentLimit } from './call-steps.ts';

/**
 * What a change of a limited person does for others, such as a call of its programs: within the same transaction it reads and writes the tables
 * themselves. Nothing of it may be in the answer.
 */
export async function withoutLimit<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  if (currentLimit() === undefined) return work();
  await sql`set local search_path = public, pg_temp`.execute(tx);
  // A failed statement has ended the transaction, and with it the setting.
  const result = await work();
  await sql`set local search_path = limited, public, pg_temp`.execute(tx);
  return result;
}
