import { sql } from 'kysely';
import type { Database, Tx, Row } from '../../platform/ports/index.ts';
import type { MainScope, OrganizationScope } from '../../kernel/scope.ts';

export type OrganizationRecord = Row<'organizations', 'id' | 'name' | 'phone' | 'address' | 'description' | 'tags'>;

/** @returns false when an organization was created with this request key before */
export async function insertOrganization(
  tx: Tx,
  scope: MainScope,
  record: OrganizationRecord,
  requestKey: string | null,
  now: Date,
): Promise<boolean> {
  const made = await tx
    .insertInto('organizations')
    .values({ ...record, main_account_id: scope.mainAccountId, request_key: requestKey, created_at: now, updated_at: now })
    // The second of two concurrent calls waits here for the first.
    .onConflict((conflict) =>
      conflict.columns(['main_account_id', 'request_key']).where('request_key', 'is not', null).doNothing(),
    )
    .returning('id')
    .execute();
  return made.length === 1;
}

/** The living organization that was created with a request key, by its name and the address of its contact if one is given. */
export async function findRequested(
  tx: Tx,
  scope: MainScope,
  requestKey: string,
  like: { readonly name: string; readonly contact: string | undefined },
): Promise<string | undefined> {
  const { contact } = like;
  const row = await tx
    .selectFrom('organizations as o')
    .select('o.id')
    .where('o.main_account_id', '=', scope.mainAccountId)
    .where('o.request_key', '=', requestKey)
    .where('o.name', '=', like.name)
    .where('o.deleted_at', 'is', null)
    .$if(contact !== undefined, (query) =>
      query.where((where) =>
        where.exists(
          where
            .selectFrom('accounts as a')
            .select('a.id')
            .whereRef('a.organization_id', '=', 'o.id')
            .where('a.email', '=', contact!)
            .where('a.is_contact', '=', true),
        ),
      ),
    )
    .executeTakeFirst();
  return row?.id;
}

/** The user-editable fields of an organization. */
export type EditableOrganization = Pick<OrganizationRecord, 'name' | 'phone' | 'address' | 'tags'> & {
  readonly retention_days: number | null;
};

export interface LockedOrganization extends OrganizationRecord {
  readonly version: number;
  readonly retention_days: number | null;
}

/** Lock a living organization for a change. */
export function lockOrganization(tx: Tx, scope: OrganizationScope): Promise<LockedOrganization | undefined> {
  return lockable(tx, scope).forNoKeyUpdate().executeTakeFirst();
}

/** Lock a living organization that is about to be deleted: a call that adds devices to it waits, and then finds it deleted. */
export function lockOrganizationForDeletion(tx: Tx, scope: OrganizationScope): Promise<LockedOrganization | undefined> {
  return lockable(tx, scope).forUpdate().executeTakeFirst();
}

function lockable(tx: Tx, scope: OrganizationScope) {
  return tx
    .selectFrom('organizations')
    .select(['id', 'name', 'phone', 'address', 'description', 'tags', 'retention_days', 'version'])
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', '=', scope.organizationId)
    .where('deleted_at', 'is', null);
}

/** Write the changed columns and increment the version. */
export async function updateOrganization(
  tx: Tx,
  scope: OrganizationScope,
  changes: Partial<EditableOrganization>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('organizations')
    .set((row) => ({ ...changes, updated_at: now, version: row('version', '+', 1) }))
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', '=', scope.organizationId)
    .execute();
}

/** The row stays for the log. */
export async function markDeleted(tx: Tx, scope: OrganizationScope, now: Date): Promise<void> {
  await tx
    .updateTable('organizations')
    .set({ deleted_at: now })
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', '=', scope.organizationId)
    .execute();
}

/** Devices that are not archived. */
export async function countDevices(tx: Tx, scope: OrganizationScope): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from devices
    where organization_id = ${scope.organizationId}::uuid and archived_at is null`.execute(tx);
  return rows[0]!.count;
}

/** Clear the row of a purged organization. Its name stays: it identifies the audit chain. */
export async function markPurged(tx: Tx, scope: OrganizationScope, now: Date): Promise<void> {
  await tx
    .updateTable('organizations')
    .set({ phone: '', address: '', description: '', tags: [], request_key: null, purged_at: now })
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', '=', scope.organizationId)
    .execute();
}

/** Runs at every call of the main account that names an organization: each connection plans it once. */
const owned = {
  name: 'owned-organization',
  text: 'select 1 from organizations where id = $1 and main_account_id = $2 and ($3 or deleted_at is null)',
} as const;

/** Whether an organization is one of a main account's. @param deletedToo also one that was deleted */
export async function isOwned(
  pool: Database['pool'],
  { mainAccountId }: MainScope,
  organizationId: string,
  deletedToo: boolean,
): Promise<boolean> {
  const { rows } = await pool.query({ ...owned, values: [organizationId, mainAccountId, deletedToo] });
  return rows.length > 0;
}
