// Reads tables of other domains: router_ownership.
import type { positions } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import type { Reader } from '../../platform/listing/index.ts';
import { ownedByDevice, type PlacedDevice } from './day-trail.queries.ts';

/**
 * The faults of a device, the newest first, of the time in which its organization has the router: those of the last day, and those after which no
 * position was stored. Receivers without a fix and repeated positions are only the latter.
 */
export async function readFaults(
  reader: Reader,
  scope: Scope,
  device: PlacedDevice,
  now: Date,
): Promise<positions.PositionFault[]> {
  const yesterday = new Date(now.getTime() - 86_400_000);
  return reader.rows<positions.PositionFault>(
    sql`select f.reason, floor(extract(epoch from f.since))::float8 as since, floor(extract(epoch from f.last_at))::float8 as last,
        f.count::float8 as count, f.received
      from router_ownership o join position_faults f on f.router_id = o.router_id and f.since >= o.owned_from
        left join router_positions p on p.router_id = f.router_id
      where ${ownedByDevice(scope, device)} and o.owned_until is null and (p.stored_at is null or p.stored_at < f.last_at
        or f.reason not in ('zero', 'too_many') and f.last_at > ${yesterday}::timestamptz)
      order by f.last_at desc, f.reason`,
  );
}
