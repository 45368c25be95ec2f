// Reads tables of other domains: position_faults, router_ownership, router_positions.
import { positions } from '@highline/contract';
import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';

/**
 * Tables with the newest position `p` of a device, of an interval `o` of its organization: of its router or, before that one had a position, of
 * the router before (BLK-06). One from before a transfer is not the organization's (docs/domains/positions.md).
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

/** Faults `f` of the present time `o` with a router, whose positions were rejected, and that are no everyday matter of a receiver. */
const rejections = (
  reasons: readonly string[],
): Fragment => sql`router_ownership o join position_faults f on f.router_id = o.router_id
  and f.since >= o.owned_from and o.owned_until is null and f.reason = any (${[...reasons]}::text[])`;
const { positionRejections: all } = positions;
const unexpected = all.filter((reason) => reason !== 'zero' && reason !== 'too_many');

/** Since when positions of `devices d` were rejected; null = none was. */
export const rejectedSince = sql`(select min(f.since) from ${rejections(all)} where o.router_id = d.router_id and o.device_id = d.id)`;

/** Positions of `devices d` were rejected, and none was stored since. */
export const isRejected = sql`d.router_id in (select f.router_id from ${rejections(unexpected)} where not exists (
  select from router_positions p where p.router_id = o.router_id and p.at >= o.owned_from and p.stored_at >= f.last_at))`;
