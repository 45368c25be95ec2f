// Reads tables of other domains: router_ownership, routers.
import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';

/** The vehicle or serial number of a device `d`; of one that its organization has no more, the serial number of its last router there; else empty. */
export const nameOfDevice = (organization: Fragment, device: Fragment): Fragment =>
  sql`coalesce(nullif(d.vehicle_number, ''), d.serial, ${lastSerialOf(organization, device)}, '')`;

function lastSerialOf(organization: Fragment, device: Fragment): Fragment {
  return sql`(select coalesce(w.serial, q.serial) from router_ownership w left join routers q on q.id = w.router_id
    where w.organization_id = ${organization} and w.device_id = ${device} order by w.owned_from desc limit 1)`;
}

/**
 * The serial numbers of the routers that a device `d` had on some days: bytes of then keep the router of then (BLK-06).
 * @param from first day @param until the day after the last one
 */
export function serialsOfDevice(organization: Fragment, device: Fragment, from: Fragment, until: Fragment): Fragment {
  return sql`coalesce((select string_agg(distinct coalesce(w.serial, q.serial), ', ') from router_ownership w left join routers q on q.id = w.router_id
    where w.organization_id = ${organization} and w.device_id = ${device} and w.owned_from < ${until}
      and coalesce(w.owned_until, 'infinity') > ${from}), d.serial, ${lastSerialOf(organization, device)}, '')`;
}
