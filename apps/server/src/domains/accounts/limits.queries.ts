// Reads tables of other domains: groups.
import { sql } from 'kysely';
import type { accounts } from '@highline/contract';
import type { DeviceLimit, OrganizationScope, Scope } from '../../kernel/scope.ts';
import { natural } from '../../platform/listing/index.ts';
import type { Queries, Row, Tx } from '../../platform/ports/index.ts';

/** The limit of accounts `a`, for `limitOf`; null without one. */
export const limitColumns = `(select json_build_object('organization', l.organization_id, 'tags', l.tags,
    'groups', array(select g.group_key from account_limit_groups g where g.account_id = l.account_id order by g.group_key))
  from account_limits l where l.account_id = a.id) as device_limit`;

/** The column of `limitColumns`. */
export interface LimitRow {
  readonly device_limit: { readonly organization: string; readonly groups: string[]; readonly tags: string[] } | null;
}

/** The limit of an account as calls carry it. */
export function limitOf(accountId: string, { device_limit: limit }: LimitRow): { readonly limit?: DeviceLimit } {
  if (limit === null) return {};
  return { limit: { accountId, organizationId: limit.organization, groups: limit.groups, tags: limit.tags } };
}

/** The limit of accounts `a` as people read it, with the names of its groups; null without one. */
export const namedLimit = sql`(select json_build_object('tags', l.tags, 'groups', coalesce(
    (select json_agg(json_build_object('id', g.key, 'name', g.name) order by ${natural(sql`g.name`)}, g.key)
      from account_limit_groups lg join groups g on g.organization_id = lg.organization_id and g.key = lg.group_key
      where lg.account_id = l.account_id), '[]'))
  from account_limits l where l.account_id = a.id) as named_limit`;

/** The limit of one account, as people read it. */
export async function findLimit(
  queries: Queries,
  { mainAccountId }: Pick<Scope, 'mainAccountId'>,
  accountId: string,
): Promise<accounts.PersonLimit | null> {
  const { rows } = await sql<{ named_limit: accounts.PersonLimit | null }>`select ${namedLimit} from accounts a
    where a.id = ${accountId}::uuid and a.main_account_id = ${mainAccountId}::uuid`.execute(queries);
  return rows[0]?.named_limit ?? null;
}

/** Groups of an organization, with their names. */
export async function findGroupNames(
  queries: Queries,
  { organizationId }: Pick<OrganizationScope, 'organizationId'>,
  keys: readonly string[],
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`select g.key as id, g.name from groups g
    where g.organization_id = ${organizationId}::uuid and g.key = any (${[...keys]}::text[]) order by ${natural(sql`g.name`)}, g.key`.execute(
    queries,
  );
  return rows;
}

/** Groups of an organization by their keys, locked until the transaction ends. */
export async function lockNamedGroups(
  tx: Tx,
  { organizationId }: OrganizationScope,
  keys: readonly string[],
): Promise<Row<'groups', 'key' | 'name'>[]> {
  const { rows } = await sql<Row<'groups', 'key' | 'name'>>`select g.key, g.name from groups g
    where g.organization_id = ${organizationId}::uuid and g.key = any (${[...keys]}::text[]) order by g.key for key share`.execute(
    tx,
  );
  return rows;
}
