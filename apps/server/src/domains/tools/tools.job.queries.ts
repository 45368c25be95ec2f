// Reads tables of other domains: routers.
// Statements of jobs, across organizations.
import { sql } from 'kysely';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** Runs whose end was not reported in time. */
export async function overdueRuns(queries: Queries, now: Date, most: number): Promise<Row<'tool_runs', 'id'>[]> {
  const { rows } = await sql<Row<'tool_runs', 'id'>>`select id from tool_runs where state = 'running'
    and ends_by < ${now}::timestamptz order by ends_by limit ${most}`.execute(queries);
  return rows;
}

/** How far the clock of an uptime in whole seconds may be off. */
const UPTIME_BLUR = sql`interval '10 seconds'`;

/**
 * Runs whose router has started since, as its Boot! event said before a time: it would have reported their end by now. A delayed event
 * of an earlier start is recognized by the uptime.
 */
export async function interruptedRuns(queries: Queries, before: Date, most: number): Promise<Row<'tool_runs', 'id'>[]> {
  const { rows } = await sql<Row<'tool_runs', 'id'>>`select t.id from tool_runs t join routers r on r.id = t.router_id
    where t.state = 'running' and (r.reported ->> 'boot_heard_at')::timestamptz between t.created_at and ${before}::timestamptz
      and coalesce((r.reported ->> 'booted_at')::timestamptz >= t.created_at - ${UPTIME_BLUR}, true)
    limit ${most}`.execute(queries);
  return rows;
}

/** Delete files from before a time (retention). */
export function deleteOldFiles(tx: Tx, before: Date, most: number) {
  return sql`delete from tool_files where (organization_id, run_id) in (
    select organization_id, run_id from tool_files where created_at < ${before}::timestamptz limit ${most})`.execute(tx);
}

/** Delete runs from before a time (retention). */
export function deleteOldRuns(tx: Tx, before: Date, most: number) {
  return sql`delete from tool_runs where (organization_id, id) in (
    select organization_id, id from tool_runs where created_at < ${before}::timestamptz limit ${most})`.execute(tx);
}
