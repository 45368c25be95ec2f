// Reads tables of other domains: account_own_roles, accounts, device_counts, devices, routers.
import { MAIN_SERVICE, type organizations } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId, type MainScope, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import {
  allOf,
  defineList,
  nameSortKey,
  onlyOf,
  searchOf,
  sorted,
  type Fragment,
  type Reader,
  type SearchFields,
  type Segment,
  type SortKey,
} from '../../platform/listing/index.ts';
import { isFullAdmin } from '../accounts/admins/index.ts';
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

/** E-mail addresses of accounts with access. */
const usersWhere = (condition: Fragment) => sql`array(select a.email from accounts a
  where a.organization_id = o.id and a.roles <> '{}' and ${condition} order by a.email limit ${MOST_PEOPLE})`;
const isReader = sql`('r.' || o.id || '.super') <> all(a.roles)
  and not exists (select from account_own_roles h where h.account_id = a.id)`;
const people = sql`, json_build_object('all', ${usersWhere(sql`true`)}, 'admins', ${usersWhere(isFullAdmin(sql`o.id`))},
  'users', ${usersWhere(isReader)}) as people`;

const table = sql`organizations o`;
const id: SortKey = { column: sql.ref('o.id'), kind: 'uuid' };
const contact = sql`(select min(a.email) from accounts a where ${contactOf})`;

/** Keys of a sort, or the column of `organization_figures` with the index of the sort. */
type Order =
  | { readonly keys: readonly SortKey[]; readonly nullable?: Fragment }
  | { readonly figure: 'devices' | 'expiring' | 'failed_rollouts' | 'connected_share' };

const text = (column: Fragment): SortKey => ({ column, kind: 'text' });

const orders: Record<Sort, Order> = {
  name: { keys: [nameSortKey(sql`o.name`), id] },
  contact: { keys: [text(contact), id], nullable: contact },
  phone: { keys: [text(sql`o.phone collate "C"`), id] },
  address: { keys: [text(sql`o.address collate "C"`), id] },
  created: { keys: [{ column: sql.ref('o.created_at'), kind: 'instant' }, id] },
  devices: { figure: 'devices' },
  expiring: { figure: 'expiring' },
  failedRollouts: { figure: 'failed_rollouts' },
  online: { figure: 'connected_share' },
};

/** How a sorted list is read (listing/order.ts): figures in the order of their index; organizations without a value come last. */
function segmentsOf(scope: Scope, sort: string): Segment[] {
  const { value: order, descending } = sorted(sort, orders);
  if ('keys' in order) {
    const { keys, nullable } = order;
    if (nullable === undefined) return [{ from: table, keys, descending }];
    return [
      { from: table, where: sql`${nullable} is not null`, keys, descending },
      { from: table, where: sql`${nullable} is null`, keys: keys.slice(1), descending },
    ];
  }
  const figure = sql.ref(`f.${order.figure}`);
  const own: SortKey = { column: sql.ref('f.organization_id'), kind: 'uuid' };
  const from = sql`organization_figures f join organizations o on o.id = f.organization_id`;
  const mine = sql`f.main_account_id = ${scope.mainAccountId}::uuid`;
  const valued: Segment = {
    from,
    where: sql`${mine} and ${figure} is not null`,
    keys: [{ column: figure, kind: 'number' }, own],
    descending,
  };
  if (order.figure !== 'connected_share') return [valued];
  return [valued, { from, where: sql`${mine} and ${figure} is null`, keys: [own], descending, lead: figure }];
}

export interface OrganizationContext {
  readonly day: SubscriptionDay;
  /** Days that the installation keeps readings and history. */
  readonly keptDays: number;
}

/**
 * The organizations of a scope, each with its contacts, its ratio of expiring devices (ORG-01) and its figures (ATT-03). Only for
 * the organizations of a page are devices counted and contacts read.
 */
export const organizationList = ({ day, keptDays }: OrganizationContext) =>
  defineList({
    of(scope: Scope, query: OrganizationQuery) {
      const search = searchOf(query, fields);
      return {
        name: 'organizations',
        dependsOn: day,
        table,
        alias: 'o',
        identity: ['id'],
        scope: allOf(scopeOf(scope)),
        filters: [...idOf(query.id), ...rolloutOf(scope, query.rollout), ...onlyOf(query.only, sql`o.id`, 'uuid'), ...search],
        estimatable: search.length === 0,
        columns: sql`o.id, o.name, o.tags, o.phone, o.address, o.description, o.retention_days, o.version, o.created_at, o.updated_at,
          counts.devices, counts.online, counts.never, counts.apart, subscriptions.expiring, subscriptions.ended, contacts.contacts,
          figures.failed_rollouts, figures.paused_rollouts${query.accounts === 'true' ? people : sql``}`,
        joins: sql`
          left join lateral (
            select coalesce(sum(c.devices), 0)::int as devices,
              coalesce(sum(c.devices) filter (where c.presence = 'online'), 0)::int as online,
              coalesce(sum(c.devices) filter (where c.presence = 'never'), 0)::int as never,
              coalesce(sum(c.devices) filter (where c.presence in ('parked', 'planned')), 0)::int as apart
            from device_counts c where c.organization_id = o.id) counts on true
          left join lateral (
            select (select count(*)::int from devices d where ${deviceOf} and ${subscriptionIs('expiring', day)}) as expiring,
              (select count(*)::int from devices d where ${deviceOf} and d.expires_on < ${day.today}::date) as ended) subscriptions on true
          left join lateral (
            select coalesce(json_agg(json_build_object('email', a.email, 'roles', a.roles) order by a.email), '[]') as contacts
            from accounts a where ${contactOf}) contacts on true
          left join organization_figures figures on figures.organization_id = o.id`,
        segments: segmentsOf(scope, query.sort ?? 'name'),
        // Repeated lists are planned once; searches are planned for their search text.
        prepared: search.length === 0 && query.only === undefined,
      };
    },
    toDto: (row: OrganizationRow, index) => toOrganizationDto(row, index + 1, keptDays),
  });

type Fleet = z.input<typeof organizations.fleet.response>['result'];

/** The figures of all organizations of a main account together, and the size of its stock (ATT-03). */
export async function readFleet(reader: Reader, scope: MainScope): Promise<Fleet> {
  const [[figures], [stock]] = await Promise.all([
    reader.rows<Omit<Fleet, 'stock'>>(sql`select count(*)::int as organizations, coalesce(sum(f.devices), 0)::int as devices,
        coalesce(sum(f.online), 0)::int as online, json_build_object(
          'failed', count(*) filter (where f.failed_rollouts > 0), 'paused', count(*) filter (where f.paused_rollouts > 0)) as rollouts
      from organization_figures f join organizations o on o.id = f.organization_id
      where f.main_account_id = ${scope.mainAccountId}::uuid and o.deleted_at is null`),
    reader.rows<{ stock: number }>(sql`select count(*)::int as stock from routers r
      where r.main_account_id = ${scope.mainAccountId}::uuid and r.organization_id is null`),
  ]);
  return { ...figures!, ...stock! };
}

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

/** Those with failed routers in a rollout, or with a paused one. */
function rolloutOf(scope: Scope, rollout: OrganizationQuery['rollout']): Fragment[] {
  if (rollout === undefined) return [];
  const figure = rollout === 'failed' ? sql`f.failed_rollouts > 0` : sql`f.paused_rollouts > 0`;
  return [
    sql`o.id = any (array(select f.organization_id from organization_figures f
    where f.main_account_id = ${scope.mainAccountId}::uuid and ${figure}))`,
  ];
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
