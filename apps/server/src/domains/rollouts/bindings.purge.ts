import { sql } from 'kysely';
import type { Database } from '../../platform/ports/database.ts';

const KEPT_DAYS = 90;
const BATCH = 2_000;

/**
 * A job: delete bindings of every organization that ended at least 90 days ago. The log keeps who bound what. @returns how many
 */
export async function purgeEndedBindings(database: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  const { numAffectedRows = 0n } = await database.write((tx) =>
    sql`delete from bindings where id in (
      select id from bindings where ended_at < ${before}::timestamptz limit ${BATCH})`.execute(tx),
  );
  return Number(numAffectedRows);
}
