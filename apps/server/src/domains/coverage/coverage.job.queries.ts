// Reads tables of other domains: connectivity, organizations, router_facts, router_ownership, routers, telemetry_reports.
import { sql, type RawBuilder } from 'kysely';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { isParkedLoss, isPlannedLoss } from '../router-state/index.ts';
import { columnsOf, rsrpBins, rsrqBins } from './bins.ts';
import { MOST_LOST_MS, type CellDay, type Drop, type DueSlot, type SignalSample, type SlotCell } from './folding.ts';

/** A report counts where the router was at most this long before or after it: a kilometre at 60 km/h. */
const NEAR = sql`interval '60 seconds'`;
/** A lost connection counts at the last position before it, at most this old. */
const LAST_KNOWN = sql`interval '10 minutes'`;
/** A connection that the router or the server closed on purpose says nothing about coverage. */
const LOST = sql`('no-answer', 'connection-lost')`;
const slotsOf = (slots: readonly DueSlot[]) => sql`unnest(${slots.map((each) => each.router_id)}::uuid[],
  ${slots.map(({ slot }) => slot.toISOString())}::timestamptz[]) l (router_id, slot)`;

/** Take slots that are due, the oldest first; their marks are gone with the transaction. */
export async function takeDue(tx: Tx, now: Date, limit: number): Promise<DueSlot[]> {
  const { rows } = await sql<DueSlot>`with chosen as materialized (
      select distinct d.slot, d.router_id from coverage_due d where d.due_at <= ${now}::timestamptz order by d.slot, d.router_id limit ${limit}
    ), taken as (
      delete from coverage_due d using chosen c where d.slot = c.slot and d.router_id = c.router_id and d.due_at <= ${now}::timestamptz
    ) select router_id, slot from chosen`.execute(tx);
  return rows;
}

/** The last fact of a router at a time; before the first that is known, that one. */
const factAt = (fact: 'carrier' | 'technology', at: RawBuilder<unknown>) => sql`left(coalesce(
  (select f.value from router_facts f where f.router_id = l.router_id and f.fact = ${sql.lit(fact)} and f.at <= ${at} order by f.at desc limit 1),
  (select f.value from router_facts f where f.router_id = l.router_id and f.fact = ${sql.lit(fact)} and f.at > ${at} order by f.at limit 1),
  (select r.reported ->> ${sql.lit(fact)} from routers r where r.id = l.router_id), ''), 100)`;

/** The carrier of a report of `placedReports`. */
export const carrierOfReport = factAt('carrier', sql`t.at`);

const network = (at: RawBuilder<unknown>) => sql`${factAt('carrier', at)} as carrier, ${factAt('technology', at)} as technology`;
const place = sql`l.router_id, l.slot, o.organization_id, o.device_id, p.latitude, p.longitude`;

/** Reports `t` with a signal in slots `l`, at the position `p` where the router was known to be, and whose it was (`o`). */
export const placedReports = (slots: RawBuilder<unknown>) => sql`${slots}
      cross join lateral (select array_agg(p.at) as times, array_agg(p.latitude) as latitudes, array_agg(p.longitude) as longitudes,
          array_agg(p.is_jump) as jumps
        from positions_between(l.router_id, l.slot - ${NEAR}, l.slot + interval '10 minutes' + ${NEAR}) p) w
      join telemetry_reports t on t.router_id = l.router_id and t.at >= l.slot and t.at < l.slot + interval '10 minutes'
        and (t.rsrp is not null or t.rsrq is not null)
      cross join lateral (select s.at, s.latitude, s.longitude, s.is_jump
        from unnest(w.times, w.latitudes, w.longitudes, w.jumps) s (at, latitude, longitude, is_jump)
        where s.at between t.at - ${NEAR} and t.at + ${NEAR} order by abs(extract(epoch from s.at - t.at)), s.at limit 1) p
      join router_ownership o on o.router_id = t.router_id and least(t.at, p.at) >= o.owned_from
        and greatest(t.at, p.at) < coalesce(o.owned_until, 'infinity') and not p.is_jump`;

/** Reports with a signal in slots, where the router was known to be. */
export async function readSamples(tx: Tx, slots: readonly DueSlot[]): Promise<SignalSample[]> {
  const { rows } = await sql<SignalSample>`select ${place}, t.rsrp, t.rsrq, ${network(sql`t.at`)}
    from ${placedReports(slotsOf(slots))}`.execute(tx);
  return rows;
}

/** Connections that were lost in slots, where the router was last known to be; as outages, without those of parked vehicles and of rollouts. */
export async function readDrops(tx: Tx, slots: readonly DueSlot[]): Promise<Drop[]> {
  const { rows } = await sql<Drop>`select ${place}, c.at, n.at as back_at, ${network(sql`c.at`)}
    from ${slotsOf(slots)}
      join connectivity c on c.router_id = l.router_id and c.at >= l.slot and c.at < l.slot + interval '10 minutes'
        and c.kind = 'offline' and c.reason in ${LOST}
      cross join lateral (select p.at, p.latitude, p.longitude, p.is_jump
        from positions_between(c.router_id, c.at - ${LAST_KNOWN}, c.at + interval '1 microsecond') p order by p.at desc limit 1) p
      join router_ownership o on o.router_id = c.router_id and p.at >= o.owned_from and c.at < coalesce(o.owned_until, 'infinity')
      left join lateral (select n.at from connectivity n where n.router_id = c.router_id and n.kind = 'online' and n.at > c.at
        and n.at <= c.at + ${MOST_LOST_MS / 1_000} * interval '1 second' order by n.at limit 1) n on true
    where not p.is_jump and not ${isParkedLoss} and not ${isPlannedLoss('o')}`.execute(tx);
  return rows;
}

/** Read these slots again from a time on: an outage goes on. */
export async function markAgain(tx: Tx, again: readonly (DueSlot & { readonly dueAt: Date })[]): Promise<void> {
  if (again.length === 0) return;
  await tx
    .insertInto('coverage_due')
    .values(again.map(({ router_id, slot, dueAt }) => ({ router_id, slot, due_at: dueAt })))
    .execute();
}

/** Replace what slots of routers say. @returns what they said before */
export async function replaceSlots(tx: Tx, slots: readonly DueSlot[], cells: readonly SlotCell[]): Promise<SlotCell[]> {
  const { rows } = await sql<SlotCell>`delete from coverage_slots s using ${slotsOf(slots)}
    where s.router_id = l.router_id and s.slot = l.slot returning s.*`.execute(tx);
  if (cells.length > 0)
    await sql`insert into coverage_slots select * from jsonb_populate_recordset(null::coverage_slots, ${JSON.stringify(cells)}::jsonb)`.execute(
      tx,
    );
  return rows;
}

const sums = ['samples', 'drops', 'lost_seconds'];
const bins = [...columnsOf(rsrpBins), ...columnsOf(rsrqBins)];
const key = sql`(organization_id, cell, day, carrier, technology)`;
const added = sql.join([
  ...sums.map((name) => sql`${sql.ref(name)} = d.${sql.ref(name)} + excluded.${sql.ref(name)}`),
  ...bins.map((name) => {
    const [before, more] = [sql`d.${sql.ref(name)}`, sql`excluded.${sql.ref(name)}`];
    return sql`${sql.ref(name)} = case when ${more} is null then ${before} else nullif(coalesce(${before}, 0) + ${more}, 0) end`;
  }),
]);

/** Add to the sums by hexagon and day; what is left with nothing is deleted. */
export async function addToDays(tx: Tx, days: readonly CellDay[]): Promise<void> {
  if (days.length === 0) return;
  const rows = JSON.stringify(days);
  const names = sql.join(
    ['organization_id', 'cell', 'day', 'carrier', 'technology', 'resolution', ...sums, ...bins].map((name) => sql.ref(name)),
  );
  await sql`insert into coverage_days as d (${names}) select ${names} from jsonb_populate_recordset(null::coverage_days, ${rows}::jsonb)
    on conflict ${key} do update set ${added}`.execute(tx);
  await sql`delete from coverage_days d using jsonb_populate_recordset(null::coverage_days, ${rows}::jsonb) r
    where (d.organization_id, d.cell, d.day, d.carrier, d.technology) = (r.organization_id, r.cell, r.day, r.carrier, r.technology)
      and d.samples = 0 and d.drops = 0`.execute(tx);
}

/** Note networks that organizations use, and days whose vehicles have to be compared again. */
export async function noteChanges(tx: Tx, days: readonly CellDay[]): Promise<void> {
  if (days.length === 0) return;
  const of = <Key extends keyof CellDay>(name: Key) => days.map((row) => row[name]);
  const rows = sql`unnest(${of('organization_id')}::uuid[], ${of('day')}::date[], ${of('carrier')}::text[], ${of('technology')}::text[])
    u (organization_id, day, carrier, technology)`;
  await sql`insert into coverage_networks as n (organization_id, carrier, technology, last_day)
    select u.organization_id, u.carrier, u.technology, max(u.day) from ${rows} group by 1, 2, 3
    on conflict (organization_id, carrier, technology) do update set last_day = greatest(n.last_day, excluded.last_day)`.execute(
    tx,
  );
  await sql`insert into coverage_comparisons as c (organization_id, day, changes)
    select distinct u.organization_id, u.day, 1 from ${rows}
    on conflict (organization_id, day) do update set changes = c.changes + 1`.execute(tx);
}

/** Others wait for the end of this transaction before they do the same; false = another process is at it. */
export async function isMine(tx: Tx, work: 'slots' | 'comparisons'): Promise<boolean> {
  const { rows } = await sql<{
    mine: boolean;
  }>`select pg_try_advisory_xact_lock(hashtext(${`coverage ${work}`})) as mine`.execute(tx);
  return rows[0]!.mine;
}

/** Organizations that keep readings and history for fewer days than this. */
export async function keepingLess(queries: Queries, days: number): Promise<{ readonly id: string; readonly days: number }[]> {
  return queries
    .selectFrom('organizations')
    .select((of) => ['id', of.ref('retention_days').$notNull().as('days')])
    .where('retention_days', '<', days)
    .execute();
}

/** SQLSTATE of a lock that was not available in time. */
const LOCK_TIMEOUT = '55P03';

/** Close slots before a time, while no transaction adds to any. A lock that is not free within a second is left for the next run. */
export async function closeSlots(tx: Tx, until: Date): Promise<void> {
  if (!(await isMine(tx, 'slots'))) return;
  const { rows } = await sql`select from coverage_progress where closed_until < ${until}::timestamptz`.execute(tx);
  if (rows.length === 0) return;
  await sql`set local lock_timeout = '1s'`.execute(tx);
  await sql`select pg_advisory_xact_lock(hashtext('coverage_slots'))`.execute(tx);
  await tx.updateTable('coverage_progress').set({ closed_until: until }).where('closed_until', '<', until).execute();
}

export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === LOCK_TIMEOUT;

/** Mark the slots of the next hours that were closed and not marked. @returns false when there are none */
export async function markClosed(tx: Tx, oldest: Date): Promise<boolean> {
  if (!(await isMine(tx, 'slots'))) return false;
  const { rows } = await sql<{ begin: Date; until: Date }>`select begin, least(closed_until, begin + interval '6 hours') as until
    from (select greatest(marked_until, ${oldest}::timestamptz) as begin, closed_until from coverage_progress) p where begin < closed_until`.execute(
    tx,
  );
  const [open] = rows;
  if (open === undefined) return false;
  const within = sql`at >= ${open.begin}::timestamptz and at < ${open.until}::timestamptz`;
  await sql`insert into coverage_due (slot, router_id)
    select distinct coverage_slot_of(at), router_id from (
      select at, router_id from telemetry_reports where ${within} and (rsrp is not null or rsrq is not null)
      union all select at, router_id from connectivity where ${within} and kind = 'offline') e`.execute(tx);
  await tx.updateTable('coverage_progress').set({ marked_until: open.until }).execute();
  return true;
}
