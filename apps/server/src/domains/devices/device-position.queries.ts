// Reads tables of other domains: position_faults, router_contacts, router_ownership, router_positions.
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
const { positionRejections: all, unexpectedRejections: unexpected } = positions;

/** Since when positions of `devices d` were rejected; null = none was. */
export const rejectedSince = sql`(select min(f.since) from ${rejections(all)} where o.router_id = d.router_id and o.device_id = d.id)`;

/** Positions of `devices d` were rejected, and none was stored since. */
export const isRejected = sql`d.router_id in (select f.router_id from ${rejections(unexpected)} where not exists (
  select from router_positions p where p.router_id = o.router_id and p.at >= o.owned_from and p.stored_at >= f.last_at))`;

/** A newest position that is older than the last contact by less says where the vehicle is. */
export const FOLLOWED_MS = 3_600_000;
const FOLLOWED = sql`${FOLLOWED_MS / 1_000} * interval '1 second'`;
const METRES_OF_EARTH = 12_742_000;
/** Metres from the newest position `p` to the middle of a cell `s`. */
const metresToCell = sql`${METRES_OF_EARTH}::float8 * asin(least(1, sqrt(sin(radians(p.latitude - s.latitude) / 2) ^ 2
  + cos(radians(p.latitude)) * cos(radians(s.latitude)) * sin(radians(p.longitude - s.longitude) / 2) ^ 2)))`;

/**
 * Where `devices d` probably is: the cell `s` that serves it, at its last contact `e` with the organization that has it, where the vehicles of this
 * organization alone say where that cell is. Only where its positions say less: there is none, or the newest is old and outside of the cell (SAY-08).
 */
export const estimatedPlace = sql`serving_cells s join router_contacts e on e.router_id = d.router_id
  join router_ownership n on n.router_id = d.router_id and n.device_id = d.id and n.organization_id = d.organization_id
    and n.owned_until is null and e.last_contact_at >= n.owned_from
  left join lateral (select p.at, p.latitude, p.longitude from ${newestPosition} where ${intervalOfDevice}) p on true
  where s.organization_id = d.organization_id and s.carrier = d.carrier and s.technology = d.technology and s.cell = d.cell_id
    and s.radius is not null and d.presence_since is not null
    and (p.at is null or p.at < e.last_contact_at - ${FOLLOWED} and ${metresToCell} > s.radius)`;

/** The same as JSON: degrees, metres and epoch seconds. */
export const estimatedPosition = sql`(select jsonb_build_object('latitude', round(s.latitude::numeric, 4), 'longitude', round(s.longitude::numeric, 4),
  'radius', round(s.radius), 'at', floor(extract(epoch from e.last_contact_at))) from ${estimatedPlace})`;
