import type { Queries, Tx } from '../../ports/database.ts';
import type { OrganizationScope } from '../../scope.ts';

export interface GroupRecord {
  readonly key: string;
  readonly name: string;
  readonly description: string;
}

export async function insertGroup(tx: Tx, scope: OrganizationScope, group: GroupRecord, now: Date): Promise<void> {
  await tx
    .insertInto('groups')
    .values({ organization_id: scope.organizationId, ...group, created_at: now, updated_at: now })
    .execute();
}

/** A group of the organization, or undefined; within a transaction also kept from being deleted until its end. */
export async function findGroup(queries: Queries, scope: OrganizationScope, key: string): Promise<GroupRecord | undefined> {
  if (key.includes('\0')) return undefined;
  const query = queries
    .selectFrom('groups')
    .select(['key', 'name', 'description'])
    .where('organization_id', '=', scope.organizationId)
    .where('key', '=', key);
  return (queries.isTransaction ? query.forKeyShare() : query).executeTakeFirst();
}
