import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Tx } from '../../platform/ports/database.ts';

/** Replace the limit of a locked account; null ends it. Its groups are locked. */
export async function replaceLimit(
  tx: Tx,
  { organizationId: organization_id }: OrganizationScope,
  account_id: string,
  limit: { readonly groups: readonly string[]; readonly tags: readonly string[] } | null,
  now: Date,
): Promise<void> {
  await tx.deleteFrom('account_limits').where('account_id', '=', account_id).execute();
  if (limit === null) return;
  const row = { account_id, organization_id, tags: [...limit.tags], updated_at: now };
  await tx.insertInto('account_limits').values(row).execute();
  if (limit.groups.length === 0) return;
  const groups = limit.groups.map((group_key) => ({ account_id, organization_id, group_key }));
  await tx.insertInto('account_limit_groups').values(groups).execute();
}
