// Reads tables of other domains: geofence_states, geofences, position_faults, router_facts, router_positions, routers, telemetry_reports.
import { positions, type rollouts } from '@highline/contract';
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

/** For how long a reading is known, and the position of a vehicle whose ignition is on. */
const KNOWN_FOR = sql`interval '1 hour'`;

/** Whether a position `x` says that the vehicle was not where its newest one `p` is, or drove. */
const MOVES = sql`(not x.is_jump and (coalesce(x.speed > ${STILL_KMH}, false) or (x.latitude - p.latitude) ^ 2
  + ((x.longitude - p.longitude) * cos(radians(p.latitude))) ^ 2 > (${STILL_KM} / 111.2) ^ 2))`;

/** Whether no report of router `k` says that its ignition is off. */
const MAY_DRIVE = sql`k.reported ->> 'ignition' is distinct from 'off'`;

/** A reading `r.…` of a router that is not older than an hour. */
const newest = (column: Fragment, now: Date): Fragment => sql`(select ${column} from telemetry_reports r
  where r.router_id = w.router and r.at > ${now}::timestamptz - ${KNOWN_FOR} and r.at <= ${now}::timestamptz and ${column} is not null
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
      case when p.router_id is null or k.reported ->> 'ignition' = 'on' and p.at <= ${now}::timestamptz - w.span
          or ${MAY_DRIVE} and exists (select 1 from position_faults f where f.router_id = w.router
            and f.reason = any (${positions.unexpectedRejections}::text[])
            and f.last_at > greatest(p.stored_at, ${now}::timestamptz - ${KNOWN_FOR})) then null
        when p.speed > ${STILL_KMH} or exists (select 1
          from positions_between(w.router, ${now}::timestamptz - w.time, ${now}::timestamptz + interval '1 second') x
          where x.at > ${now}::timestamptz - w.time and x.at <= ${now}::timestamptz and ${MOVES}) then false
        when p.speed is null and ${MAY_DRIVE} and p.at > ${now}::timestamptz - w.span then coalesce((select not (array_agg(${MOVES} order by x.at desc))[1]
            and not coalesce(bool_or(${MOVES}) filter (where x.at > p.at - w.time), false)
          from positions_between(w.router, p.at - w.span, p.at) x where x.at < p.at and not x.is_jump), p.at <= ${now}::timestamptz - w.time)
        else true end as "isStill",
      array(select s.geofence_id::text from geofence_states s where s.router_id = w.router and s.is_inside) as inside,
      exists (select 1 from geofences g where g.id = any (w.fences)) as "hasGeofence",
      k.reported ->> 'uplink_kind' as uplink, case k.reported ->> 'ignition' when 'on' then false when 'off' then not exists (
        select 1 from router_facts f where f.router_id = w.router and f.fact = 'ignition'
          and f.at > ${now}::timestamptz - w.off * interval '1 minute') end as "isOff",
      ${newest(sql`r.voltage`, now)} as voltage, ${newest(sql`r.rsrp`, now)} as signal
    from (select i.*, i.minutes * interval '1 minute' as time, greatest(i.minutes * interval '1 minute', ${KNOWN_FOR}) as span
      from jsonb_to_recordset(${JSON.stringify(inputs)}::jsonb) as i (id uuid, router uuid, minutes integer, off integer, fences uuid[])) w
      left join router_positions p on p.router_id = w.router left join routers k on k.id = w.router`.execute(queries);
  return new Map(
    rows.map(({ id, latitude, longitude, ...facts }) => [
      id,
      { ...facts, zone: latitude === null || longitude === null ? null : zoneAt(latitude, longitude) },
    ]),
  );
}
