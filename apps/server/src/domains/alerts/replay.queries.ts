// Reads tables of other domains: connectivity, devices, geofence_events, geofences, router_ownership, telemetry_reports.
import type { alerts } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Fragment, ReadRows } from '../../platform/listing/index.ts';
import { isParkedLoss } from '../router-state/index.ts';
import { FIRST_POSITION_SECONDS } from './kinds.job.queries.ts';

/** A time in which a condition held on a device. */
export interface Episode {
  readonly device: string;
  readonly serial: string;
  readonly vehicle_number: string;
  readonly at: Date;
  /** Null: it still holds. */
  readonly until: Date | null;
  readonly value: number | null;
}

/** Episodes that a replay looks at. */
export const MOST_REPLAYED = 10_000;
/** Rows of history that a replay reads. */
export const MOST_ROWS = 3_000_000;

interface Span {
  readonly from: Date;
  readonly now: Date;
}

/**
 * The times in which a condition held for long enough, from the history of the routers while the organization had them, the newest first;
 * at most `MOST_REPLAYED`.
 * @param devices condition on `devices d`
 * @returns undefined when there are more than `mostRows` rows of history
 */
export async function readEpisodes(
  rows: ReadRows,
  { organizationId }: OrganizationScope,
  { condition, forSeconds }: Pick<alerts.RuleInput, 'condition' | 'forSeconds'>,
  devices: Fragment,
  { from, now }: Span,
  mostRows = MOST_ROWS,
): Promise<Episode[] | undefined> {
  const owned = sql`(select d.id as device, d.serial, d.vehicle_number, w.router_id, w.owned_from, coalesce(w.owned_until, 'infinity') as owned_until
    from devices d join router_ownership w on w.organization_id = ${organizationId}::uuid and w.device_id = d.id
    where ${devices}) o`;
  // What began before the first day may fire on it.
  const since = new Date(from.getTime() - forSeconds * 1_000);
  const stated = statedBy({ condition, forSeconds }, owned, { from: since, now });
  // Each position begins a silence, which the next one ends, or parking. Of other conditions only changes between "holds" and "has ended" matter.
  const changes =
    condition.kind === 'position-silent'
      ? sql`changes as (select *, lead(at) over (partition by device order by at, holds) as until from stated)`
      : sql`marked as (select *, lag(holds) over (partition by device order by at, holds) as before from stated where holds is not null),
    changes as (select *, lead(at) over (partition by device order by at, holds) as until from marked where holds is distinct from before)`;
  const [counted, ...found] = await rows<
    { readonly read: number } & (Episode | { readonly device: null })
  >(sql`with stated as materialized (${stated} limit ${mostRows + 1}),
    ${changes},
    found as (select device, serial, vehicle_number, at, until, value from changes
      where holds and coalesce(until, ${now}::timestamptz) - at >= make_interval(secs => ${forSeconds})
        and (select count(*) from stated) <= ${mostRows}
      order by at desc limit ${MOST_REPLAYED})
    select null as device, null as serial, null as vehicle_number, null as at, null as until, null as value,
      (select count(*)::int from stated) as read
    union all (select *, 0 from found order by at desc)`);
  return counted!.read > mostRows ? undefined : found.filter((row) => row.device !== null);
}

/** A parked vehicle reports no positions, and begins to when it starts again (SAY-04). */
const isParking = sql`(c.kind = 'offline' and ${isParkedLoss})`;

/** Rows of what was stored: the device, when, and whether the condition holds, has ended (false), or neither (null). */
function statedBy(
  { condition, forSeconds }: Pick<alerts.RuleInput, 'condition' | 'forSeconds'>,
  owned: Fragment,
  { from, now }: Span,
): Fragment {
  const columns = sql`o.device, o.serial, o.vehicle_number`;
  const held = (at: Fragment) =>
    sql`${at} >= ${from}::timestamptz and ${at} < ${now}::timestamptz and ${at} >= o.owned_from and ${at} < o.owned_until`;
  switch (condition.kind) {
    case 'reading': {
      const { reading, operator, threshold, clear = threshold } = condition;
      const value = sql.ref(`t.${reading}`);
      const holds = operator === 'above' ? sql`${value} > ${threshold}::float8` : sql`${value} < ${threshold}::float8`;
      const ended = operator === 'above' ? sql`${value} <= ${clear}::float8` : sql`${value} >= ${clear}::float8`;
      return sql`select ${columns}, t.at, case when ${holds} then true when ${ended} then false end as holds, ${value}::float8 as value
        from ${owned} join telemetry_reports t on t.router_id = o.router_id and ${held(sql`t.at`)} and ${value} is not null`;
    }
    case 'position-silent': {
      // One that starts again has only a while for its first position: its silence began before that, while it was parked.
      const startsBefore = Math.max(0, forSeconds - FIRST_POSITION_SECONDS);
      return sql`select ${columns}, p.at, true as holds, null::float8 as value
        from ${owned} cross join lateral positions_between(o.router_id, greatest(o.owned_from, ${from}::timestamptz),
          least(o.owned_until, ${now}::timestamptz)) p
        union all select device, serial, vehicle_number,
          case when is_parked then at else greatest(parked_at, at - make_interval(secs => ${startsBefore})) end, not is_parked, null
        from (select ${columns}, c.at, ${isParking} as is_parked, lag(${isParking}) over connections as was_parked, lag(c.at) over connections as parked_at
          from ${owned} join connectivity c on c.router_id = o.router_id and ${held(sql`c.at`)} and c.kind in ('online', 'offline')
          window connections as (partition by o.device, c.router_id order by c.at)) x
        where is_parked or was_parked`;
    }
    case 'geofence': {
      const crossed = condition.geofence === null ? sql`true` : sql`e.geofence_id = ${condition.geofence}::uuid`;
      return sql`select ${columns}, e.at, e.kind = ${condition.event} as holds, null::float8 as value
        from ${owned} join geofence_events e on e.router_id = o.router_id and e.device_id = o.device and ${crossed} and ${held(sql`e.at`)}
          join geofences g on g.organization_id = e.organization_id and g.id = e.geofence_id`;
    }
    default:
      return sql`select ${columns}, c.at, c.kind = 'offline' and not ${isParkedLoss} as holds, null::float8 as value
        from ${owned} join connectivity c on c.router_id = o.router_id and ${held(sql`c.at`)} and c.kind in ('online', 'offline')`;
  }
}
