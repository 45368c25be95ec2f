// Reads tables of other domains: router_ownership, router_positions.
import { sql } from 'kysely';

/**
 * Tables with the newest position `p` of a device, of an interval `o` of its organization: of its router or, before that one had a position, of
 * the router before (BLK-06). One from before a transfer is not the organization's (decision 0052).
 */
export const newestPosition = sql`router_ownership o join router_positions p on p.router_id = o.router_id and p.at >= o.owned_from
  and (o.owned_until is null or p.at < o.owned_until and not exists (
    select from router_ownership n join router_positions q on q.router_id = n.router_id and q.at >= n.owned_from
      and q.at < coalesce(n.owned_until, 'infinity')
    where n.device_id = o.device_id and n.organization_id = o.organization_id and n.owned_from > o.owned_from))`;

/** The interval `o` is one of `devices d`. */
export const intervalOfDevice = sql`o.device_id = d.id and o.organization_id = d.organization_id`;

/** Time of the newest position of `devices d`. */
export const positionTime = sql`(select p.at from ${newestPosition} where ${intervalOfDevice})`;
