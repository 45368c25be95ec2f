// Reads tables of other domains: geofence_states, geofences, router_facts, router_positions, routers, telemetry_reports.
import type { rollouts } from '@highline/contract';
import zoneAt from '@photostructure/tz-lookup';
import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Queries } from '../../platform/ports/database.ts';
import type { WindowFacts } from './update-window.ts';

/** A router and the window that it has to be in. */
export interface WindowOfRouter {
  /** What waits for the window: several may wait for windows of one router. */
  readonly id: string;
  readonly routerId: string;
  readonly window: rollouts.UpdateWindow;
}

interface FactsRow extends Omit<WindowFacts, 'zone'> {
  readonly id: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** Slower than this, in km/h, and within this many kilometres, a vehicle stands: positions of a parked one wander. */
const STILL_KMH = 5;
const STILL_KM = 0.1;

/** A reading `r.…` of a router that is not older than an hour. */
const newest = (column: Fragment, now: Date): Fragment => sql`(select ${column} from telemetry_reports r
  where r.router_id = w.router and r.at > ${now}::timestamptz - interval '1 hour' and r.at <= ${now}::timestamptz and ${column} is not null
  order by r.at desc limit 1)`;

/** What the windows of routers need to know about them, by the id of what waits. Routers that have no position have no zone. */
export async function readWindowFacts(
  queries: Queries,
  windows: readonly WindowOfRouter[],
  now: Date,
): Promise<ReadonlyMap<string, WindowFacts>> {
  if (windows.length === 0) return new Map();
  const inputs = windows.map(({ id, routerId, window }) => ({
    id,
    router: routerId,
    minutes: window.stillMinutes ?? 0,
    off: window.ignitionOffMinutes ?? 0,
    fences: window.geofences ?? [],
  }));
  const { rows } = await sql<FactsRow>`
    select w.id, p.latitude, p.longitude,
      case when p.router_id is not null then coalesce(p.speed <= ${STILL_KMH}, true) and not exists (select 1
        from positions_between(w.router, ${now}::timestamptz - w.minutes * interval '1 minute', ${now}::timestamptz + interval '1 second') x
        where x.at > ${now}::timestamptz - w.minutes * interval '1 minute' and x.at <= ${now}::timestamptz and not x.is_jump
          and (x.speed > ${STILL_KMH} or (x.latitude - p.latitude) ^ 2
            + ((x.longitude - p.longitude) * cos(radians(p.latitude))) ^ 2 > (${STILL_KM} / 111.2) ^ 2)) end as "isStill",
      array(select s.geofence_id::text from geofence_states s where s.router_id = w.router and s.is_inside) as inside,
      exists (select 1 from geofences g where g.id = any (w.fences)) as "hasGeofence",
      k.reported ->> 'uplink_kind' as uplink, case k.reported ->> 'ignition' when 'on' then false when 'off' then not exists (
        select 1 from router_facts f where f.router_id = w.router and f.fact = 'ignition'
          and f.at > ${now}::timestamptz - w.off * interval '1 minute') end as "isOff",
      ${newest(sql`r.voltage`, now)} as voltage, ${newest(sql`r.rsrp`, now)} as signal
    from jsonb_to_recordset(${JSON.stringify(inputs)}::jsonb) as w (id uuid, router uuid, minutes integer, off integer, fences uuid[])
      left join router_positions p on p.router_id = w.router left join routers k on k.id = w.router`.execute(queries);
  return new Map(
    rows.map(({ id, latitude, longitude, ...facts }) => [
      id,
      { ...facts, zone: latitude === null || longitude === null ? null : zoneAt(latitude, longitude) },
    ]),
  );
}
