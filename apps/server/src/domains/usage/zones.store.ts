import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Tx } from '../../platform/ports/database.ts';

/** Whether anything that the organization used has been counted. */
export async function hasUse(tx: Tx, { organizationId }: OrganizationScope): Promise<boolean> {
  const { rows } = await sql`select from usage_days where organization_id = ${organizationId}::uuid limit 1`.execute(tx);
  return rows.length > 0;
}

/** Have the days of the organization in a zone from a time on, instead of one that was chosen for later. */
export async function storeZone(
  tx: Tx,
  { organizationId }: OrganizationScope,
  zone: string,
  from: Date,
  now: Date,
): Promise<void> {
  await sql`delete from usage_zones where organization_id = ${organizationId}::uuid and (from_at > ${now}::timestamptz or from_at >= ${from}::timestamptz)`.execute(
    tx,
  );
  await sql`insert into usage_zones (organization_id, from_at, zone) values (${organizationId}::uuid, ${from}::timestamptz, ${zone})`.execute(
    tx,
  );
}
