import { sentCommands } from '@highline/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/ports/database.ts';
import { deleteInBatches } from '../../platform/retention/batches.ts';

const BATCH = 10_000;

/** A job of the clock: delete commands that ended 90 days ago. */
export async function purgeSentCommands(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - sentCommands.SENT_DAYS * 86_400_000);
  await deleteInBatches(database, BATCH, (tx) =>
    sql`delete from sent_commands where id in (
      select id from sent_commands where ended_at < ${before}::timestamptz order by ended_at limit ${BATCH})`.execute(tx),
  );
}
