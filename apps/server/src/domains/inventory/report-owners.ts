import { sql } from 'kysely';
import type { Queries } from '../../platform/ports/database.ts';

/** A router, and whose it was at a time. */
export interface OwnerAt {
  /** Null if the router is no longer in the inventory. */
  readonly serial: string | null;
  /** Null while it was in stock. */
  readonly organization_id: string | null;
  readonly device_id: string | null;
}

/** Find the owners of routers at times, in the order of `reports`; for copies of readings, of every organization. */
export async function findOwnersAt(
  queries: Queries,
  reports: readonly { readonly routerId: string; readonly at: Date }[],
): Promise<readonly OwnerAt[]> {
  const { rows } = await sql<OwnerAt>`select r.serial, o.organization_id, o.device_id
    from unnest(${reports.map(({ routerId }) => routerId)}::uuid[], ${reports.map(({ at }) => at)}::timestamptz[])
        with ordinality n (router_id, at, place)
      left join routers r on r.id = n.router_id
      left join router_ownership o on o.router_id = n.router_id and o.owned_from <= n.at and coalesce(o.owned_until, 'infinity') > n.at
    order by n.place`.execute(queries);
  return rows;
}
