// Reads tables of other domains: device_identifiers, devices.
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Fragment } from '../../platform/listing/index.ts';

/** Whether a reading of a modem, `h`, is as new as that of any other modem of its router: one that was taken out reports no longer. */
const isPresent = sql`not exists (select from usage_heads o where o.router_id = h.router_id and o.at > h.at + interval '1 day')`;

/**
 * The devices whose routers have a SIM in a modem now, as (id, at): `devices` has the number of the first modem alone. Found by the devices that
 * have used it, so that an index serves.
 * @param iccid in SQL, of a query that encloses this one with other aliases than those below
 */
export function devicesWithModemOf({ organizationId }: OrganizationScope, iccid: Fragment): Fragment {
  return sql`(select d.id, h.at from usage_cycles k
    join devices d on d.organization_id = k.organization_id and d.id = k.device_id and d.archived_at is null
    join usage_heads h on h.router_id = d.router_id and h.iccid = k.iccid
    where k.organization_id = ${organizationId}::uuid and k.iccid = ${iccid} and ${isPresent})`;
}

/** The id of the device that has a SIM now, in SQL; null = none has. What a device reports as its SIM comes before what its modems count. */
export function deviceOfSim(scope: OrganizationScope, iccid: Fragment): Fragment {
  return sql`(select x.id from (
      select n.device_id as id, 'infinity'::timestamptz as at from device_identifiers n
      where n.organization_id = ${scope.organizationId}::uuid and n.value = ${iccid} and n.kind = 'iccid'
      union all select m.id, m.at from ${devicesWithModemOf(scope, iccid)} m
    ) x order by x.at desc, x.id limit 1)`;
}

/** The SIMs that a device `devices d` has now, one in each modem, as (iccid). */
export const simsOfDevice: Fragment = sql`(select d.iccid union
  select h.iccid from usage_heads h where h.router_id = d.router_id and h.iccid <> '' and ${isPresent})`;
