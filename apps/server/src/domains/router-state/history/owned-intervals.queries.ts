// Reads tables of other domains: devices, router_ownership.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../../kernel/scope.ts';
import type { Queries } from '../../../platform/ports/database.ts';
import type { Row } from '../../../platform/ports/tables.ts';

/** A time in which an organization's device had a router. */
export interface OwnedInterval extends Row<'router_ownership', 'router_id'> {
  /** As the database writes it, to the microsecond. */
  readonly owned_from: string;
  /** Null = it still has. */
  readonly owned_until: string | null;
}

const BATCH = 200;
const interval = sql`o.router_id, o.owned_from::text as owned_from, o.owned_until::text as owned_until`;
const LEAST_ID = '00000000-0000-0000-0000-000000000000';

/** The intervals of an organization, in batches: those of its routers, wherever they are now. */
export async function* ownIntervals(queries: Queries, { organizationId }: OrganizationScope): AsyncGenerator<OwnedInterval[]> {
  let after: Pick<OwnedInterval, 'router_id' | 'owned_from'> = { router_id: LEAST_ID, owned_from: '-infinity' };
  for (;;) {
    const { rows } = await sql<OwnedInterval>`select ${interval} from router_ownership o
      where o.organization_id = ${organizationId}::uuid
        and (o.router_id, o.owned_from) > (${after.router_id}::uuid, ${after.owned_from}::timestamptz)
      order by o.router_id, o.owned_from limit ${BATCH}`.execute(queries);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last;
  }
}

/** The intervals that devices of an organization had with others before they were transferred, in batches of devices. */
export async function* transferredIntervals(
  queries: Queries,
  { organizationId }: OrganizationScope,
): AsyncGenerator<OwnedInterval[]> {
  for (let after = LEAST_ID; ;) {
    const { rows } = await sql<OwnedInterval & Row<'devices', 'id'> & { is_foreign: boolean }>`select d.id, ${interval},
        coalesce(o.organization_id <> ${organizationId}::uuid, false) as is_foreign
      from (select d.id from devices d where d.organization_id = ${organizationId}::uuid and d.id > ${after}::uuid
          order by d.id limit ${BATCH}) d
        left join router_ownership o on o.device_id = d.id
      order by d.id`.execute(queries);
    const last = rows.at(-1);
    if (last === undefined) return;
    const foreign = rows.filter((row) => row.is_foreign);
    if (foreign.length > 0) yield foreign;
    after = last.id;
  }
}
