// Reads tables of other domains: connectivity, router_ownership.
import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';
import { isParkedLoss, isPlannedLoss } from '../router-state/index.ts';

/** A connection `c` of the last minutes that a router lost, and not the server. */
export const wasLost = (now: Date, minutes: Fragment): Fragment => sql`c.kind = 'offline'
  and c.reason not in ('server-restarted', 'not-seen-since-restart', 'disconnected')
  and c.at > ${now}::timestamptz - make_interval(mins => ${minutes}) and c.at <= ${now}::timestamptz`;

/** How often a device lost its connection by a fault within the minutes of the rule, since it has its router. */
export const lossesOf = (
  now: Date,
): Fragment => sql`(select count(*)::float8 from connectivity c join router_ownership w on w.router_id = c.router_id
    and w.device_id = d.id and w.owned_until is null and c.at >= w.owned_from
  where c.router_id = d.router_id and ${wasLost(now, sql`(r.condition ->> 'minutes')::integer`)}
    and not ${isParkedLoss} and not ${isPlannedLoss('w')})`;
