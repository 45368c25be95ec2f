import { sql, type RawBuilder } from 'kysely';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Database, Tx } from '../../../platform/ports/database.ts';
import { readings } from '../facts.ts';
import type { Row } from '../../../platform/ports/tables.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** An hour is rolled up this long after its end: most of its reports have arrived. Later ones are added by their marks. */
const GRACE_MS = 600_000;
/** Routers whose hour is rolled up in one transaction: one of all routers took longer than a statement may. */
const ROUTERS = 2_000;
const LEAST_ID = '00000000-0000-0000-0000-000000000000';
/** Marked hours of routers in one transaction. */
const MARKS = 500;
/** SQLSTATE of a lock that was not available in time. */
const LOCK_TIMEOUT = '55P03';

/** One array with an element for each reading, at the place of its number. */
const perReading = (element: (column: RawBuilder<unknown>) => RawBuilder<unknown>, type: 'integer' | 'float8') =>
  sql`array[${sql.join(readings.map(({ key }) => element(sql.ref(`t.${key}`))))}]::${sql.raw(type)}[]`;

const ofReports = sql`${perReading((value) => sql`count(${value})`, 'integer')},
  ${perReading((value) => sql`sum(${value})`, 'float8')}, ${perReading((value) => sql`min(${value})`, 'float8')},
  ${perReading((value) => sql`max(${value})`, 'float8')}`;

const perNumber = (call: string, column: string) =>
  sql`array[${sql.join(readings.map(({ number }) => sql`${sql.raw(call)}(${sql.ref(`t.${column}`)}[${sql.lit(number)}])`))}]`;

const ofHours = sql`${perNumber('sum', 'counts')}::integer[], ${perNumber('sum', 'sums')}, ${perNumber('min', 'mins')},
  ${perNumber('max', 'maxs')}`;

const replaced = sql`on conflict (router_id, at) do update
  set counts = excluded.counts, sums = excluded.sums, mins = excluded.mins, maxs = excluded.maxs`;

/**
 * Rolls up the hours that have ended, some routers in each transaction, and those to which reports were added since. A run that was
 * interrupted continues where it was; of several processes one does the work.
 *
 * No report is missed: hours are closed while no transaction adds reports, so those of the hour are either committed before it is
 * read, or its transaction sees that the hour is closed and marks it.
 */
export function rollupJob(database: Database, routersAtOnce = ROUTERS): Job {
  return {
    name: 'telemetry.rollups',
    everyMs: 60_000,
    async run(now) {
      await closeHours(database, new Date(startOf(now.getTime() - GRACE_MS, HOUR_MS)));
      while (await database.write((tx) => rollUpHour(tx, routersAtOnce))) continue;
      while ((await database.write(rollUpLate)) === MARKS) continue;
    },
  };
}

const startOf = (time: number, width: number) => Math.floor(time / width) * width;

/** Others wait for the end of this transaction before they do the same; false = another process is at it. */
async function isMine(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(hashtext('telemetry_rollup')) as mine`.execute(
    tx,
  );
  return rows[0]!.mine;
}

async function closeHours(database: Database, until: Date): Promise<void> {
  const open = await database.read
    .selectFrom('telemetry_rollup')
    .select('closed_until')
    .where('closed_until', '<', until)
    .execute();
  if (open.length === 0) return;
  try {
    await database.write(async (tx) => {
      if (!(await isMine(tx))) return;
      // Transactions that add reports end within milliseconds; behind one that hangs, no others may queue.
      await sql`set local lock_timeout = '1s'`.execute(tx);
      await sql`select pg_advisory_xact_lock(hashtext('telemetry_reports'))`.execute(tx);
      await tx.updateTable('telemetry_rollup').set({ closed_until: until }).where('closed_until', '<', until).execute();
    });
  } catch (error) {
    // The next run tries again; hours that are closed already can be rolled up.
    if ((error as { code?: unknown }).code !== LOCK_TIMEOUT) throw error;
  }
}

interface Progress {
  readonly rolled_until: Date;
  readonly closed_until: Date;
}

/**
 * Roll up the oldest closed hour with reports, and its day if it is the last of it, of the next routers; it counts once it has all.
 * @returns false when there is none
 */
async function rollUpHour(tx: Tx, most: number): Promise<boolean> {
  if (!(await isMine(tx))) return false;
  const state = await tx.selectFrom('telemetry_rollup').selectAll().executeTakeFirstOrThrow();
  if (state.rolled_until >= state.closed_until) return false;
  const hour = await firstWithReports(tx, state);
  if (hour >= state.closed_until) {
    await tx.updateTable('telemetry_rollup').set({ rolled_until: state.closed_until }).execute();
    return false;
  }
  const end = new Date(hour.getTime() + HOUR_MS);
  const day = new Date(startOf(hour.getTime(), DAY_MS));
  const dayEnd = new Date(day.getTime() + DAY_MS);
  const date = day.toISOString().slice(0, 10);
  await sql`select ensure_partitions(${date}::date, ${date}::date)`.execute(tx);
  const after = state.rolling_hour?.getTime() === hour.getTime() ? state.after_router! : LEAST_ID;
  const routers = await nextRouters(tx, { from: day, until: dayEnd }, after, most);
  // One router after the other by its index: a join could read the whole hour for each page.
  const each = sql`unnest(${routers}::uuid[]) r (id)`;
  await sql`insert into telemetry_hours (router_id, at, counts, sums, mins, maxs)
    select r.id, ${hour}::timestamptz, t.* from ${each} cross join lateral (select ${ofReports} from telemetry_reports t
      where t.router_id = r.id and t.at >= ${hour}::timestamptz and t.at < ${end}::timestamptz having count(*) > 0) t ${replaced}`.execute(
    tx,
  );
  if (end.getTime() === dayEnd.getTime())
    await sql`insert into telemetry_days (router_id, at, counts, sums, mins, maxs)
      select r.id, ${day}::timestamptz, t.* from ${each} cross join lateral (select ${ofHours} from telemetry_hours t
        where t.router_id = r.id and t.at >= ${day}::timestamptz and t.at < ${end}::timestamptz having count(*) > 0) t ${replaced}`.execute(
      tx,
    );
  await tx
    .updateTable('telemetry_rollup')
    .set(routers.length < most ? { rolled_until: end } : { rolling_hour: hour, after_router: routers.at(-1)! })
    .execute();
  return true;
}

/** The next routers with reports or hours of a day, in the order of their ids: each is one look-up in an index. */
async function nextRouters(tx: Tx, { from, until }: Readonly<Record<'from' | 'until', Date>>, after: string, most: number) {
  const nextIn = (table: string, id: RawBuilder<unknown>) => sql`(select t.router_id from ${sql.table(table)} t
    where t.at >= ${from}::timestamptz and t.at < ${until}::timestamptz and t.router_id > ${id} order by t.router_id limit 1)`;
  const next = (id: RawBuilder<unknown>) => sql`least(${nextIn('telemetry_reports', id)}, ${nextIn('telemetry_hours', id)})`;
  const { rows } = await sql<Row<'telemetry_hours', 'router_id'>>`with recursive page (router_id, number) as (
      select ${next(sql`${after}::uuid`)}, 1
      union all select ${next(sql`p.router_id`)}, p.number + 1 from page p where p.router_id is not null and p.number < ${most}::integer
    ) select router_id from page where router_id is not null order by router_id`.execute(tx);
  return rows.map((row) => row.router_id);
}

/** The first hour with reports from where the rollups end, and in any case the last one of that day: it completes the day. */
async function firstWithReports(tx: Tx, { rolled_until: from, closed_until: until }: Progress): Promise<Date> {
  const lastOfDay = startOf(from.getTime(), DAY_MS) + DAY_MS - HOUR_MS;
  const { rows } = await sql<{ at: Date | null }>`select min(t.at) as at from telemetry_reports t
    where t.at >= ${from}::timestamptz and t.at < ${until}::timestamptz`.execute(tx);
  return new Date(Math.min(startOf(rows[0]!.at?.getTime() ?? Infinity, HOUR_MS), lastOfDay));
}

/** Roll up hours of routers that got further reports, and their days. @returns how many hours of routers */
async function rollUpLate(tx: Tx): Promise<number> {
  if (!(await isMine(tx))) return 0;
  const { rows } = await sql<Row<'telemetry_late', 'router_id' | 'hour'>>`with chosen as materialized (
      select distinct l.hour, l.router_id from telemetry_late l, telemetry_rollup s where l.hour < s.rolled_until
      order by l.hour, l.router_id limit ${MARKS}
    ), processed as (
      delete from telemetry_late l using chosen c where l.hour = c.hour and l.router_id = c.router_id
    ) select hour, router_id from chosen`.execute(tx);
  const pairs = (times: readonly Date[]) => sql`unnest(${rows.map((row) => row.router_id)}::uuid[], ${times}::timestamptz[])`;
  const hours = rows.map(({ hour }) => hour);
  // A mark and its reports are committed together, and this statement reads what is committed now: at least all that was marked.
  await sql`insert into telemetry_hours (router_id, at, counts, sums, mins, maxs)
    select l.router_id, l.hour, ${ofReports} from ${pairs(hours)} l (router_id, hour)
      join telemetry_reports t on t.router_id = l.router_id and t.at >= l.hour and t.at < l.hour + interval '1 hour'
    group by l.router_id, l.hour ${replaced}`.execute(tx);
  const days = hours.map((hour) => new Date(startOf(hour.getTime(), DAY_MS)));
  await sql`insert into telemetry_days (router_id, at, counts, sums, mins, maxs)
    select l.router_id, l.day, ${ofHours} from (select distinct * from ${pairs(days)}) l (router_id, day)
      join telemetry_hours t on t.router_id = l.router_id and t.at >= l.day and t.at < l.day + interval '24 hours'
    where l.day + interval '24 hours' <= (select rolled_until from telemetry_rollup)
    group by l.router_id, l.day ${replaced}`.execute(tx);
  return rows.length;
}
