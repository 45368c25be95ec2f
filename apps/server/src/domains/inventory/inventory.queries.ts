// Reads tables of other domains: organizations, router_contacts.
import type { inventory } from '@highline/contract';
import { inventory as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId } from '../../kernel/ids.ts';
import {
  allOf,
  contains,
  fieldOf,
  fingerprint,
  readCountedPage,
  searchable,
  sortOf,
  type Fragment,
  type List,
  type Cache,
  type Reader,
  type RowStreams,
} from '../../platform/listing/index.ts';
import type { MainScope } from '../../kernel/scope.ts';
import { routerSegments } from './router.orders.ts';
import { rejectionColumn } from './rejection.queries.ts';
import { toRouterDto, type RouterContext, type RouterRow } from './router.dto.ts';

export type RouterQuery = z.output<typeof calls.listRouters.query>;

const columns = sql`r.id, r.serial, r.mac, r.model, r.endpoint_id, r.organization_id, r.device_id, r.presence,
  (select c.last_contact_at from router_contacts c where c.router_id = r.id) as last_seen_at, r.created_at, r.previous_secret_until, ${rejectionColumn}, r.authentication,
  (select max(coalesce(x.retires_at, x.expires_at)) from router_certificates x
    where x.router_id = r.id and x.revoked_at is null) as certificate_ends_at, (select o.name from organizations o where o.id = r.organization_id) as organization_name`;

/** One page of the inventory. @throws DomainError `request.invalid` for a cursor of another list */
export async function pageRouters(
  reader: Reader,
  totals: Cache<number>,
  scope: MainScope,
  query: RouterQuery,
  limit: number,
  context: RouterContext,
): Promise<z.input<typeof calls.listRouters.response>> {
  const list = routerList(scope, query);
  const { offset, cursor, around } = query;
  const request = {
    limit,
    ...(offset === undefined ? {} : { offset }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(around !== undefined && isId(around) ? { around: sql`r.id = ${around}::uuid` } : {}),
  };
  const count = totals.get(scope.mainAccountId, filtersOf(scope, query), () => countRouters(reader, list));
  const [page, total] = await Promise.all([readCountedPage<RouterRow>(reader, list, request, count), count]);
  const { next, previous } = page;
  return { result: page.rows.map((row) => toRouterDto(row, context)), total, next, previous, offset: page.offset };
}

async function countRouters(reader: Reader, list: List): Promise<number> {
  const [row] = await reader.rows<{ total: number }>(
    sql`select count(*)::int as total from ${list.table} where ${allOf([list.scope, ...list.filters])}`,
  );
  return row!.total;
}

/** The whole filtered and sorted inventory, streamed. */
export function streamRouters(streams: RowStreams, scope: MainScope, query: RouterQuery): AsyncIterable<RouterRow> {
  const list = routerList(scope, query);
  const { column, descending } = sortOf(query.sort, calls.routerSorts, 'serial');
  const direction = descending ? sql`desc` : sql`asc`;
  const segments = routerSegments(scope, column, descending);
  const keys = segments[0]!.keys.map((key) => sql`${key.column} ${direction} nulls last`);
  return streams.open<RouterRow>(sql`select ${columns} from routers r
    ${column === 'organization' ? sql`left join organizations o on o.id = r.organization_id` : sql``}
    where ${allOf([list.scope, ...list.filters])} order by ${sql.join(keys)}`);
}

/** One router of the inventory, or undefined. */
export async function findRouter(reader: Reader, scope: MainScope, id: string): Promise<RouterRow | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await reader.rows<RouterRow>(
    sql`select ${columns} from routers r where r.main_account_id = ${scope.mainAccountId}::uuid and r.id = ${id}::uuid`,
  );
  return row;
}

/** Models of the unclaimed routers, by name; the index is searched once per model, not per router. */
export async function listFreeModels(reader: Reader, scope: MainScope, most: number): Promise<{ model: string }[]> {
  const free = (after: Fragment) => sql`(select r.model collate "C" as model from routers r
    where r.main_account_id = ${scope.mainAccountId}::uuid and r.organization_id is null ${after}
    order by r.model collate "C" limit 1)`;
  return reader.rows<{ model: string }>(sql`with recursive free as (
      select model, 1 as place from ${free(sql``)} as first
      union all
      select n.model, f.place + 1 from free f,
        lateral ${free(sql`and r.model collate "C" > f.model`)} as n where f.place < ${most}::int
    ) select model from free order by place`);
}

function routerList(scope: MainScope, query: RouterQuery): List {
  const { column, descending } = sortOf(query.sort, calls.routerSorts, 'serial');
  const filters = [...searchOf(scope, query), ...claimedOf(query.claimed)];
  return {
    fingerprint: fingerprint(['routers', filtersOf(scope, query), column, descending]),
    table: sql`routers r`,
    alias: 'r',
    identity: ['id'],
    scope: sql`r.main_account_id = ${scope.mainAccountId}::uuid`,
    filters,
    columns,
    segments: routerSegments(scope, column, descending),
    prepared: filters.length === 0,
  };
}

function filtersOf(scope: MainScope, { search, field, ignoreCase, claimed }: RouterQuery): string {
  return JSON.stringify([scope.mainAccountId, search ?? '', field ?? '', ignoreCase ?? '', claimed ?? '']);
}

function claimedOf(claimed: RouterQuery['claimed']): Fragment[] {
  if (claimed === undefined) return [];
  return [claimed === 'claimed' ? sql`r.organization_id is not null` : sql`r.organization_id is null`];
}

function searchOf(scope: MainScope, { search, field, ignoreCase }: RouterQuery): Fragment[] {
  if (search === undefined || search === '') return [];
  const text = searchable(search, 'search');
  switch (fieldOf(field, ['serial', 'mac', 'model', 'endpoint', 'organization'], 'serial')) {
    case 'serial':
      return [contains(sql.ref('r.serial'), text, { ignoreCase })];
    case 'mac':
      // MACs are stored in capitals without separators; users search them as displayed.
      return [contains(sql.ref('r.mac'), text.toUpperCase().replaceAll(/[:. -]/gu, ''))];
    case 'model':
      return [contains(sql.ref('r.model'), text, { ignoreCase })];
    case 'endpoint':
      return [contains(sql.ref('r.endpoint_id'), text, { ignoreCase })];
    case 'organization':
      return [
        sql`r.organization_id in (select o.id from organizations o
          where o.main_account_id = ${scope.mainAccountId}::uuid and o.deleted_at is null and ${contains(sql`o.name`, text, { ignoreCase })})`,
      ];
  }
}

export type RouterDto = inventory.Router;
