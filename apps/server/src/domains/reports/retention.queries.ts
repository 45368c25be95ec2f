// Reads tables of other domains: organizations.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Reader } from '../../platform/listing/index.ts';

/** Days that the readings and the history of an organization are kept. @param installationDays the most (TELEMETRY_DAYS) */
export async function readKeptDays(reader: Reader, scope: OrganizationScope, installationDays: number): Promise<number> {
  const [row] = await reader.rows<{ days: number | null }>(sql`select o.retention_days as days from organizations o
    where o.main_account_id = ${scope.mainAccountId}::uuid and o.id = ${scope.organizationId}::uuid`);
  return Math.min(row?.days ?? installationDays, installationDays);
}
