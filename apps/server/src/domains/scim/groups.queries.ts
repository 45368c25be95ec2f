// Reads tables of other domains: accounts.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import { natural, type Fragment } from '../../platform/listing/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

export type GroupRow = Row<
  'scim_groups',
  'id' | 'display_name' | 'external_id' | 'role' | 'version' | 'created_at' | 'updated_at'
>;

export interface Member {
  readonly value: string;
  readonly display: string;
}
export interface GroupWithMembers extends GroupRow {
  /** A digest of who is in it and of their names, also where `members` were not read. */
  readonly shown_members: string;
  readonly members: readonly Member[];
}

/** Groups of a directory in the order of their names. @param where which ones @param hasMembers read who is in them */
export async function listGroups(
  queries: Queries,
  { organizationId, mainAccountId }: OrganizationScope,
  { where, hasMembers }: { readonly where: Fragment; readonly hasMembers: boolean },
): Promise<GroupWithMembers[]> {
  const { rows } =
    await sql<GroupWithMembers>`select g.id, g.display_name, g.external_id, g.role, g.version, g.created_at, g.updated_at,
      (select coalesce(md5(string_agg(a.id::text || a.name, ',' order by a.id)), '')
        from scim_members m join accounts a on a.id = m.account_id where m.group_id = g.id) as shown_members,
      case when ${hasMembers}::boolean then coalesce((select jsonb_agg(jsonb_build_object('value', a.id, 'display', a.name) order by a.id)
        from scim_members m join accounts a on a.id = m.account_id where m.group_id = g.id), '[]') else '[]' end as members
    from scim_groups g where g.organization_id = ${organizationId}::uuid and g.main_account_id = ${mainAccountId}::uuid
      and ${where} order by lower(g.display_name), g.id`.execute(queries);
  return rows;
}

/** A group without what it has: how many people are in it. */
export interface GroupAlone {
  readonly id: string;
  readonly members: number;
}

/** The groups of a directory in the order of their names, without their people. @param where a condition besides */
export async function listGroupsAlone(
  queries: Queries,
  { organizationId, mainAccountId }: OrganizationScope,
  where: Fragment | undefined,
): Promise<GroupAlone[]> {
  const { rows } =
    await sql<GroupAlone>`select g.id, (select count(*)::int from scim_members m where m.group_id = g.id) as members
    from scim_groups g where g.organization_id = ${organizationId}::uuid and g.main_account_id = ${mainAccountId}::uuid
      and ${where ?? sql`true`} order by lower(g.display_name), g.id`.execute(queries);
  return rows;
}

/** A group with who is in it. */
export async function findGroup(queries: Queries, scope: OrganizationScope, id: string): Promise<GroupWithMembers | undefined> {
  return (await listGroups(queries, scope, { where: whichIs(id), hasMembers: true }))[0];
}

const whichIs = (id: string): Fragment => sql`g.id = ${id}::uuid`;
export const whichAre = (ids: readonly string[]): Fragment => sql`g.id = any(${[...ids]}::uuid[])`;
export const whichIsNamed = (name: string): Fragment => sql`lower(g.display_name) = lower(${name})`;

/** Lock a group until the transaction ends. */
export function lockGroup(tx: Tx, { organizationId }: OrganizationScope, id: string): Promise<GroupRow | undefined> {
  return tx
    .selectFrom('scim_groups')
    .select(['id', 'display_name', 'external_id', 'role', 'version', 'created_at', 'updated_at'])
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst();
}

/** How many groups a directory has. */
export async function countGroups(tx: Tx, { organizationId }: OrganizationScope): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from scim_groups
    where organization_id = ${organizationId}::uuid`.execute(tx);
  return rows[0]!.count;
}

/** How many people are in each group of a directory, and what they may do. */
export async function listGroupSizes(
  queries: Queries,
  { organizationId, mainAccountId }: OrganizationScope,
): Promise<(Pick<GroupRow, 'id' | 'display_name' | 'role'> & { readonly members: number })[]> {
  const { rows } = await sql<
    Pick<GroupRow, 'id' | 'display_name' | 'role'> & { members: number }
  >`select g.id, g.display_name, g.role,
      (select count(*)::int from scim_members m where m.group_id = g.id) as members
    from scim_groups g where g.organization_id = ${organizationId}::uuid and g.main_account_id = ${mainAccountId}::uuid
    order by ${natural(sql`g.display_name`)}, g.id`.execute(queries);
  return rows;
}
