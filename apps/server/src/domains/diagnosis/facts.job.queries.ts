// Reads tables of other domains: connectivity, devices, esim_profiles, position_faults, router_facts, router_ownership, router_positions, router_rejections, routers, telemetry_hours, telemetry_rollup.
import { diagnosisLimits as limits, DOUBLE_VOLTAGE, positions } from '@highline/contract';
import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { isCurrentRejection } from '../inventory/index.ts';
import { isParkedLoss, readings, type ReadingKey } from '../router-state/index.ts';
import type { DeviceFacts } from './facts.ts';

/** A device, and all that is known about it apart from places. */
export interface FactsRow extends Omit<DeviceFacts, 'compared' | 'worstPlace' | 'identity' | 'positionFault'> {
  readonly id: string;
  readonly organizationId: string;
  readonly mainAccountId: string;
  /** Times of the JSON are text. */
  readonly identity: { readonly reason: 'identity-shared' | 'serial-mismatch'; readonly at: string } | null;
  readonly positionFault: {
    readonly reason: positions.PositionRejection;
    readonly count: number;
    readonly since: string;
    readonly at: string;
  } | null;
}

/** Ends of connections that the server caused. */
const NOT_LOST = ['server-restarted', 'not-seen-since-restart', 'disconnected'];
/** Causes of starts that someone ordered (TR-181, Boot!). */
const ORDERED = ['RemoteReboot', 'RemoteFactoryReset'];

const numberOf = (key: ReadingKey) => sql.lit(readings.find((reading) => reading.key === key)!.number);
const meanOf = (key: ReadingKey) => sql`(h.sums[${numberOf(key)}] / nullif(h.counts[${numberOf(key)}], 0))`;
const rangeOf = (key: ReadingKey) => sql`max(h.maxs[${numberOf(key)}]) - min(h.mins[${numberOf(key)}])`;
const lowVolts = sql`${meanOf('voltage')} < ${sql.lit(limits.supply.volts)} * (case when ${meanOf('voltage')} > ${sql.lit(DOUBLE_VOLTAGE)} then 2 else 1 end)`;

/** A loss at `c` of a device of `b` that a good part of its organization shared. */
const isShared = sql`exists (select from shared_losses s where s.organization_id = b.organization_id
  and s.minute between date_trunc('minute', c.at) - interval '1 minute' and date_trunc('minute', c.at) + interval '1 minute')`;

/** A loss at `c` that is a fault of this router alone. */
const isOwn = sql`c.reason <> all (${NOT_LOST}::text[]) and not ${isShared} and not ${isParkedLoss}`;

/**
 * The facts of these living devices, in the order of their ids. Readings and connections are of the time in which the device had its routers in
 * its organization. Who restarts loses the connection too: such a loss is no other one.
 */
export async function readFacts(tx: Tx, devices: Fragment, now: Date): Promise<FactsRow[]> {
  const from = sql`${now}::timestamptz - make_interval(hours => ${limits.hours})`;
  const { rows } = await sql<FactsRow>`with b as materialized (
      select d.id, d.organization_id, d.main_account_id, d.router_id from devices d
      where d.archived_at is null and d.id in (${devices}) order by d.id
    ), own as materialized (
      select b.id, b.organization_id, o.router_id, greatest(o.owned_from, ${from}) as lo, least(coalesce(o.owned_until, 'infinity'), ${now}::timestamptz) as hi
      from b join router_ownership o on o.device_id = b.id and o.organization_id = b.organization_id and coalesce(o.owned_until, 'infinity') > ${from}
    ), measured as (
      select o.id, min(${meanOf('voltage')}) filter (where ${lowVolts}) as volts, count(*) filter (where ${lowVolts}) as low_hours,
        max(${meanOf('temperature')}) as celsius, sum(h.sums[${numberOf('rsrp')}]) / nullif(sum(h.counts[${numberOf('rsrp')}]), 0) as rsrp,
        count(*) filter (where h.counts[${numberOf('rsrp')}] > 0) as signal_hours,
        coalesce(${rangeOf('bytes_sent')}, 1) + coalesce(${rangeOf('bytes_received')}, 1) as bytes
      from own o join telemetry_hours h on h.router_id = o.router_id and h.at >= o.lo and h.at + interval '1 hour' <= o.hi group by o.id
    ), hours as (
      select b.id, date_bin('1 hour', c.at, 'epoch') as hour,
        count(*) filter (where c.kind = 'offline' and ${isOwn}) as offline,
        count(*) filter (where c.kind = 'boot') as boots,
        count(*) filter (where c.kind = 'boot' and c.reason <> all (${ORDERED}::text[])) as restarts
      from own b join connectivity c on c.router_id = b.router_id and c.at >= b.lo and c.at < b.hi where c.kind in ('offline', 'boot') group by 1, 2
    ), connections as (
      select id, greatest(sum(offline) - sum(boots), 0)::int as losses, (count(*) filter (where offline > boots))::int as loss_hours,
        sum(restarts)::int as restarts, max(restarts)::int as restarts_in_hour
      from hours group by id
    ), lately as (
      select b.id, greatest(count(*) filter (where c.kind = 'offline' and ${isOwn})
        - count(*) filter (where c.kind = 'boot'), 0)::int as losses
      from own b join connectivity c on c.router_id = b.router_id and c.at >= b.lo and c.at < b.hi
        and c.at > ${now}::timestamptz - make_interval(mins => ${limits.unstable.minutes})
      where c.kind in ('offline', 'boot') group by b.id
    )
    select b.id, b.organization_id as "organizationId", b.main_account_id as "mainAccountId", m.volts, coalesce(m.low_hours, 0)::int as "lowHours",
      m.celsius, m.rsrp, (case when m.bytes = 0 then m.signal_hours else 0 end)::int as "idleHours",
      coalesce(c.losses, 0) as losses, coalesce(c.loss_hours, 0) as "lossHours", coalesce(l.losses, 0) as "lossesNow",
      coalesce(c.restarts, 0) as restarts, coalesce(c.restarts_in_hour, 0) as "restartsInHour", r.clock_skew_ms as "clockSkewMs",
      (select jsonb_build_object('reason', x.reason, 'at', x.at) from router_rejections x
        where x.router_id = b.router_id and x.reason in ('identity-shared', 'serial-mismatch') and ${isCurrentRejection}) as identity,
      (select jsonb_build_object('reason', f.reason, 'count', f.count, 'since', f.since, 'at', f.last_at)
        from router_ownership o join position_faults f on f.router_id = o.router_id and f.since >= o.owned_from
          left join router_positions p on p.router_id = f.router_id
        where o.router_id = b.router_id and o.device_id = b.id and o.owned_until is null
          and f.reason = any (${positions.unexpectedRejections}::text[])
          and (p.stored_at is null or p.at < o.owned_from or p.stored_at < f.last_at)
        order by f.last_at desc limit 1) as "positionFault",
      (select min(p.updated_at) from esim_profiles p where p.organization_id = b.organization_id and p.device_id = b.id
        and p.status in ('Fail to download', 'Fail to activate')) as "failedProfile",
      (select min(p.updated_at) from esim_profiles p where p.organization_id = b.organization_id and p.device_id = b.id
        and p.status = 'Out of memory') as "outOfMemory",
      coalesce((select f.value = '' from router_ownership o join router_facts f on f.router_id = o.router_id and f.at >= o.owned_from
        where o.router_id = b.router_id and o.device_id = b.id and o.owned_until is null and f.fact = 'iccid'
        order by f.at desc, f.id desc limit 1), false) as "isSimMissing"
    from b left join routers r on r.id = b.router_id left join measured m on m.id = b.id left join connections c on c.id = b.id
      left join lately l on l.id = b.id
    order by b.id`.execute(tx);
  return rows;
}

/** Devices of one transaction. */
export const BATCH = 500;

/** The next devices of a pass over all. */
export const devicesAfter = (id: string): Fragment =>
  sql`select n.id from devices n where n.id > ${id}::uuid and n.archived_at is null order by n.id limit ${BATCH}`;

/** Devices with these ids. */
export const devicesWith = (ids: readonly string[]): Fragment => sql`select unnest(${[...ids]}::uuid[])`;

/** Quick kinds: what began, or has ended, within minutes. */
const QUICK = ['identity', 'unstable', 'position'];
/** Devices of one look: those without findings, then those whose were looked at longest ago. */
const MOST_LOOKED_AT = 2_000;

/**
 * Devices of which the connection, the identity or the position changed since a time, or whose quick findings may have ended. A report of a change
 * may be committed after one of a later time, so that the look begins a little earlier.
 */
export async function listChanged(tx: Tx, since: Date, now: Date): Promise<string[]> {
  const changed = sql`greatest(${since}::timestamptz, ${now}::timestamptz - interval '1 hour') - interval '1 minute'`;
  const { rows } = await sql<{ id: string }>`select k.id from (
    select d.organization_id, d.id from devices d where d.archived_at is null and d.router_id in (
      select router_id from (select c.router_id from connectivity c
        where c.at > ${now}::timestamptz - make_interval(mins => ${limits.unstable.minutes}) and c.kind = 'offline'
        group by 1 having count(*) >= ${limits.unstable.losses}) often
      union select x.router_id from router_rejections x where x.at > ${changed}
      union select f.router_id from position_faults f where f.last_at > ${changed})
    union select x.organization_id, x.device_id from device_diagnoses x where x.kind = any (${QUICK}::text[])) k
    order by (select min(x.computed_at) from device_diagnoses x where x.organization_id = k.organization_id and x.device_id = k.id) nulls first, k.id
    limit ${MOST_LOOKED_AT}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The end of the hours of readings that are rolled up. */
export async function readRolledUntil(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ until: Date }>`select rolled_until as until from telemetry_rollup`.execute(tx);
  return rows[0]!.until;
}
