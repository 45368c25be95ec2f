import { sql } from 'kysely';
import type { inventory } from '@highline/contract';
import { nameSortKey, type Fragment, type Segment, type SortKey } from '../../platform/listing/index.ts';
import type { MainScope } from '../../kernel/scope.ts';

type RouterSort = (typeof inventory.routerSorts)[number];

/** The table that the inventory is read from. */
export const table = sql`routers r`;
const text = (column: Fragment): SortKey => ({ column, kind: 'text' });
const serial = text(sql.ref('r.serial'));
const id: SortKey = { column: sql.ref('r.id'), kind: 'uuid' };

/** The keys of every column; each has an index of `routers` in its order. */
export const routerSorts: Record<RouterSort, readonly SortKey[]> = {
  serial: [serial, id],
  mac: [text(sql.ref('r.mac')), id],
  model: [text(sql`r.model collate "C"`), serial, id],
  presence: [text(sql.ref('r.presence')), serial, id],
  // An id begins with its creation time.
  created: [id],
  // Of the routers in stock, which come last.
  organization: [serial, id],
};

/**
 * How a sorted inventory is read: see listing/order.ts. Routers in stock come after those of the organizations, in both
 * directions.
 */
export function routerSegments(scope: MainScope, column: RouterSort, descending: boolean): Segment[] {
  const keys = routerSorts[column];
  if (column !== 'organization') return [{ from: table, keys, descending }];
  const organization: SortKey[] = [nameSortKey(sql`o.name`), { column: sql.ref('o.id'), kind: 'uuid' }];
  const on = sql`r.organization_id = o.id`;
  return [
    {
      from: sql`organizations o join routers r on ${on}`,
      where: sql`r.organization_id is not null`,
      keys: [...organization, ...keys],
      descending,
      nested: {
        outer: sql`organizations o`,
        outerWhere: sql`o.main_account_id = ${scope.mainAccountId}::uuid and o.deleted_at is null`,
        outerKeys: 2,
        inner: table,
        on,
      },
    },
    { from: table, where: sql`r.organization_id is null`, keys, descending, lead: sql.ref('r.organization_id') },
  ];
}
