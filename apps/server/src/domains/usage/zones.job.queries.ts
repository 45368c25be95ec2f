import { sql } from 'kysely';
import type { Queries } from '../../platform/ports/database.ts';
import { plannedOnce } from '../../platform/ports/planned-once.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** A zone, and from when on the days of an organization are in it; epoch milliseconds. */
export interface ZonedFrom {
  readonly from: number;
  readonly zone: string;
}

/** The zones of organizations in the order of time; before the first, and without any, days are of UTC. */
export async function zonesOf(queries: Queries, organizations: readonly string[]): Promise<ReadonlyMap<string, ZonedFrom[]>> {
  if (organizations.length === 0) return new Map();
  const { rows } = await sql<
    Row<'usage_zones', 'organization_id' | 'from_at' | 'zone'>
  >`${plannedOnce}select organization_id, from_at, zone
    from usage_zones where organization_id = any (${[...organizations]}::uuid[]) order by from_at`.execute(queries);
  return new Map(
    Array.from(
      Map.groupBy(rows, (row) => row.organization_id),
      ([id, zones]): [string, ZonedFrom[]] => [id, zones.map((row) => ({ from: row.from_at.getTime(), zone: row.zone }))],
    ),
  );
}

/** The zone that the days of an organization are in at a time (epoch milliseconds). */
export async function zoneAt(
  queries: Queries,
  organizations: readonly string[],
): Promise<(organizationId: string, at: number) => string> {
  const zones = await zonesOf(queries, [...new Set(organizations)]);
  return (organizationId, at) => zones.get(organizationId)?.findLast(({ from }) => from <= at)?.zone ?? 'UTC';
}

/** Whether the database knows a time zone by this name. */
export async function isKnownZone(queries: Queries, zone: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where name = ${zone}`.execute(queries);
  return rows.length > 0;
}
