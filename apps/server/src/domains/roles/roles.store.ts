import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** Replace the groups that a role is limited to; they are locked. */
export async function replaceGroups(tx: Tx, scope: Scope, role_id: string, keys: readonly string[]): Promise<void> {
  await tx.deleteFrom('own_role_groups').where('role_id', '=', role_id).execute();
  if (scope.kind === 'main' || keys.length === 0) return;
  const groups = keys.map((group_key) => ({ role_id, organization_id: scope.organizationId, group_key }));
  await tx.insertInto('own_role_groups').values(groups).execute();
}

/** A role that someone gets. */
export type GivenRole = Row<'own_roles', 'id' | 'name' | 'rights' | 'limit_tags'>;

/** A role that someone gets, of this very owner; it cannot be deleted until the transaction ends. Undefined also for one of another owner. */
export async function lockToGive(
  tx: Tx,
  { mainAccountId }: Pick<Scope, 'mainAccountId'>,
  organizationId: string | null,
  id: string,
): Promise<GivenRole | undefined> {
  const { rows } = await sql<GivenRole>`select id, name, rights, limit_tags from own_roles
    where id = ${id}::uuid and main_account_id = ${mainAccountId}::uuid and organization_id is not distinct from ${organizationId}::uuid
    for share`.execute(tx);
  return rows[0];
}
