import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { sql } from 'kysely';
import { manyOf } from '../../platform/listing/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';

export interface GroupRecord {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Between two reports of its routers; null = as the installation sets. */
  readonly report_seconds: number | null;
}

/** A group locked for a change, with the values of its entity tag. */
export interface LockedGroup extends GroupRecord {
  readonly version: number;
  /** Active bindings. */
  readonly firmware: { readonly id: string } | null;
  readonly config: { readonly id: string } | null;
}

/** @returns false when the organization has a group of this name */
export async function insertGroup(tx: Tx, scope: OrganizationScope, group: GroupRecord, now: Date): Promise<boolean> {
  const made = await tx
    .insertInto('groups')
    .values({ organization_id: scope.organizationId, ...group, tags: [...group.tags], created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .execute();
  return made.length === 1;
}

/** A group of the organization, or undefined. Within a transaction the group is also locked against deletion. */
export async function findGroup(queries: Queries, scope: OrganizationScope, key: string): Promise<GroupRecord | undefined> {
  if (key.includes('\0')) return undefined;
  const query = queries
    .selectFrom('groups')
    .select(['key', 'name', 'description', 'tags', 'report_seconds'])
    .where('organization_id', '=', scope.organizationId)
    .where('key', '=', key);
  return (queries.isTransaction ? query.forKeyShare() : query).executeTakeFirst();
}

/** All groups of the organization by name. Within a transaction they are also locked against deletion. */
export async function listGroupNames(queries: Queries, scope: OrganizationScope): Promise<{ key: string; name: string }[]> {
  const query = queries
    .selectFrom('groups')
    .select(['key', 'name'])
    .where('organization_id', '=', scope.organizationId)
    .orderBy('key');
  return (queries.isTransaction ? query.forKeyShare() : query).execute();
}

/** Which of these are groups of the organization. */
export async function findGroups(queries: Queries, scope: OrganizationScope, keys: readonly string[]): Promise<string[]> {
  const rows = await queries
    .selectFrom('groups')
    .select('key')
    .where('organization_id', '=', scope.organizationId)
    .where('key', 'in', manyOf(keys, 'text'))
    .execute();
  return rows.map(({ key }) => key);
}

/**
 * Lock groups until the transaction ends: none is deleted, and no binding is written meanwhile. Lock a group before devices leave
 * it, so that a concurrent binding sees them either before or after the change.
 */
export async function lockGroups(tx: Tx, scope: OrganizationScope, keys: readonly string[]): Promise<void> {
  await tx
    .selectFrom('groups')
    .select('key')
    .where('organization_id', '=', scope.organizationId)
    .where('key', 'in', [...keys])
    .orderBy('key')
    .forKeyShare()
    .execute();
}

/** Lock a group for a change: a concurrent save waits, and then sees another version. */
export async function lockGroupForNoKeyUpdate(tx: Tx, scope: OrganizationScope, key: string): Promise<LockedGroup | undefined> {
  const locked = await tx
    .selectFrom('groups')
    .select(['key', 'name', 'description', 'tags', 'report_seconds', 'version'])
    .where('organization_id', '=', scope.organizationId)
    .where('key', '=', key)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (locked === undefined) return undefined;
  // Read after the lock: bindings written while we waited count.
  const bound = await tx
    .selectFrom('bindings')
    .select(['id', 'kind'])
    .where('organization_id', '=', scope.organizationId)
    .where('group_key', '=', key)
    .where('ended_at', 'is', null)
    .execute();
  const of = (kind: string) => bound.find((binding) => binding.kind === kind) ?? null;
  return { ...locked, firmware: of('firmware'), config: of('config') };
}

/** Lock groups that are about to be deleted, in the order of their keys. */
export async function lockGroupsForDeletion(tx: Tx, scope: OrganizationScope, keys: readonly string[]): Promise<GroupRecord[]> {
  return tx
    .selectFrom('groups')
    .select(['key', 'name', 'description', 'tags', 'report_seconds'])
    .where('organization_id', '=', scope.organizationId)
    .where('key', 'in', manyOf(keys, 'text'))
    .orderBy('key')
    .forUpdate()
    .execute();
}

/** The user-editable fields of a group. */
export type EditableGroup = Pick<GroupRecord, 'name' | 'description' | 'tags' | 'report_seconds'>;

/** Write the changed columns, if any, and increment the version. @returns false when another group has the name */
export async function updateGroup(
  tx: Tx,
  scope: OrganizationScope,
  key: string,
  { tags, ...texts }: Partial<EditableGroup>,
  now: Date,
): Promise<boolean> {
  const changes = { ...texts, ...(tags === undefined ? {} : { tags: [...tags] }) };
  try {
    await tx
      .updateTable('groups')
      .set((row) => ({ ...changes, updated_at: now, version: row('version', '+', 1) }))
      .where('organization_id', '=', scope.organizationId)
      .where('key', '=', key)
      .execute();
    return true;
  } catch (error) {
    if ((error as { constraint?: string }).constraint?.startsWith('groups_by_name') === true) return false;
    throw error;
  }
}

/** Delete groups that no device refers to; archived devices are first moved to the default group. */
export async function removeGroups(tx: Tx, scope: OrganizationScope, keys: readonly string[]): Promise<void> {
  await sql`update devices d set group_key = ${DEFAULT_GROUP_KEY}
    where d.organization_id = ${scope.organizationId}::uuid and d.group_key in ${manyOf(keys, 'text')}
      and d.archived_at is not null`.execute(tx);
  await tx
    .deleteFrom('groups')
    .where('organization_id', '=', scope.organizationId)
    .where('key', 'in', manyOf(keys, 'text'))
    .execute();
}
