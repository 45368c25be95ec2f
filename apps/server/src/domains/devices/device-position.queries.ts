// Reads tables of other domains: router_ownership, router_positions.
import { sql } from 'kysely';

/** Time of the newest position of the router of `devices d`; one from before a transfer is not the organization's (decision 0052). */
export const positionTime = sql`(select p.at from router_ownership w join router_positions p on p.router_id = w.router_id and p.at >= w.owned_from
  where w.router_id = d.router_id and w.device_id = d.id and w.organization_id = d.organization_id and w.owned_until is null)`;
