// Reads tables of other domains: connectivity, devices, organizations, router_facts, router_ownership, routers, telemetry_reports.
import { sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';
import { historyBegins, isParkedLoss } from '../router-state/index.ts';
import { keptSince } from './kept.queries.ts';

/** An outage that began, as stored but for its hexagon and end. */
export type BegunOutage = Row<
  'outages',
  | 'organization_id'
  | 'device_id'
  | 'router_id'
  | 'began_at'
  | 'kind'
  | 'reason'
  | 'carrier'
  | 'technology'
  | 'serving_cell'
  | 'rsrp'
  | 'latitude'
  | 'longitude'
>;

const LOST = sql`('no-answer', 'connection-lost')`;
/** What a router last said is of the moment before the outage only if the outage is read soon. */
const SOON = sql`interval '10 minutes'`;
const LAST_KNOWN = sql`interval '10 minutes'`;

/** The last fact of a router at the end `c` of a connection. */
const factAt = (fact: 'carrier' | 'technology') => sql`left(coalesce(
  (select f.value from router_facts f where f.router_id = c.router_id and f.fact = ${sql.lit(fact)} and f.at <= c.at order by f.at desc limit 1),
  (select r.reported ->> ${sql.lit(fact)} from routers r where r.id = c.router_id), ''), 100)`;

/**
 * What the end `c` of a connection was. A router that is switched off with the engine, or restarts for a rollout, ends its connection in any way;
 * of all others the way tells who ended it.
 */
const kindOf = (now: Date) => sql`case
  when ${isParkedLoss} then 'parked'
  when c.at > ${now}::timestamptz - ${SOON} and exists (select from devices d where d.organization_id = o.organization_id and d.id = o.device_id and d.is_planned) then 'planned'
  when c.reason in ${LOST} then 'lost' when c.reason = 'closed-by-router' then 'closed' else 'server' end`;

/** Until when connections were read, as a step begins; undefined = another process begins one right now. */
export async function beginStep(tx: Tx, now: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ until: Date | null; first: Date | null }>`select case when isfinite(until) then until end as until,
      (select min(c.at) from connectivity c) as first from outage_progress for update skip locked`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  if (row.until !== null) return row.until;
  const first = row.first ?? new Date(now.getTime() - 60_000);
  await saveProgress(tx, first);
  return first;
}

/** Let no other process read at the same time; false = another one has read on since the step began. */
export async function holdStep(tx: Tx, read: Date): Promise<boolean> {
  const { rows } = await sql`select from outage_progress where until = ${read}::timestamptz for update`.execute(tx);
  return rows.length > 0;
}

/** Connections before this time were read. */
export async function saveProgress(tx: Tx, until: Date): Promise<void> {
  await sql`update outage_progress set until = ${until}::timestamptz`.execute(tx);
}

/** A row of connections, or of owners of routers, in the order of time. */
export interface Place {
  /** Time with microseconds. */
  readonly at: string;
  readonly router_id: string;
}

/** Rows behind a place and before a time. */
export interface Rest {
  readonly after: Place;
  readonly until: Date;
}

/** Rows behind a place and up to another. */
export interface Page {
  readonly after: Place;
  readonly last: Place;
}

const timeOf = { connectivity: 'at', router_ownership: 'owned_from' } as const;
const placeOf = ({ at, router_id }: Place) => sql`(${at}::timestamptz, ${router_id}::uuid)`;
const inPage = (name: 'c.at' | 'w.owned_from', { after, last }: Page) => {
  const [time, row] = [sql.ref(name), sql`(${sql.ref(name)}, ${sql.ref(`${name[0]!}.router_id`)})`];
  return sql`${time} between ${after.at}::timestamptz and ${last.at}::timestamptz and ${row} > ${placeOf(after)} and ${row} <= ${placeOf(last)}`;
};

/** The last of the next rows; undefined = there are none. */
export async function endOfPage(
  tx: Tx,
  table: keyof typeof timeOf,
  { after, until }: Rest,
  limit: number,
): Promise<Place | undefined> {
  const time = sql.ref(timeOf[table]);
  const { rows } = await sql<Place>`select p.at::text as at, p.router_id from (
      select ${time} as at, router_id from ${sql.table(table)} where ${time} >= ${after.at}::timestamptz and ${time} < ${until}::timestamptz
        and (${time}, router_id) > ${placeOf(after)} order by 1, 2 limit ${limit}) p
    order by p.at desc, p.router_id desc limit 1`.execute(tx);
  return rows[0];
}

/** Whether what began at `of`.began_at and ended as `c` is stored as it would be now. */
const isStored = (
  of: 'o' | 'e',
) => sql`exists (select from outages x where x.organization_id = ${sql.ref(`${of}.organization_id`)}
  and x.device_id = ${sql.ref(`${of}.device_id`)} and x.began_at = ${sql.ref(`${of}.began_at`)} and (x.kind = 'parked' or not ${isParkedLoss}))`;

/**
 * Outages that began in a page of connections and are not stored yet: ends of connections of devices, of which the router was connected before. Where it
 * was before a transfer is the matter of its former owner.
 */
export async function readBegun(tx: Tx, page: Page, now: Date): Promise<BegunOutage[]> {
  // What is stored, in milliseconds, is left out before the last readings and positions are looked up.
  const { rows } = await sql<BegunOutage>`with ended as materialized (
      select o.organization_id, o.device_id, c.router_id, c.at, c.reason, o.owned_from
      from connectivity c
        join router_ownership o on o.router_id = c.router_id and c.at >= o.owned_from and c.at < coalesce(o.owned_until, 'infinity')
        cross join lateral (select o.organization_id, o.device_id, date_trunc('milliseconds', c.at) as began_at) e
      where ${inPage('c.at', page)} and c.kind = 'offline' and not ${isStored('e')})
    select o.organization_id, o.device_id, c.router_id, c.at as began_at, ${kindOf(now)} as kind, c.reason,
      ${factAt('carrier')} as carrier, ${factAt('technology')} as technology,
      case when c.at > ${now}::timestamptz - ${SOON}
        then coalesce((select left(r.reported ->> 'cell_id', 40) from routers r where r.id = c.router_id), '') else '' end as serving_cell,
      (select t.rsrp::real from telemetry_reports t where t.router_id = c.router_id and t.at > c.at - interval '15 minutes' and t.at <= c.at
        and t.rsrp is not null order by t.at desc limit 1) as rsrp, p.latitude, p.longitude
    from ended c
      cross join lateral (select c.organization_id, c.device_id) o
      left join lateral (select b.kind from connectivity b where b.router_id = c.router_id and b.at < c.at and b.kind in ('online', 'offline')
        order by b.at desc limit 1) b on true
      left join lateral (select p.latitude, p.longitude from positions_between(c.router_id, greatest(c.owned_from, c.at - ${LAST_KNOWN}), c.at + interval '1 microsecond') p
        where not p.is_jump order by p.at desc limit 1) p on true
    where b.kind is distinct from 'offline'`.execute(tx);
  return rows;
}

/** The last beginning or end of a connection of the router of an ownership `o`, before `o.began_at`. */
const lastBefore = sql`(select b.kind, b.at, b.reason from connectivity b where b.router_id = o.router_id and b.at <= o.began_at
  and b.kind in ('online', 'offline') order by b.at desc limit 1)`;

/**
 * Outages of devices that got the router of another one in a page of owners, or another router, which had lost its connection before, and that are not
 * stored yet: they begin when the router became theirs. One from stock, wherever it was tried, has none until it connects. Why is known of the end `c` of its last connection, or of its state where that is no longer kept; where it was then is the matter of its former owner.
 */
export async function readTakenOver(tx: Tx, page: Page, now: Date): Promise<BegunOutage[]> {
  const { rows } =
    await sql<BegunOutage>`select o.organization_id, o.device_id, o.router_id, o.began_at, ${kindOf(now)} as kind, c.reason,
      ${factAt('carrier')} as carrier, ${factAt('technology')} as technology, '' as serving_cell, null::real as rsrp, null::float8 as latitude,
      null::float8 as longitude
    from (select w.*, date_trunc('milliseconds', w.owned_from + interval '999 microseconds') as began_at from router_ownership w
        where ${inPage('w.owned_from', page)} and (
          exists (select from router_ownership f where f.router_id = w.router_id and f.owned_from < w.owned_from)
          or exists (select from router_ownership f where f.device_id = w.device_id and f.owned_from < w.owned_from))) o
      join routers r on r.id = o.router_id and r.presence_since is not null
      left join lateral ${lastBefore} b on true
      cross join lateral (select o.router_id, coalesce(b.at, r.presence_since) as at, coalesce(b.reason, r.presence_reason, 'no-answer') as reason) c
    where coalesce(o.owned_until, 'infinity') > o.began_at
      and coalesce(b.kind, case when r.presence_since <= o.began_at then r.presence end) = 'offline'
      and not ${isStored('o')}`.execute(tx);
  return rows;
}

/** Store outages that are not stored yet, one for each device and beginning. Of one that is, it may have come since that the vehicle was parked. */
export async function insertBegun(tx: Tx, outages: readonly (BegunOutage & Row<'outages', 'hexagon'>)[]): Promise<void> {
  if (outages.length === 0) return;
  await sql`insert into outages select distinct on (organization_id, device_id, began_at) *
    from jsonb_populate_recordset(null::outages, ${JSON.stringify(outages)}::jsonb)
    order by organization_id, device_id, began_at, kind = 'parked' desc
    on conflict (organization_id, device_id, began_at) do update set kind = excluded.kind
      where excluded.kind = 'parked' and outages.kind <> 'parked'`.execute(tx);
}

/** Whether outage `x` goes on although the device no longer has the router, and since when. */
const owner = sql`(select min(o.owned_until) from router_ownership o where o.router_id = x.router_id and o.device_id = x.device_id
  and o.organization_id = x.organization_id and o.owned_from <= x.began_at and coalesce(o.owned_until, 'infinity') > x.began_at)`;
const back = sql`(select min(c.at) from connectivity c where c.router_id = x.router_id and c.kind = 'online' and c.at > x.began_at)`;

/** End outages of routers that connected in a page of connections. */
export async function endOutages(tx: Tx, page: Page): Promise<void> {
  await sql`update outages x set ended_at = least(${back}, ${owner}) where x.ended_at is null and x.router_id in (
      select c.router_id from connectivity c where ${inPage('c.at', page)} and c.kind = 'online')
    and ${back} is not null`.execute(tx);
}

/** End outages of devices that have lost their router since a time. */
export async function endOfFormer(tx: Tx, from: Date): Promise<void> {
  await sql`update outages x set ended_at = ${owner} where x.ended_at is null and ${owner} is not null and x.router_id = any (array(
      select w.router_id from router_ownership w where w.owned_until >= ${from}::timestamptz))`.execute(tx);
}

/** Rows deleted in one transaction. */
const BATCH = 10_000;

/**
 * Delete outages that ended before the retention of the installation, and of organizations that keep less; one that goes on is no history.
 * The beginning is before the end, and has an index.
 * @returns whether there may be more
 */
export async function deleteOld(tx: Tx, now: Date, days: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from outages x where (x.organization_id, x.device_id, x.began_at) in (
      select organization_id, device_id, began_at from outages
        where began_at < ${historyBegins(now, days)}::timestamptz and ended_at < ${historyBegins(now, days)}::timestamptz
      union all
      select x.organization_id, x.device_id, x.began_at from organizations o
        join outages x on x.organization_id = o.id and x.began_at < ${keptSince(now, days)} and x.ended_at < ${keptSince(now, days)}
      where o.retention_days < ${days}::int
      limit ${BATCH})`.execute(tx);
  return Number(numAffectedRows) === BATCH;
}
