// Reads tables of other domains: organizations.
// For routers and jobs, which have no scope.
import { sql } from 'kysely';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';
import { measure } from './tool-result.ts';
import type { RunEnd } from './tool-run.ts';

/** The device of a run, and where its change is announced. */
export interface EndedRun extends Row<'tool_runs', 'organization_id' | 'device_id'>, Row<'organizations', 'main_account_id'> {}

/** End a run that runs, once. @param routerId the router that reports it; undefined = we end it */
export async function endRun(
  tx: Tx,
  id: string,
  routerId: string | undefined,
  end: RunEnd,
  now: Date,
): Promise<EndedRun | undefined> {
  const [result, failure] = 'result' in end ? [JSON.stringify(end.result), undefined] : [null, end.failure];
  const measured = 'result' in end ? measure(end.result) : undefined;
  const { rows } = await sql<EndedRun>`update tool_runs r
    set state = ${failure === undefined ? 'done' : 'failed'}, result = ${result}::jsonb, cause = ${failure?.cause ?? null},
      message = ${failure?.message ?? null}, ended_at = ${now}::timestamptz, has_passed = ${measured?.hasPassed ?? null},
      milliseconds = ${measured?.milliseconds ?? null}::float8
    from organizations o where o.id = r.organization_id and r.id = ${id}::uuid and r.state = 'running'
      and (${routerId ?? null}::uuid is null or r.router_id = ${routerId ?? null}::uuid)
    returning r.organization_id, r.device_id, o.main_account_id`.execute(tx);
  return rows[0];
}

/** The tool of a run of a router that has not ended. */
export async function findRunning(
  queries: Queries,
  routerId: string,
  id: string,
): Promise<Row<'tool_runs', 'tool' | 'file_sha256'> | undefined> {
  const { rows } = await sql<Row<'tool_runs', 'tool' | 'file_sha256'>>`select tool, file_sha256 from tool_runs
    where id = ${id}::uuid and router_id = ${routerId}::uuid and state = 'running'`.execute(queries);
  return rows[0];
}
