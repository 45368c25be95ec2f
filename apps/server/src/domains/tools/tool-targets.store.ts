import { sql } from 'kysely';
import type { tools } from '@highline/contract';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';
import { anyTarget } from './tool-targets.ts';

/** Which addresses the routers of an organization may test. */
export async function readTargets(queries: Queries, { organizationId }: OrganizationScope): Promise<tools.ToolTargets> {
  const { rows } = await sql<Row<'tool_targets', 'allow' | 'ranges'>>`select allow, ranges from tool_targets
    where organization_id = ${organizationId}::uuid`.execute(queries);
  return rows[0] ?? anyTarget;
}

export async function saveTargets(
  tx: Tx,
  { organizationId }: OrganizationScope,
  { allow, ranges }: tools.ToolTargets,
): Promise<void> {
  await sql`insert into tool_targets (organization_id, allow, ranges) values (${organizationId}::uuid, ${allow}, ${ranges}::text[])
    on conflict (organization_id) do update set allow = excluded.allow, ranges = excluded.ranges`.execute(tx);
}
