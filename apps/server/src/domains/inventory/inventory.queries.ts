// Reads tables of other domains: organizations, router_contacts.
import type { inventory as calls } from '@highline/contract';
import { compactNumber } from '@highline/usp';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId, type MainScope } from '../../kernel/index.ts';
import {
  contains,
  defineList,
  onlyOf,
  searchOf,
  sorted,
  type Fragment,
  type Reader,
  type SearchFields,
} from '../../platform/listing/index.ts';
import { routerSegments, routerSorts, table } from './router.orders.ts';
import { rejectionColumn } from './rejection.queries.ts';
import { toRouterDto, type RouterContext, type RouterRow } from './router.dto.ts';

type RouterQuery = z.output<typeof calls.listRouters.query> & { readonly only?: string | undefined };

const columns = sql`r.id, r.serial, r.mac, r.model, r.endpoint_id, r.organization_id, r.device_id, r.presence,
  (select c.last_contact_at from router_contacts c where c.router_id = r.id) as last_seen_at, r.created_at, r.previous_secret_until, ${rejectionColumn}, r.authentication,
  (select max(coalesce(x.retires_at, x.expires_at)) from router_certificates x
    where x.router_id = r.id and x.revoked_at is null) as certificate_ends_at, (select o.name from organizations o where o.id = r.organization_id) as organization_name`;

/** The inventory of a main account. */
export const routerList = (context: RouterContext) =>
  defineList({
    of(scope: MainScope, query: RouterQuery) {
      const { column, descending } = sorted(query.sort ?? 'serial', routerSorts);
      return {
        name: 'routers',
        table,
        alias: 'r',
        identity: ['id'],
        scope: sql`r.main_account_id = ${scope.mainAccountId}::uuid`,
        filters: [...searchOf(query, searchFields(scope)), ...claimedOf(query.claimed), ...onlyOf(query.only, sql`r.id`, 'uuid')],
        columns,
        segments: routerSegments(scope, column, descending),
        // Routers in stock have no organization to join.
        ...(column === 'organization' ? { whole: sql`routers r left join organizations o on o.id = r.organization_id` } : {}),
      };
    },
    toDto: (row: RouterRow) => toRouterDto(row, context),
  });

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

function claimedOf(claimed: RouterQuery['claimed']): Fragment[] {
  if (claimed === undefined) return [];
  return [claimed === 'claimed' ? sql`r.organization_id is not null` : sql`r.organization_id is null`];
}

const searchFields = (scope: MainScope): SearchFields<RouterQuery['field']> => ({
  serial: sql`r.serial`,
  // MACs are stored in capitals without separators; users search them as displayed.
  mac: (_, text) => contains(sql`r.mac`, compactNumber(text) || text),
  model: sql`r.model`,
  endpoint: sql`r.endpoint_id`,
  organization: (has) => sql`r.organization_id in (select o.id from organizations o
    where o.main_account_id = ${scope.mainAccountId}::uuid and o.deleted_at is null and ${has(sql`o.name`)})`,
});
