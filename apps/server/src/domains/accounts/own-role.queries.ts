// Reads tables of other domains: own_role_groups, own_roles.
import type { accounts } from '@highline/contract';
import { sql } from 'kysely';
import type { OwnRole, Scope } from '../../kernel/scope.ts';
import type { Queries } from '../../platform/ports/database.ts';

/** The own role of accounts `a`, for `standingOf` and `limitOf`; null without one. */
export const ownRoleColumns = `(select json_build_object('id', r.id, 'name', r.name, 'rights', r.rights, 'limit',
    case when r.limit_tags is not null then json_build_object('organization', r.organization_id, 'tags', r.limit_tags,
      'groups', array(select g.group_key from own_role_groups g where g.role_id = r.id order by g.group_key)) end)
  from account_own_roles h join own_roles r on r.id = h.role_id where h.account_id = a.id) as own_role`;

/** What a limit names, as it is stored. */
export interface StoredLimit {
  readonly organization: string;
  readonly groups: string[];
  readonly tags: string[];
}

/** The column of `ownRoleColumns`. */
export interface OwnRoleRow {
  readonly own_role: (OwnRole & { readonly limit: StoredLimit | null }) | null;
}

/** The own role of accounts `a` as people read it; null without one. */
export const namedOwnRole = sql`(select json_build_object('id', r.id, 'name', r.name, 'rights', r.rights)
  from account_own_roles h join own_roles r on r.id = h.role_id where h.account_id = a.id) as named_own_role`;

/** The own role of one account, as people read it. */
export async function findOwnRole(
  queries: Queries,
  { mainAccountId }: Pick<Scope, 'mainAccountId'>,
  accountId: string,
): Promise<accounts.HeldRole | null> {
  const { rows } = await sql<{ named_own_role: accounts.HeldRole | null }>`select ${namedOwnRole} from accounts a
    where a.id = ${accountId}::uuid and a.main_account_id = ${mainAccountId}::uuid`.execute(queries);
  return rows[0]?.named_own_role ?? null;
}
