import { outages } from '@highline/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/ports/database.ts';
import { deleteInBatches } from '../../../platform/retention/batches.ts';

const BATCH = 5_000;
const DAY_MS = 86_400_000;

/**
 * A job: delete router events and changed facts that are older than the time series are kept. What a router reported last before that time stays, since
 * it holds from then on: the carrier of a router that never changed it is known however old the report is. Carriers stay as long as outages, whose
 * share is of the time in which a router reported them. After an interruption the next run
 * continues. @returns how many
 */
export async function purgeRouterEvents(database: Database, days: number, now: Date): Promise<number> {
  const before = (kept: number) => sql`${new Date(now.getTime() - kept * DAY_MS)}::timestamptz`;
  const isReplaced = sql`exists (select from router_facts n where n.router_id = f.router_id and n.fact = f.fact
    and n.at < case when f.fact = 'carrier' then ${before(Math.max(days, outages.KEPT_OUTAGE_DAYS))} else ${before(days)} end
    and (n.at, n.id) > (f.at, f.id))`;
  const isOrphan = sql`not exists (select from routers r where r.id = f.router_id)`;
  return (
    (await purge(database, sql`router_events`, sql`f.at < ${before(days)}`)) +
    (await purge(database, sql`router_facts`, sql`f.at < ${before(days)} and (${isReplaced} or ${isOrphan})`))
  );
}

function purge(database: Database, table: RawBuilder<unknown>, condition: RawBuilder<unknown>): Promise<number> {
  return deleteInBatches(database, BATCH, (tx) =>
    sql`delete from ${table} where id in (select f.id from ${table} f where ${condition} limit ${BATCH})`.execute(tx),
  );
}
