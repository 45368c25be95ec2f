import { sql } from 'kysely';
import type { OrganizationScope } from '../../../kernel/scope.ts';
import type { Database, Queries, Tx } from '../../../platform/ports/database.ts';
import { ownIntervals, transferredIntervals, type OwnedInterval } from './owned-intervals.queries.ts';
import { deleteInBatches } from '../../../platform/retention/batches.ts';

const DAY_MS = 86_400_000;
/** Rows in one transaction. */
const BATCH = 5_000;

/** A table with history by (router_id, at). */
interface HistoryTable {
  readonly name: string;
  /**
   * How long a row reaches from its time on: a rollup belongs to each organization that had the router in a part of it. Where a router
   * changed hands within an hour or a day, readers use reports or hours instead.
   */
  readonly reach: string;
}

const tables: readonly HistoryTable[] = [
  { name: 'telemetry_hours', reach: '59 minutes 59.999999 seconds' },
  { name: 'telemetry_days', reach: '23 hours 59 minutes 59.999999 seconds' },
  ...[
    'telemetry_reports',
    'telemetry',
    'connectivity',
    'router_events',
    'router_facts',
    'positions',
    'position_segments',
    'geofence_events',
  ].map((name) => ({
    name,
    reach: '0',
  })),
];

/**
 * Delete the readings and the history of an organization before a time: of the time in which it had a router, and of the time before a
 * transfer for devices that it has now. Partitions are shared, so rows are found by router and time, and deleted in batches. An
 * interrupted call begins again; what is deleted costs it a search in the index.
 */
export async function deleteHistory(database: Database, scope: OrganizationScope, until: Date): Promise<void> {
  for (const batches of [ownIntervals(database.read, scope), transferredIntervals(database.read, scope)])
    for await (const intervals of batches) {
      await divideSegments(database, { intervals, until });
      for (const table of tables) await deleteWithin(database, { table, intervals, until });
    }
}

/** Divide segments of positions at the ends of intervals, so that each belongs to one of them with its first position. */
async function divideSegments(database: Database, expired: Pick<Expired, 'intervals' | 'until'>): Promise<void> {
  const { until } = expired;
  await database.write((tx) =>
    sql`select divide_position_segments(o.router_id, m.moment) from ${intervalsOf(expired)}
      cross join lateral (values (o.owned_from), (least(o.owned_until, ${until}::timestamptz))) m (moment)
      where m.moment <= ${until}::timestamptz`.execute(tx),
  );
}

/** Rows of a table within intervals, before `until`. */
interface Expired {
  readonly table: HistoryTable;
  readonly intervals: readonly OwnedInterval[];
  readonly until: Date;
}

/** Delete rows day by day, so that a transaction deletes from one partition. */
async function deleteWithin(database: Database, expired: Expired): Promise<void> {
  for (let day = await oldestDay(database.read, expired); day !== undefined; day = await oldestDay(database.read, expired)) {
    const of = day;
    await deleteInBatches(database, BATCH, (tx) => deleteOfDay(tx, expired, of));
  }
}

function intervalsOf({ intervals }: Pick<Expired, 'intervals'>) {
  return sql`unnest(${intervals.map((one) => one.router_id)}::uuid[], ${intervals.map((one) => one.owned_from)}::timestamptz[],
    ${intervals.map((one) => one.owned_until)}::timestamptz[]) o (router_id, owned_from, owned_until)`;
}

/** The rows `t` of an interval `o`. */
function within({ table, until }: Expired) {
  return sql`t.router_id = o.router_id and t.at >= o.owned_from - ${sql.lit(table.reach)}::interval
    and t.at < coalesce(o.owned_until, 'infinity') and t.at < ${until}::timestamptz`;
}

async function oldestDay(queries: Queries, expired: Expired): Promise<Date | undefined> {
  const { rows } = await sql<{ day: Date | null }>`select date_trunc('day', min(f.at), 'UTC') as day
    from ${intervalsOf(expired)} cross join lateral (
      select t.at from ${sql.table(expired.table.name)} t where ${within(expired)} order by t.at limit 1) f`.execute(queries);
  return rows[0]!.day ?? undefined;
}

function deleteOfDay(tx: Tx, expired: Expired, day: Date) {
  const table = sql.table(expired.table.name);
  const ofDay = sql`t.at >= ${day}::timestamptz and t.at < ${new Date(day.getTime() + DAY_MS)}::timestamptz`;
  // A row is named by its place in the only partition of that day.
  return sql`delete from ${table} t where ${ofDay} and t.ctid = any (array(
      select f.place from ${intervalsOf(expired)} cross join lateral (
        select t.ctid as place from ${table} t where ${within(expired)} and ${ofDay} limit ${BATCH}) f
      limit ${BATCH}))`.execute(tx);
}
