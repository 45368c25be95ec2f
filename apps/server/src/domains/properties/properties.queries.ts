// Reads tables of other domains: devices.
import { sql } from 'kysely';
import { isId, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';

/** The device of a call. */
export interface PropertyDevice {
  readonly deviceId: string;
  readonly organizationId: string;
  readonly serial: string;
}

const isOwn = (scope: Scope) =>
  scope.kind === 'organization'
    ? sql`d.main_account_id = ${scope.mainAccountId}::uuid and d.organization_id = ${scope.organizationId}::uuid`
    : sql`d.main_account_id = ${scope.mainAccountId}::uuid`;

/** A living device of the scope; undefined for a foreign id as for a malformed one. */
export async function findPropertyDevice(queries: Queries, scope: Scope, deviceId: string): Promise<PropertyDevice | undefined> {
  if (!isId(deviceId)) return undefined;
  const { rows } =
    await sql<PropertyDevice>`select d.id as "deviceId", d.organization_id as "organizationId", d.serial from devices d
    where ${isOwn(scope)} and d.id = ${deviceId}::uuid and d.archived_at is null`.execute(queries);
  return rows[0];
}

/** The same, locked: until the transaction ends it stays in its organization, and its values do not change. */
export async function lockTarget(tx: Tx, scope: OrganizationScope, deviceId: string): Promise<PropertyDevice | undefined> {
  if (!isId(deviceId)) return undefined;
  const { rows } =
    await sql<PropertyDevice>`select d.id as "deviceId", d.organization_id as "organizationId", d.serial from devices d
    where ${isOwn(scope)} and d.id = ${deviceId}::uuid and d.archived_at is null for no key update`.execute(tx);
  return rows[0];
}
