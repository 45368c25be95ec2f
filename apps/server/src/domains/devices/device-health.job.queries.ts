// Reads tables of other domains: connectivity, router_ownership, telemetry_hours, telemetry_rollup.
import type { HealthInputs } from '@highline/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';
import { isParkedLoss, readings } from '../router-state/index.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** Devices of one transaction. */
export const HEALTH_BATCH = 500;
const WINDOW = '24 hours';
const LEAST_ID = '00000000-0000-0000-0000-000000000000';
/** Reasons of an outage that say nothing about the router. */
const NOT_A_DROP = ['server-restarted', 'not-seen-since-restart', 'disconnected'] as const;

/** Devices after `after` are still to be computed, from the hours before `target`. */
export interface HealthPass {
  readonly target: Date;
  readonly after: string;
}

/** What the score of a device is made from. */
export type HealthFigures = HealthInputs & Row<'devices', 'id'>;

/** The pass that runs, or a new one if further hours were rolled up. */
export async function nextPass(tx: Tx): Promise<HealthPass | undefined> {
  const { rows: locked } = await sql<{
    mine: boolean;
  }>`select pg_try_advisory_xact_lock(hashtext('device_health')) as mine`.execute(tx);
  if (!locked[0]!.mine) return undefined;
  const { rows } =
    await sql<HealthPass>`select coalesce(p.target, r.rolled_until) as target, coalesce(p.after_device, ${LEAST_ID}::uuid) as after
    from device_health_pass p cross join telemetry_rollup r where p.target is not null or p.computed_until < r.rolled_until`.execute(
      tx,
    );
  return rows[0];
}

const numberOf = (key: string) => sql.lit(readings.find((reading) => reading.key === key)!.number);
const mean = (key: string) => sql`sum(h.sums[${numberOf(key)}]) / nullif(sum(h.counts[${numberOf(key)}]), 0)`;

/** Figures of the next devices, of every organization: hours and outages of the time in which the device had its routers. */
export async function readFigures(tx: Tx, { target, after }: HealthPass): Promise<HealthFigures[]> {
  const { rows } = await sql<HealthFigures>`with batch as materialized (
      select d.id from devices d where d.id > ${after}::uuid and d.archived_at is null order by d.id limit ${HEALTH_BATCH}
    ), own as materialized (
      select b.id, o.router_id, greatest(o.owned_from, ${target}::timestamptz - ${WINDOW}::interval) as lo,
        least(coalesce(o.owned_until, 'infinity'), ${target}::timestamptz) as hi
      from batch b join router_ownership o on o.device_id = b.id and coalesce(o.owned_until, 'infinity') > ${target}::timestamptz - ${WINDOW}::interval
    ), measured as (
      select o.id, ${mean('rsrp')} as rsrp, ${mean('rssi')} as rssi, max(h.maxs[${numberOf('temperature')}]) as temperature,
        min(h.mins[${numberOf('voltage')}]) as voltage
      from own o join telemetry_hours h on h.router_id = o.router_id and h.at >= o.lo and h.at + interval '1 hour' <= o.hi group by o.id
    ), dropped as (
      select o.id, count(*)::int as drops
      from own o join connectivity c on c.router_id = o.router_id and c.at >= o.lo and c.at < o.hi
      where c.kind = 'offline' and c.reason <> all (${[...NOT_A_DROP]}::text[]) and not ${isParkedLoss} group by o.id
    )
    select b.id, m.rsrp, m.rssi, m.temperature, m.voltage, coalesce(x.drops, 0) as drops
    from batch b left join measured m on m.id = b.id left join dropped x on x.id = b.id order by b.id`.execute(tx);
  return rows;
}
