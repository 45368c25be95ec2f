// Reads tables of other domains: router_ownership, router_positions.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/index.ts';
import type { RouterPlace } from './geofences.store.ts';

/** Where the routers of an organization are now. */
export async function readPlaces(tx: Tx, { organizationId }: OrganizationScope): Promise<RouterPlace[]> {
  const { rows } = await sql<RouterPlace>`select p.router_id as "routerId", p.latitude, p.longitude
    from router_ownership w join router_positions p on p.router_id = w.router_id and p.at >= w.owned_from
    where w.organization_id = ${organizationId}::uuid and w.owned_until is null`.execute(tx);
  return rows;
}
