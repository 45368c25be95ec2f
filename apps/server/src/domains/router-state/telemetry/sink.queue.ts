import { sql } from 'kysely';
import type { Database, Queries } from '../../../platform/ports/database.ts';
import type { SinkBatch } from './sink.records.ts';
import type { Row } from '../../../platform/ports/tables.ts';

/** Reports in memory at a time, and one batch more. */
const MOST_REPORTS = 4_000;
const MOST_BATCHES = 100;
const PURGED_AT_ONCE = 50;

/** What waits to be copied. Only the process with the lease sends; a process that ended leaves it to the next. */
export function createSinkQueue(database: Database, node: string, leaseMs: number) {
  const lease = `${leaseMs} milliseconds`;
  return {
    /** Take or renew the lease. @returns false while another process has it */
    async takeLease(): Promise<boolean> {
      const { numAffectedRows = 0n } = await database.write((tx) =>
        sql`update telemetry_sink set node = ${node}, lease_until = clock_timestamp() + ${lease}::interval
          where node = ${node} or lease_until < clock_timestamp()`.execute(tx),
      );
      return numAffectedRows > 0n;
    },

    async endLease(): Promise<void> {
      await database.write((tx) => sql`update telemetry_sink set lease_until = '-infinity' where node = ${node}`.execute(tx));
    },

    /** The oldest batches. */
    async next(): Promise<readonly SinkBatch[]> {
      const { rows } = await sql<SinkBatch>`with oldest as (
          select id, reports from telemetry_sink_batches order by id limit ${MOST_BATCHES}
        ), added as (select id, reports, sum(reports) over (order by id) as total from oldest)
        select b.id, b.created_at, b.reports, b.payload from added a join telemetry_sink_batches b on b.id = a.id
        where a.total - a.reports < ${MOST_REPORTS} order by b.id`.execute(database.read);
      return rows;
    },

    /** Seconds since the oldest batch was stored; 0 = nothing waits. */
    async lagSeconds(): Promise<number> {
      const { rows } = await sql<{ lag: number }>`select extract(epoch from clock_timestamp() - b.created_at)::float8 as lag
        from telemetry_sink_batches b order by b.id limit 1`.execute(database.read);
      return Math.max(0, rows[0]?.lag ?? 0);
    },

    /** Delete confirmed batches: what is left is what the sink does not have. */
    async confirm(ids: readonly string[]): Promise<void> {
      await database.write((tx) => sql`delete from telemetry_sink_batches where id = any (${[...ids]}::uuid[])`.execute(tx));
    },

    purge: (before: Date) => purgeWaiting(database, before),
  };
}

/** Delete batches of before a time. @returns how many reports were in them */
export async function purgeWaiting(database: Database, before: Date): Promise<number> {
  for (let lost = 0; ;) {
    const reports = await database.write((tx) => purgeSome(tx, before));
    if (reports === undefined) return lost;
    lost += reports;
  }
}

async function purgeSome(tx: Queries, before: Date): Promise<number | undefined> {
  const { rows } = await sql<Row<'telemetry_sink_batches', 'reports'>>`delete from telemetry_sink_batches where id in (
      select id from (select id, created_at from telemetry_sink_batches order by id limit ${PURGED_AT_ONCE}) b
      where b.created_at < ${before}::timestamptz)
    returning reports`.execute(tx);
  return rows.length === 0 ? undefined : rows.reduce((sum, row) => sum + row.reports, 0);
}
