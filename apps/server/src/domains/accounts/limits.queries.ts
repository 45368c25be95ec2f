// Reads tables of other domains: devices, groups.
import { sql } from 'kysely';
import type { accounts } from '@highline/contract';
import type { Actor, DeviceLimit, OrganizationScope, Scope } from '../../kernel/scope.ts';
import type { OwnRoleRow, StoredLimit } from './own-role.queries.ts';
import { natural, type Fragment } from '../../platform/listing/index.ts';
import type { Queries, Row, Tx } from '../../platform/ports/index.ts';

/** The limit of accounts `a`, for `limitOf`; null without one. */
export const limitColumns = `(select json_build_object('organization', l.organization_id, 'tags', l.tags,
    'groups', array(select g.group_key from account_limit_groups g where g.account_id = l.account_id order by g.group_key))
  from account_limits l where l.account_id = a.id) as device_limit`;

/** The column of `limitColumns`. */
export interface LimitRow {
  readonly device_limit: StoredLimit | null;
}

/** The limit of an account as calls carry it: of what it, its own role and its API key (`also`) are limited to, what all of them name. */
export function limitOf(
  accountId: string,
  { device_limit: limit, own_role: ownRole }: LimitRow & OwnRoleRow,
  also: StoredLimit | null = null,
): { readonly limit?: DeviceLimit } {
  const both = withinBoth(withinBoth(limit, ownRole?.limit ?? null), also);
  if (both === null) return {};
  return { limit: { accountId, organizationId: both.organization, groups: both.groups, tags: both.tags } };
}

/** A limit that allows nothing which one of two does not; null = both allow everything. */
function withinBoth(one: StoredLimit | null, other: StoredLimit | null): StoredLimit | null {
  if (one === null || other === null) return one ?? other;
  const { organization } = one;
  if (organization !== other.organization) return { organization, groups: [], tags: [] };
  const common = (some: readonly string[], others: readonly string[]) => some.filter((each) => others.includes(each));
  return { organization, groups: common(one.groups, other.groups), tags: common(one.tags, other.tags) };
}

/**
 * A limit as people read it, with the names of its groups.
 * @param table the rows of its groups, as `lg` in `which`
 */
export const describeLimit = (
  tags: Fragment,
  table: Fragment,
  which: Fragment,
) => sql`json_build_object('tags', ${tags}, 'groups', coalesce(
    (select json_agg(json_build_object('id', g.key, 'name', g.name) order by ${natural(sql`g.name`)}, g.key)
      from ${table} lg join groups g on g.organization_id = lg.organization_id and g.key = lg.group_key
      where ${which}), '[]'))`;

/** The limit of accounts `a`; null without one. */
export const namedLimit = sql`(select ${describeLimit(sql`l.tags`, sql`account_limit_groups`, sql`lg.account_id = l.account_id`)}
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

/** Whether someone sees a device of an organization: without a limit, every one. */
export async function seesDevice(queries: Queries, limit: Actor['limit'], deviceId: string): Promise<boolean> {
  if (limit === undefined) return true;
  const { rows } =
    await sql`select 1 from devices d where d.organization_id = ${limit.organizationId}::uuid and d.id = ${deviceId}::uuid
    and (d.group_key = any (${[...limit.groups]}::text[]) or d.tags && ${[...limit.tags]}::text[])`.execute(queries);
  return rows.length > 0;
}

/** The limit of a call as people read it; null without one. */
export async function nameLimit(queries: Queries, limit: Actor['limit']): Promise<accounts.PersonLimit | null> {
  if (limit === undefined) return null;
  const { rows } = await sql<{ id: string; name: string }>`select g.key as id, g.name from groups g
    where g.organization_id = ${limit.organizationId}::uuid and g.key = any (${[...limit.groups]}::text[])
    order by ${natural(sql`g.name`)}, g.key`.execute(queries);
  return { groups: rows, tags: [...limit.tags] };
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
