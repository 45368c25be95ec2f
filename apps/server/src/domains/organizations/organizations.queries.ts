// Reads tables of other domains: accounts, device_counts, devices.
import { MAIN_SERVICE, type organizations } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import {
  allOf,
  defineList,
  onlyOf,
  placeById,
  searchOf,
  sorted,
  type Fragment,
  type Reader,
  type SearchFields,
} from '../../platform/listing/index.ts';
import { subscriptionIs, type SubscriptionDay } from '../subscriptions/index.ts';
import { toOrganizationDto, type OrganizationRow } from './organization.dto.ts';

type OrganizationQuery = z.output<typeof organizations.listOrganizations.query> & { readonly only?: string | undefined };

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

const deviceCount = sql`select coalesce(sum(c.devices), 0)::int from device_counts c where c.organization_id = o.id`;

const columns: Record<Sort, Fragment> = {
  name: sql`o.name collate "C"`,
  contact: sql`(select min(a.email) from accounts a where ${contactOf})`,
  phone: sql`o.phone collate "C"`,
  address: sql`o.address collate "C"`,
  devices: sql`(${deviceCount})`,
  created: sql`o.created_at`,
};

export interface OrganizationContext {
  readonly day: SubscriptionDay;
  /** Days that the installation keeps readings and history. */
  readonly keptDays: number;
}

/**
 * The organizations of a scope, each with its contacts and its ratio of expiring devices (ORG-01). The organizations of a page are
 * selected first; only for these are devices counted and contacts read.
 */
export const organizationList = ({ day, keptDays }: OrganizationContext) =>
  defineList({
    of(scope: Scope, query: OrganizationQuery) {
      const search = searchOf(query, fields);
      const where = allOf([...scopeOf(scope), ...idOf(query.id), ...onlyOf(query.only, sql`o.id`, 'uuid'), ...search]);
      const { value: column, descending } = sorted(query.sort ?? 'name', columns);
      const order = (key: Fragment) => sql`${key} ${descending ? sql`desc` : sql`asc`} nulls last, o.id`;
      return {
        rows: (part: Fragment) => sql`select o.id, o.name, o.tags, o.phone, o.address, o.description, o.retention_days, o.version,
            o.created_at, o.updated_at, counts.devices, counts.expiring, counts.ended, contacts.contacts${query.accounts === 'true' ? people : sql``}
          from (select o.*, ${column} as place from organizations o where ${where} order by ${order(column)} ${part}) o
          cross join lateral (
            select (${deviceCount}) as devices,
              (select count(*)::int from devices d where ${deviceOf} and ${subscriptionIs('expiring', day)}) as expiring,
              (select count(*)::int from devices d where ${deviceOf} and d.expires_on < ${day.today}::date) as ended) counts
          cross join lateral (
            select coalesce(json_agg(json_build_object('email', a.email, 'roles', a.roles) order by a.email), '[]') as contacts
            from accounts a where ${contactOf}) contacts
          order by ${order(sql`o.place`)}`,
        count: sql`select count(*)::int as total from organizations o where ${where}`,
        placeOf: (id: string) => placeById(sql`select o.id from organizations o where ${where} order by ${order(column)}`, id),
        // Repeated lists are planned once; searches are planned for their search text.
        prepared: search.length === 0 && query.only === undefined,
      };
    },
    toDto: (row: OrganizationRow, index) => toOrganizationDto(row, index + 1, keptDays),
  });

/** One organization of the scope for its page, or undefined. */
export async function readOrganization(
  reader: Reader,
  scope: OrganizationScope,
  context: OrganizationContext,
): Promise<OrganizationRow | undefined> {
  return organizationList(context).first(reader, scope, { id: scope.organizationId });
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

const fields: SearchFields<OrganizationQuery['field']> = {
  name: sql`o.name`,
  phone: sql`o.phone`,
  address: sql`o.address`,
  email: (has) => sql`exists (select 1 from accounts a where ${contactOf} and ${has(sql`a.email`)})`,
};
