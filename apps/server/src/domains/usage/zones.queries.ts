import { sql } from 'kysely';
import { addDays, dayIn, utcDay, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Queries } from '../../platform/ports/database.ts';
import { cycleOf, cycleTimes } from './cycles.ts';

/** A zone, and from when on the days of an organization are in it; epoch milliseconds. */
export interface ZonedFrom {
  readonly from: number;
  readonly zone: string;
}

/** The zones of organizations in the order of time; before the first, and without any, days are of UTC. */
export async function zonesOf(queries: Queries, organizations: readonly string[]): Promise<ReadonlyMap<string, ZonedFrom[]>> {
  if (organizations.length === 0) return new Map();
  const { rows } = await sql<{ organization_id: string; from_at: Date; zone: string }>`select organization_id, from_at, zone
    from usage_zones where organization_id = any (${[...organizations]}::uuid[]) order by from_at`.execute(queries);
  return new Map(
    Array.from(
      Map.groupBy(rows, (row) => row.organization_id),
      ([id, zones]): [string, ZonedFrom[]] => [id, zones.map((row) => ({ from: row.from_at.getTime(), zone: row.zone }))],
    ),
  );
}

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

/** The same as a date in SQL. @param organization its id */
export function todayOf(organization: Fragment, now: Date): Fragment {
  return sql`(${now}::timestamptz at time zone coalesce((select z.zone from usage_zones z where z.organization_id = ${organization}
    and z.from_at <= ${now}::timestamptz order by z.from_at desc limit 1), 'UTC'))::date`;
}

/** The organizations of a scope as `t`: id, and `today` as their days count. */
export function todays(scope: Scope, now: Date): Fragment {
  const own =
    scope.kind === 'organization'
      ? sql`o.id = ${scope.organizationId}::uuid`
      : sql`o.main_account_id = ${scope.mainAccountId}::uuid`;
  // Offset 0: once for each organization, not for each row that is joined.
  return sql`(select o.id, ${todayOf(sql`o.id`, now)} as today from organizations o where ${own} offset 0) t`;
}

/**
 * The cycles `k` of each day on which a cycle can begin, so many before the one that runs, for each day that it is anywhere now: `today`, `cycle_day`,
 * `back`, `cycle_from` and `cycle_until`.
 */
function cyclesAt(backs: readonly number[], now: Date): Fragment {
  const days = [-1, 0, 1].map((offset) => addDays(utcDay(now), offset));
  const rows = days.flatMap((today) =>
    Array.from({ length: 31 }, (_, index) => index + 1).flatMap((cycleDay) => {
      const { until, from } = cycleTimes(cycleDay, today);
      const before = [until, from];
      for (let back = 1; back <= Math.max(...backs); back++) before.push(cycleOf(addDays(before.at(-1)!, -1), cycleDay));
      return backs.map((back) => ({ today, cycleDay, back, from: before[back + 1]!, until: before[back]! }));
    }),
  );
  const of = <Key extends keyof (typeof rows)[number]>(key: Key) => rows.map((row) => row[key]);
  return sql`unnest(${of('today')}::date[], ${of('cycleDay')}::integer[], ${of('back')}::integer[], ${of('from')}::date[], ${of('until')}::date[])
    k (today, cycle_day, back, cycle_from, cycle_until)`;
}

/** Rows `c` of usage_cycles with their SIM `s`, of cycles `k`: so many before the one that runs. @param today of their organization, in SQL */
export function cyclesOf(backs: readonly number[], now: Date, today: Fragment): Fragment {
  return sql`usage_cycles c join usage_sims s on s.organization_id = c.organization_id and s.iccid = c.iccid
    join ${cyclesAt(backs, now)} on k.cycle_day = s.cycle_day and k.cycle_from = c.cycle_from and k.today = ${today}`;
}

/** The same condition in days that an index finds: zones differ from UTC by a day at most, and cycles have 28 to 31 days. */
export function areNear(backs: readonly number[], now: Date): Fragment {
  const day = utcDay(now);
  const [first, last] = [addDays(day, -32 - 31 * Math.max(...backs)), addDays(day, 1 - 28 * Math.min(...backs))];
  return sql`c.cycle_from between ${first}::date and ${last}::date`;
}
