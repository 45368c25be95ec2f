// Reads tables of other domains: devices.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Queries, Row } from '../../platform/ports/index.ts';

/** Deleted organizations that still have devices; of every main account, for the job. */
export function listInterrupted(queries: Queries): Promise<OrganizationScope[]> {
  return listDeleted(queries, hasDevices);
}

/** Those without devices that were deleted up to a time and are not purged; of every main account, for the job. */
export function listPurgeable(queries: Queries, deletedBefore: Date): Promise<OrganizationScope[]> {
  return listDeleted(queries, sql`o.deleted_at <= ${deletedBefore}::timestamptz and not ${hasDevices}`);
}

const hasDevices = sql`exists (select from devices d where d.organization_id = o.id and d.archived_at is null)`;

/** The longest deleted first. */
async function listDeleted(queries: Queries, which: Fragment): Promise<OrganizationScope[]> {
  const { rows } = await sql<Row<'organizations', 'id' | 'main_account_id'>>`select o.id, o.main_account_id from organizations o
    where o.deleted_at is not null and o.purged_at is null and ${which} order by o.deleted_at, o.id`.execute(queries);
  return rows.map((row) => ({ kind: 'organization', mainAccountId: row.main_account_id, organizationId: row.id }));
}
