import { sql } from 'kysely';
import type { Database } from '../../ports/database.ts';

const BATCH = 5_000;
const DAY_MS = 86_400_000;

/** Forget what happened to routers longer ago than time series are kept. A job; cut off, it goes on at its next turn. @returns how many */
export async function purgeRouterEvents(database: Database, days: number, now: Date): Promise<number> {
  const before = new Date(now.getTime() - days * DAY_MS);
  for (let purged = 0; ;) {
    const { numAffectedRows = 0n } = await database.write((tx) =>
      sql`delete from router_events where id in (
        select id from router_events where at < ${before}::timestamptz limit ${BATCH})`.execute(tx),
    );
    purged += Number(numAffectedRows);
    if (numAffectedRows < BATCH) return purged;
  }
}
