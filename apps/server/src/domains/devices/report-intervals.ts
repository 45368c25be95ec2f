import { sql } from 'kysely';
import type { Queries } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

/**
 * Seconds between two reports, of the routers whose group sets it. For connected routers, which is why there is no scope.
 * @returns by router; one that is missing reports as often as the installation sets
 */
export async function readReportSeconds(queries: Queries, routerIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<Row<'devices', 'router_id'> & { seconds: number }>`select d.router_id, g.report_seconds as seconds
    from devices d join groups g on g.organization_id = d.organization_id and g.key = d.group_key
    where d.router_id = any (${[...routerIds]}::uuid[]) and d.archived_at is null and g.report_seconds is not null`.execute(
    queries,
  );
  return new Map(rows.map(({ router_id, seconds }) => [router_id, seconds]));
}
