import { sql } from 'kysely';
import { scim } from '@highline/contract';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** Whether a secret is still valid, until the transaction ends. */
export async function lockSecret(tx: Tx, { organizationId }: OrganizationScope, id: string, now: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('scim_secrets')
    .select('id')
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('expires_at', '>', now)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

export type SecretRow = Row<
  'scim_secrets',
  'id' | 'name' | 'hint' | 'created_by_email' | 'created_at' | 'expires_at' | 'last_used_at' | 'last_used_address'
>;

/** The secrets of an organization, the newest first. */
export function listSecrets(queries: Queries, { organizationId }: OrganizationScope): Promise<SecretRow[]> {
  return queries
    .selectFrom('scim_secrets')
    .select(['id', 'name', 'hint', 'created_by_email', 'created_at', 'expires_at', 'last_used_at', 'last_used_address'])
    .where('organization_id', '=', organizationId)
    .orderBy('id', 'desc')
    .execute();
}

export interface NewSecret {
  readonly id: string;
  readonly name: string;
  readonly hash: Buffer;
  readonly hint: string;
  readonly by: string;
  readonly expiresAt: Date;
}

/** Store a secret as its hash; the organization is locked. @returns false if it has too many */
export async function insertSecret(tx: Tx, scope: OrganizationScope, secret: NewSecret, now: Date): Promise<boolean> {
  const { rows } = await sql`insert into scim_secrets
      (id, main_account_id, organization_id, name, secret_hash, hint, created_by_email, created_at, expires_at)
    select ${secret.id}::uuid, ${scope.mainAccountId}::uuid, ${scope.organizationId}::uuid, ${secret.name}, ${secret.hash}, ${secret.hint},
      ${secret.by}, ${now}::timestamptz, ${secret.expiresAt}::timestamptz
    where (select count(*) from scim_secrets where organization_id = ${scope.organizationId}::uuid) < ${scim.MOST_SECRETS}
    returning id`.execute(tx);
  return rows.length > 0;
}

/** Delete a secret of an organization. @returns its name and hint; undefined if there is none */
export function deleteSecret(
  tx: Tx,
  { organizationId }: OrganizationScope,
  id: string,
): Promise<Pick<SecretRow, 'name' | 'hint'> | undefined> {
  return tx
    .deleteFrom('scim_secrets')
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .returning(['name', 'hint'])
    .executeTakeFirst();
}

export type CallRow = Row<'scim_calls', 'id' | 'at' | 'method' | 'path' | 'status' | 'detail' | 'address'>;

/** Note a call of a directory; of each organization the last ones stay. */
export async function insertCall(tx: Tx, { organizationId }: OrganizationScope, call: CallRow): Promise<void> {
  await tx
    .insertInto('scim_calls')
    .values({ ...call, organization_id: organizationId })
    .execute();
  await sql`delete from scim_calls where organization_id = ${organizationId}::uuid and id < (
    select id from scim_calls where organization_id = ${organizationId}::uuid order by id desc offset ${scim.MOST_CALLS - 1} limit 1)`.execute(
    tx,
  );
}

/** The last calls of a directory, the newest first. */
export function listCalls(queries: Queries, { organizationId }: OrganizationScope): Promise<CallRow[]> {
  return queries
    .selectFrom('scim_calls')
    .select(['id', 'at', 'method', 'path', 'status', 'detail', 'address'])
    .where('organization_id', '=', organizationId)
    .orderBy('id', 'desc')
    .limit(scim.MOST_CALLS)
    .execute();
}

/** What people may do who are in no group with a role. */
export async function findSettings(
  queries: Queries,
  { organizationId }: OrganizationScope,
): Promise<Row<'scim_settings', 'default_role' | 'version'>> {
  const row = await queries
    .selectFrom('scim_settings')
    .select(['default_role', 'version'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row ?? { default_role: 'user', version: 0 };
}

/** Replace the settings of a locked organization. */
export async function putSettings(
  tx: Tx,
  { organizationId: organization_id, mainAccountId: main_account_id }: OrganizationScope,
  { defaultRole: default_role, version }: { readonly defaultRole: 'user' | 'none'; readonly version: number },
  now: Date,
): Promise<void> {
  const values = { default_role, version, updated_at: now };
  await tx
    .insertInto('scim_settings')
    .values({ organization_id, main_account_id, ...values })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
    .execute();
}

/** Delete what belongs to the directory of an organization that is being deleted: no one calls in its name, and nothing follows from its groups. */
export async function removeDirectoryOf(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  for (const table of ['scim_secrets', 'scim_settings', 'scim_groups', 'scim_calls', 'scim_users'] as const)
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await tx.deleteFrom(table).where('organization_id', '=', organizationId).execute();
}
