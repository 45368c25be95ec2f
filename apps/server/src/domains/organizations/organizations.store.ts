import type { Queries, Tx } from '../../ports/database.ts';
import type { MainScope, Scope } from '../../scope.ts';

export interface OrganizationRecord {
  readonly id: string;
  readonly name: string;
  readonly phone: string;
  readonly address: string;
  readonly description: string;
  readonly tags: string[];
}

export async function insertOrganization(tx: Tx, scope: MainScope, record: OrganizationRecord, now: Date): Promise<void> {
  await tx
    .insertInto('organizations')
    .values({ ...record, main_account_id: scope.mainAccountId, created_at: now, updated_at: now })
    .execute();
}

/** An organization of the scope, or undefined; deleted ones are not found. */
export async function findOrganization(queries: Queries, scope: Scope, id: string): Promise<OrganizationRecord | undefined> {
  if (scope.kind === 'organization' && scope.organizationId !== id) return undefined;
  return queries
    .selectFrom('organizations')
    .select(['id', 'name', 'phone', 'address', 'description', 'tags'])
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}
