import type { OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';

/** End every key of an organization that is being deleted. */
export async function revokeKeysOf(tx: Tx, scope: OrganizationScope, now: Date): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('organization_id', '=', scope.organizationId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** The groups of a new key that is limited; they are locked. */
export async function insertGroups(
  tx: Tx,
  { organizationId: organization_id }: OrganizationScope,
  key_id: string,
  keys: readonly string[],
): Promise<void> {
  const groups = keys.map((group_key) => ({ key_id, organization_id, group_key }));
  await tx.insertInto('api_key_groups').values(groups).execute();
}
