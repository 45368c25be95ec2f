import { sql } from 'kysely';
import type { Database } from '../../../platform/ports/database.ts';

const BATCH = 5_000;
const DAY_MS = 86_400_000;

/**
 * A job: delete router events and changed facts that are older than the time series are kept. After an interruption the next run
 * continues. @returns how many
 */
export async function purgeRouterEvents(database: Database, days: number, now: Date): Promise<number> {
  const before = new Date(now.getTime() - days * DAY_MS);
  return (await purge(database, 'router_events', before)) + (await purge(database, 'router_facts', before));
}

async function purge(database: Database, table: 'router_events' | 'router_facts', before: Date): Promise<number> {
  const rows = sql.table(table);
  for (let purged = 0; ;) {
    const { numAffectedRows = 0n } = await database.write((tx) =>
      sql`delete from ${rows} where id in (
        select id from ${rows} where at < ${before}::timestamptz limit ${BATCH})`.execute(tx),
    );
    purged += Number(numAffectedRows);
    if (numAffectedRows < BATCH) return purged;
  }
}
