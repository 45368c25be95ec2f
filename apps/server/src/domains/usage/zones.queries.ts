// Reads tables of other domains: organizations.
import { sql } from 'kysely';
import { addDays, dayIn, utcDay, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import type { Fragment, Reader } from '../../platform/listing/index.ts';
import type { Queries } from '../../platform/ports/database.ts';
import { organizationsOf } from '../../platform/resources/organizations.ts';
import { cycleTimes } from './cycles.ts';
import { zonesOf, type ZonedFrom } from './zones.job.queries.ts';

/** The zone that the days of an organization are in now, and the one that follows, if one was chosen. */
export async function readZone(
  queries: Queries,
  { organizationId }: OrganizationScope,
  now: Date,
): Promise<{ readonly zone: string; readonly next: ZonedFrom | undefined }> {
  const all = (await zonesOf(queries, [organizationId])).get(organizationId) ?? [];
  return {
    zone: all.findLast(({ from }) => from <= now.getTime())?.zone ?? 'UTC',
    next: all.find(({ from }) => from > now.getTime()),
  };
}

/** Today as the days of an organization count, ISO text, and the zone. */
export async function readToday(queries: Queries, scope: OrganizationScope, now: Date) {
  const { zone } = await readZone(queries, scope, now);
  return { zone, today: dayIn(zone, now) };
}

/** The zone that the days of an organization are in now, for files that are read in parts. */
export async function readDayZone(reader: Reader, { organizationId }: OrganizationScope, now: Date): Promise<string> {
  const [row] = await reader.rows<{ zone: string }>(
    sql`select ${zoneOf(sql`${organizationId}::uuid`, sql`${now}::timestamptz`)} as zone`,
  );
  return row!.zone;
}

/** The zone that the days of an organization are in at a time, in SQL. @param organization its id */
export function zoneOf(organization: Fragment, at: Fragment): Fragment {
  return sql`coalesce((select z.zone from usage_zones z where z.organization_id = ${organization}
    and z.from_at <= ${at} order by z.from_at desc limit 1), 'UTC')`;
}

/** Today as the days of an organization count, in SQL. @param organization its id */
export function todayOf(organization: Fragment, now: Date): Fragment {
  const at = sql`${now}::timestamptz`;
  return sql`(${at} at time zone ${zoneOf(organization, at)})::date`;
}

/** The organizations of a scope as `t`: id, and `today` as their days count. */
export function todays(scope: Scope, now: Date): Fragment {
  // Offset 0: once for each organization, not for each row that is joined.
  return sql`(select o.id, ${todayOf(sql`o.id`, now)} as today from organizations o where ${organizationsOf(scope)} offset 0) t`;
}

/** The cycles of all SIMs while it is a day somewhere; of each cycle its values are at the same place of the lists. */
interface CyclesOfDay {
  readonly today: string;
  readonly back: readonly number[];
  readonly cycle_from: readonly string[];
  /** The first day of the next one. */
  readonly cycle_until: readonly string[];
  /** Null: all SIMs that have a cycle from this day on. Else only those whose cycle begins on one of these days, as PostgreSQL writes an array. */
  readonly cycle_days: readonly (string | null)[];
}

/**
 * The first days of cycles, so many before the one that runs. On the last day of a month cycles of several days begin, which end on different ones, and some
 * may have ended: in March, that of the 28th from February 28 on, while that of the 31st runs.
 */
function cyclesByDay(backs: readonly number[], now: Date): CyclesOfDay[] {
  return [-1, 0, 1].map((offset) => {
    const today = addDays(utcDay(now), offset);
    const cycles = backs.flatMap((back) => {
      const all = Array.from({ length: 31 }, (_, index) => {
        let cycle = cycleTimes(index + 1, today);
        for (let ago = 0; ago < back; ago++) cycle = cycleTimes(index + 1, addDays(cycle.from, -1));
        return { ...cycle, day: index + 1 };
      });
      return Map.groupBy(all, ({ from, until }) => `${from} ${until}`)
        .values()
        .map((group) => {
          const { from, until } = group[0]!;
          const first = Number(from.slice(8));
          const isWhole = group.length === (addDays(from, 1).endsWith('-01') ? 32 - first : 1);
          return { back, from, until, days: isWhole ? null : `{${group.map(({ day }) => day).join(',')}}` };
        })
        .toArray();
    });
    return {
      today,
      back: cycles.map(({ back }) => back),
      cycle_from: cycles.map(({ from }) => from),
      cycle_until: cycles.map(({ until }) => until),
      cycle_days: cycles.map(({ days }) => days),
    };
  });
}

/**
 * Rows `c` of usage_cycles of cycles `k`: so many before the one that runs. The cycles are lists, since PostgreSQL expects some rows of a list, and one of
 * a table without statistics: it would look up the device of each of 100,000 rows by itself.
 * @param today of their organization, in SQL
 */
export function cyclesOf(backs: readonly number[], now: Date, today: Fragment): Fragment {
  return sql`usage_cycles c join jsonb_to_recordset(${JSON.stringify(cyclesByDay(backs, now))}::jsonb)
      w (today date, back integer[], cycle_from date[], cycle_until date[], cycle_days text[]) on w.today = ${today}
    join lateral unnest(w.back, w.cycle_from, w.cycle_until, w.cycle_days) k (back, cycle_from, cycle_until, cycle_days)
    on k.cycle_from = c.cycle_from and (k.cycle_days is null or exists (select from usage_sims y
      where y.organization_id = c.organization_id and y.iccid = c.iccid and y.cycle_day = any (k.cycle_days::integer[])))`;
}

/** The SIM `s` of rows `c`. */
export const joinSims = sql`join usage_sims s on s.organization_id = c.organization_id and s.iccid = c.iccid`;

/** The same condition in days that an index finds: zones differ from UTC by a day at most, and cycles have 28 to 31 days. */
export function areNear(backs: readonly number[], now: Date): Fragment {
  const day = utcDay(now);
  const [first, last] = [addDays(day, -32 - 31 * Math.max(...backs)), addDays(day, 1 - 28 * Math.min(...backs))];
  return sql`c.cycle_from between ${first}::date and ${last}::date`;
}
