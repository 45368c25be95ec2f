// Reads tables of other domains: accounts, visits.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Document } from './resource.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'scim_users.content': Record<string, unknown>;
  }
}

/** A person of an organization, and what the directory wrote about it: null where it has not kept the person so far. */
export interface PersonRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly account_version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly external_id: string | null;
  readonly user_name: string | null;
  readonly content: Document | null;
  readonly is_active: boolean | null;
  readonly version: number | null;
  readonly groups: readonly { readonly value: string; readonly display: string }[];
}

/** Accounts `a` of an organization that are not the main account's, with `scim_users` `u`. */
const people = ({
  organizationId,
  mainAccountId,
}: OrganizationScope) => sql`accounts a left join scim_users u on u.account_id = a.id
  where a.organization_id = ${organizationId}::uuid and a.main_account_id = ${mainAccountId}::uuid`;

const columns = sql`a.id, a.email, a.name, a.version as account_version, a.created_at,
  greatest(a.updated_at, u.updated_at) as updated_at, u.external_id, u.user_name, u.content, u.is_active, u.version,
  coalesce((select jsonb_agg(jsonb_build_object('value', g.id, 'display', g.display_name) order by g.display_name)
    from scim_members m join scim_groups g on g.id = m.group_id where m.account_id = a.id), '[]') as groups`;

/** People of an organization in the order of their addresses. */
export async function listPeople(
  queries: Queries,
  scope: OrganizationScope,
  { where, after = '', offset = 0, limit }: PeoplePage,
): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`select ${columns} from ${people(scope)} and a.email > ${after} and ${where ?? sql`true`}
    order by a.email limit ${limit} offset ${offset}`.execute(queries);
  return rows;
}

export interface PeoplePage {
  /** A condition besides. */
  readonly where?: Fragment | undefined;
  /** The address before the first. */
  readonly after?: string;
  readonly offset?: number;
  readonly limit: number;
}

/** How many people an organization has. */
export async function countPeople(queries: Queries, scope: OrganizationScope): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${people(scope)}`.execute(queries);
  return rows[0]!.count;
}

/** Conditions that an index answers. */
export const whoseNameIs = (name: string): Fragment =>
  sql`(lower(u.user_name) = lower(${name}) or (u.user_name is null and a.email = lower(${name})))`;
export const whoseExternalIdIs = (id: string): Fragment => sql`u.external_id = ${id}`;
export const whoseIdIs = (id: string): Fragment => sql`a.id = ${id}::uuid`;

/** Visits `g` of accounts `a` that are guests of their own organization alone: what these may do follows from the visit, also once it is over. */
const guestVisits = sql`visits g where g.account_id = a.id and g.organization_id = a.organization_id`;

/** The visit of a person who is here as a guest alone; undefined for people of the organization. */
export async function findGuestVisit(
  tx: Tx,
  { organizationId }: OrganizationScope,
  accountId: string,
): Promise<{ readonly is_open: boolean } | undefined> {
  const { rows } = await sql<{ is_open: boolean }>`select g.ended_at is null as is_open
    from accounts a cross join lateral (select g.ended_at from ${guestVisits} order by g.ended_at desc nulls first limit 1) g
    where a.id = ${accountId}::uuid and a.organization_id = ${organizationId}::uuid`.execute(tx);
  return rows[0];
}

/**
 * What a person may do by the groups that have a role (`given`; undefined where none has one, and people have roles by themselves), and who is in
 * none of them.
 */
export async function findRoleByGroups(
  tx: Tx,
  { organizationId }: OrganizationScope,
  accountId: string,
): Promise<{ readonly given: 'admin' | 'user' | 'none' | undefined; readonly defaultRole: 'user' | 'none' }> {
  const { rows } = await sql<{
    is_given: boolean;
    is_admin: boolean | null;
    is_user: boolean | null;
    default_role: 'user' | 'none';
  }>`
    select count(*) > 0 as is_given, bool_or(m.account_id is not null and g.role = 'admin') as is_admin,
      bool_or(m.account_id is not null) as is_user,
      coalesce((select s.default_role from scim_settings s where s.organization_id = ${organizationId}::uuid), 'user') as default_role
    from scim_groups g left join scim_members m on m.group_id = g.id and m.account_id = ${accountId}::uuid
    where g.organization_id = ${organizationId}::uuid and g.role is not null`.execute(tx);
  const { is_given: isGiven, is_admin: isAdmin, is_user: isUser, default_role: defaultRole } = rows[0]!;
  if (!isGiven) return { given: undefined, defaultRole };
  return { given: isAdmin === true ? 'admin' : isUser === true ? 'user' : defaultRole, defaultRole };
}

/**
 * Active people, other than guests, whose role is not the one by the groups that have one.
 * @param ids only of these; undefined = of all
 */
export async function findUnreconciled(
  tx: Tx,
  { organizationId }: OrganizationScope,
  ids: readonly string[] | undefined,
): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    with given as (select g.id, g.role from scim_groups g where g.organization_id = ${organizationId}::uuid and g.role is not null),
      fallback as (select coalesce((select s.default_role from scim_settings s where s.organization_id = ${organizationId}::uuid), 'user') as role),
      desired as (select u.account_id, coalesce((select min(g.role) from scim_members m join given g on g.id = m.group_id
          where m.account_id = u.account_id), (select role from fallback)) as role
        from scim_users u where u.organization_id = ${organizationId}::uuid and u.is_active
          and (${ids === undefined ? null : [...ids]}::uuid[] is null or u.account_id = any(${ids === undefined ? null : [...ids]}::uuid[])))
    select d.account_id from desired d join accounts a on a.id = d.account_id
    where not exists (select from ${guestVisits}) and case when exists (select from given) then d.role <> case
        when 'r.' || a.organization_id::text || '.super' = any(a.roles) then 'admin'
        when a.roles = '{}' then 'none' else 'user' end
      else a.roles = '{}' end
    order by d.account_id`.execute(tx);
  return rows.map(({ account_id: id }) => id);
}

/** Those of these ids that are people of an organization. */
export async function findPeople(
  tx: Tx,
  scope: OrganizationScope,
  ids: readonly string[],
): Promise<Pick<PersonRow, 'id' | 'email' | 'name'>[]> {
  const { rows } = await sql<Pick<PersonRow, 'id' | 'email' | 'name'>>`select a.id, a.email, a.name
    from ${people(scope)} and a.id = any(${[...ids]}::uuid[])`.execute(tx);
  return rows;
}
