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

/** Delete files from before a time (retention). @returns how many */
export async function deleteOldFiles(tx: Tx, before: Date, most: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from tool_files where (organization_id, run_id) in (
    select organization_id, run_id from tool_files where created_at < ${before}::timestamptz limit ${most})`.execute(tx);
  return Number(numAffectedRows);
}

/** Delete runs from before a time (retention). @returns how many */
export async function deleteOldRuns(tx: Tx, before: Date, most: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from tool_runs where (organization_id, id) in (
    select organization_id, id from tool_runs where created_at < ${before}::timestamptz limit ${most})`.execute(tx);
  return Number(numAffectedRows);
}
