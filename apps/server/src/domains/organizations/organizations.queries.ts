// Reads tables of other domains: accounts, devices.
import { MAIN_SERVICE, organizations } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId } from '../../kernel/ids.ts';
import {
  allOf,
  contains,
  fieldOf,
  offsetAround,
  rejectCursor,
  searchable,
  sortOf,
  type Fragment,
  type Reader,
  type RowStreams,
} from '../../platform/listing/index.ts';
import type { OrganizationScope, Scope } from '../../kernel/scope.ts';
import { subscriptionIs, type SubscriptionDay } from '../subscriptions/index.ts';
import { toOrganizationDto, type OrganizationRow } from './organization.dto.ts';

export type OrganizationQuery = z.output<typeof organizations.listOrganizations.query>;

type Sort = (typeof organizations.organizationSorts)[number];

/** The role string of a main account's users; such an account is not a contact of an organization (ORG-01). */
const MAIN_ROLE = `r.${MAIN_SERVICE}.vendor.super`;

/** Limit per kind of user, for one organization. */
const MOST_PEOPLE = 1_000;

const contactOf = sql`a.organization_id = o.id and a.is_contact and not ${MAIN_ROLE} = any(a.roles)`;
const deviceOf = sql`d.organization_id = o.id and d.archived_at is null`;

/** E-mail addresses of accounts with, or without, an admin's role. */
const usersWhere = (condition: Fragment) => sql`array(
  select a.email from accounts a where a.organization_id = o.id and ${condition} order by a.email limit ${MOST_PEOPLE})`;
const isAdmin = sql`'r.' || o.id || '.super' = any(a.roles)`;
const people = sql`, json_build_object('admins', ${usersWhere(isAdmin)}, 'users', ${usersWhere(sql`not ${isAdmin}`)}) as people`;

const columns: Record<Sort, Fragment> = {
  name: sql`o.name collate "C"`,
  contact: sql`(select min(a.email) from accounts a where ${contactOf})`,
  phone: sql`o.phone collate "C"`,
  address: sql`o.address collate "C"`,
  devices: sql`(select count(*) from devices d where ${deviceOf})`,
  created: sql`o.created_at`,
};

/** One page of the organizations of a scope, each with its contacts and its ratio of expiring devices (ORG-01). */
export async function pageOrganizations(
  reader: Reader,
  scope: Scope,
  query: OrganizationQuery,
  day: SubscriptionDay,
  limit: number,
): Promise<{ rows: readonly OrganizationRow[]; total: number; offset: number }> {
  rejectCursor(query.cursor);
  const { where, order, select } = organizationList(scope, query, day);
  const ordered = { select: sql`select o.id from organizations o where ${where}`, orderBy: order };
  const offset = query.around === undefined ? (query.offset ?? 0) : await offsetAround(reader, ordered, query.around, limit);
  // Repeated lists are planned once; searches are planned for their search text.
  const prepared = query.search === undefined || query.search === '';
  const [rows, [count]] = await Promise.all([
    reader.rows<OrganizationRow>(select(sql`limit ${limit} offset ${offset}`), prepared),
    reader.rows<{ total: number }>(sql`select count(*)::int as total from organizations o where ${where}`, prepared),
  ]);
  return { rows, total: count!.total, offset };
}

/** One organization of the scope for its page, or undefined. */
export async function readOrganization(
  reader: Reader,
  scope: OrganizationScope,
  day: SubscriptionDay,
): Promise<OrganizationRow | undefined> {
  const { select } = organizationList(scope, { id: scope.organizationId }, day);
  return (await reader.rows<OrganizationRow>(select(sql`limit 1`)))[0];
}

/** As `pageOrganizations`, but all of them, streamed. */
export function streamOrganizations(
  streams: RowStreams,
  scope: Scope,
  query: OrganizationQuery,
  day: SubscriptionDay,
): AsyncIterable<organizations.Organization> {
  return presented(streams.open<OrganizationRow>(organizationList(scope, query, day).select(sql``)));
}

async function* presented(rows: AsyncIterable<OrganizationRow>): AsyncGenerator<organizations.Organization> {
  let rowId = 0;
  for await (const row of rows) yield toOrganizationDto(row, ++rowId);
}

interface OrganizationList {
  readonly where: Fragment;
  /** Of the organizations `o` themselves. */
  readonly order: Fragment;
  /** @param part a limit and an offset, or nothing */
  select(part: Fragment): Fragment;
}

/** The organizations of the page are selected first; only for these are devices counted and contacts read. */
function organizationList(scope: Scope, query: OrganizationQuery, day: SubscriptionDay): OrganizationList {
  const where = allOf([...scopeOf(scope), ...idOf(query.id), ...searchOf(query)]);
  const { column, descending } = sortOf(query.sort, organizations.organizationSorts, 'name');
  const order = (key: Fragment) => sql`${key} ${descending ? sql`desc` : sql`asc`} nulls last, o.id`;
  return {
    where,
    order: order(columns[column]),
    select: (part) => sql`select o.id, o.name, o.tags, o.phone, o.address, o.description, o.version, o.created_at, o.updated_at,
        counts.devices, counts.expiring, counts.ended, contacts.contacts${query.accounts === 'true' ? people : sql``}
      from (select o.*, ${columns[column]} as place from organizations o where ${where} order by ${order(columns[column])} ${part}) o
      cross join lateral (
        select count(*)::int as devices, count(*) filter (where ${subscriptionIs('expiring', day)})::int as expiring,
          count(*) filter (where d.expires_on < ${day.today}::date)::int as ended
        from devices d where ${deviceOf}) counts
      cross join lateral (
        select coalesce(json_agg(json_build_object('email', a.email, 'roles', a.roles) order by a.email), '[]') as contacts
        from accounts a where ${contactOf}) contacts
      order by ${order(sql`o.place`)}`,
  };
}

function scopeOf(scope: Scope): Fragment[] {
  const own = [sql`o.main_account_id = ${scope.mainAccountId}::uuid`, sql`o.deleted_at is null`];
  return scope.kind === 'main' ? own : [...own, sql`o.id = ${scope.organizationId}::uuid`];
}

/** One organization by its id; an invalid id finds nothing. */
function idOf(id: string | undefined): Fragment[] {
  if (id === undefined || id === '') return [];
  return [isId(id) ? sql`o.id = ${id}::uuid` : sql`false`];
}

function searchOf({ search, field, ignoreCase }: OrganizationQuery): Fragment[] {
  if (search === undefined || search === '') return [];
  const has = (column: Fragment) => contains(column, searchable(search, 'search'), { ignoreCase });
  switch (fieldOf(field, organizations.organizationFields, 'name')) {
    case 'name':
      return [has(sql`o.name`)];
    case 'phone':
      return [has(sql`o.phone`)];
    case 'address':
      return [has(sql`o.address`)];
    case 'email':
      return [sql`exists (select 1 from accounts a where ${contactOf} and ${has(sql`a.email`)})`];
  }
}
