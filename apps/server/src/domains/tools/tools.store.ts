import { sql } from 'kysely';
import type { tools } from '@highline/contract';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** A run as it is read. */
export interface RunRow extends Row<
  'tool_runs',
  | 'id'
  | 'device_id'
  | 'router_id'
  | 'tool'
  | 'input'
  | 'state'
  | 'result'
  | 'cause'
  | 'message'
  | 'started_by'
  | 'rule_id'
  | 'created_at'
  | 'ended_at'
  | 'file_bytes'
  | 'file_sha256'
> {
  /** Its file is still there. */
  readonly has_file: boolean;
}

export const runColumns = sql`r.id, r.device_id, r.router_id, r.tool, r.input, r.state, r.result, r.cause, r.message, r.started_by, r.rule_id,
  r.created_at, r.ended_at, r.file_bytes, r.file_sha256,
  exists (select from tool_files f where f.organization_id = r.organization_id and f.run_id = r.id) as has_file`;

export interface NewRun {
  readonly id: string;
  readonly deviceId: string;
  readonly routerId: string;
  readonly input: tools.ToolInput;
  readonly by: string;
  readonly now: Date;
  readonly endsBy: Date;
  readonly addressHash: Buffer | null;
  /** The alert rule that runs it. */
  readonly ruleId: string | null;
}

/** Runs of an organization that have not ended: those of rules, or those of people. */
export async function countRunning(tx: Tx, { organizationId }: OrganizationScope, areOfRules: boolean): Promise<number> {
  const { rows } = await sql<{ running: number }>`select count(*)::int as running from tool_runs
    where organization_id = ${organizationId}::uuid and state = 'running' and (rule_id is not null) = ${areOfRules}`.execute(tx);
  return rows[0]!.running;
}

/** @returns whether it was inserted: false while one of its kind runs on the device */
export async function insertRun(tx: Tx, { organizationId }: OrganizationScope, run: NewRun): Promise<boolean> {
  const { numAffectedRows } = await sql`insert into tool_runs
      (organization_id, id, device_id, router_id, tool, input, started_by, created_at, ends_by, address_hash, rule_id)
    values (${organizationId}::uuid, ${run.id}::uuid, ${run.deviceId}::uuid, ${run.routerId}::uuid, ${run.input.tool},
      ${JSON.stringify(run.input)}::jsonb, ${run.by}, ${run.now}::timestamptz, ${run.endsBy}::timestamptz, ${run.addressHash}::bytea,
      ${run.ruleId}::uuid)
    on conflict (organization_id, device_id, tool) where state = 'running' do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

/** What a router sent for a run of the organization, or undefined. */
export async function findFile(
  tx: Tx,
  { organizationId }: OrganizationScope,
  runId: string,
): Promise<Row<'tool_files', 'contents'> | undefined> {
  const { rows } = await sql<Row<'tool_files', 'contents'>>`select contents from tool_files
    where organization_id = ${organizationId}::uuid and run_id = ${runId}::uuid`.execute(tx);
  return rows[0];
}
