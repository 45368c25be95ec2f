// Reads tables of other domains: geofence_events, geofences, router_ownership, usage_cycles, usage_sims.
import { sql } from 'kysely';
import { utcDay } from '../../kernel/index.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import { positionTime, rejectedSince } from '../devices/index.ts';
import { todayOf } from '../usage/index.ts';

/** From when it was noticed. */
export const asOf = (now: Date): Fragment => sql`${now}::timestamptz`;

/** The newest position; of a device whose positions were all rejected, since when. */
export const lastPosition = sql`coalesce(${positionTime}, ${rejectedSince})`;

/** The last crossing of `devices d`, of each router that it had: one search in the index for each. */
export const lastOf = (
  columns: Fragment,
  condition: Fragment,
): Fragment => sql`(select c.value from router_ownership w cross join lateral (
    select ${columns} as value, e.at, e.id from geofence_events e
      join geofences g on g.organization_id = e.organization_id and g.id = e.geofence_id
    where e.router_id = w.router_id and e.device_id = d.id and e.organization_id = d.organization_id and e.at >= r.created_at
      and (r.condition ->> 'geofence' is null or e.geofence_id = (r.condition ->> 'geofence')::uuid) and ${condition}
    order by e.at desc, e.id desc limit 1) c
  where w.device_id = d.id order by c.at desc, c.id desc limit 1)`;

/**
 * The last crossing of the rule's geofence, or of any, since the rule is there: a vehicle that was inside before has not entered. One
 * of a geofence that was deleted says nothing.
 */
export const lastCrossing = (column: 'kind' | 'at'): Fragment => lastOf(sql.ref(`e.${column}`), sql`true`);

/** What a device used in the present cycle of each of its SIMs. */
export const usedMegabytes = (now: Date): Fragment => sql`(select coalesce(sum(u.sent + u.received), 0)::float8 / 1e6
  from usage_cycles u join usage_sims m on m.organization_id = u.organization_id and m.iccid = u.iccid
  where u.organization_id = d.organization_id and u.device_id = d.id and u.cycle_from >= ${utcDay(now)}::date - 32
    and u.cycle_from = usage_cycle(${todayOf(sql`d.organization_id`, now)}, m.cycle_day, 0))`;
