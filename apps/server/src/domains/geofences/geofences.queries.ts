// Reads tables of other domains: router_ownership.
import type { geofences } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import { natural, type Fragment, type Reader } from '../../platform/listing/index.ts';
import { geofenceFields } from './geofences.store.ts';

/** The geofences of an organization by name, with the vehicles inside. */
export async function readGeofences(
  reader: Reader,
  { organizationId }: OrganizationScope,
  id?: string,
): Promise<geofences.Geofence[]> {
  const fields = sql.join(geofenceFields.map((field) => sql.ref(`g.${field}`)));
  return reader.rows<geofences.Geofence>(
    sql`select g.id, ${fields}, g.version, (select count(*)::int ${insideOf(sql`g.id`)}
          and w.organization_id = g.organization_id) as inside
      from geofences g where g.organization_id = ${organizationId}::uuid
        ${id === undefined ? sql`` : sql`and g.id = ${id}::uuid`} order by ${natural(sql`g.name`)}, g.id`,
  );
}

/** Routers inside of a geofence, in the time in which their organization has them. */
const insideOf = (id: Fragment) => sql`from geofence_states s join router_ownership w
  on w.router_id = s.router_id and w.owned_until is null and s.since >= w.owned_from where s.geofence_id = ${id} and s.is_inside`;
