// Reads tables of other domains: organizations.
import type { usage } from '@highline/contract';
import { sql } from 'kysely';
import { addDays, dayIn, isId, type Scope } from '../../kernel/index.ts';
import { allOf, type Fragment, type Reader } from '../../platform/listing/index.ts';
import type { Queries } from '../../platform/ports/database.ts';
import { readZone } from './zones.queries.ts';

/** The condition of rows `c` of the ledger that a scope covers. */
function useOf(scope: Scope): Fragment {
  return scope.kind === 'organization'
    ? sql`c.organization_id = ${scope.organizationId}::uuid`
    : sql`c.organization_id in (select id from organizations where main_account_id = ${scope.mainAccountId}::uuid)`;
}

interface DayRow {
  /** ISO text. */
  readonly day: string;
  readonly sent: number;
  readonly received: number;
}

/** Bytes by day from a day on, of a scope, a device or a SIM. */
export function readDays(
  reader: Reader,
  scope: Scope,
  from: string,
  { device: deviceId, iccid }: { readonly device?: string | undefined; readonly iccid?: string | undefined },
): Promise<DayRow[]> {
  const isWhole = deviceId === undefined && iccid === undefined;
  if (deviceId !== undefined && !isId(deviceId)) return Promise.resolve([]);
  const conditions = [
    useOf(scope),
    sql`c.day >= ${from}::date`,
    ...(deviceId === undefined ? [] : [sql`c.device_id = ${deviceId}::uuid`]),
    ...(iccid === undefined ? [] : [sql`c.iccid = ${iccid.replaceAll('\0', '')}`]),
  ];
  return reader.rows<DayRow>(
    sql`select c.day::text as day, sum(c.sent)::float8 as sent, sum(c.received)::float8 as received
      from ${isWhole ? sql`usage_totals` : sql`usage_days`} c where ${allOf(conditions)} group by c.day order by c.day`,
    isWhole,
  );
}

/** A calendar month by day, with the same days of the month before. Days are of the zone of the organization; of several, of each one's. */
export async function readMonth(
  { reader, database }: { readonly reader: Reader; readonly database: { readonly read: Queries } },
  scope: Scope,
  now: Date,
  {
    cycle = 'current',
    ...of
  }: {
    readonly cycle?: usage.UsageCycle | undefined;
    readonly device?: string | undefined;
    readonly iccid?: string | undefined;
  } = {},
) {
  const { zone, next } =
    scope.kind === 'organization' ? await readZone(database.read, scope, now) : { zone: 'UTC', next: undefined };
  const today = dayIn(zone, now);
  const monthOf = (day: string) => `${day.slice(0, 7)}-01`;
  const before = (month: string) => monthOf(addDays(month, -1));
  const month = cycle === 'current' ? monthOf(today) : before(monthOf(today));
  const rows = await readDays(reader, scope, before(month), of);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const lengthOf = (first: string) => Number(addDays(monthOf(addDays(first, 31)), -1).slice(8));
  const at = (first: string, day: number) => byDay.get(addDays(first, day - 1));
  const [length, lengthBefore] = [lengthOf(month), lengthOf(before(month))];
  const days = Array.from({ length: Math.max(length, lengthBefore) }, (_, index) => {
    const day = index + 1;
    const row = day > length ? undefined : at(month, day);
    const total = day > lengthBefore ? null : sumOf(at(before(month), day));
    return { day, sent: row?.sent ?? 0, received: row?.received ?? 0, before: total };
  });
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const reached = cycle === 'current' ? Number(today.slice(8)) : 31;
  return {
    month,
    today,
    zone,
    nextZone: next === undefined ? null : { zone: next.zone, from: dayIn(next.zone, new Date(next.from)) },
    isCalendar: await hasCalendarMonths(reader, scope),
    days,
    sent: total(days.map(({ sent }) => sent)),
    received: total(days.map(({ received }) => received)),
    before: total(days.map((each) => each.before ?? 0)),
    beforeToDate: total(days.map((each) => (each.day <= reached ? (each.before ?? 0) : 0))),
  };
}

/** Whether the cycles of all SIMs of a scope are calendar months: no plan says otherwise. */
async function hasCalendarMonths(reader: Reader, scope: Scope): Promise<boolean> {
  const rows = await reader.rows(sql`select from usage_plans c where ${useOf(scope)} and c.cycle_day <> 1 limit 1`);
  return rows.length === 0;
}

function sumOf(row: DayRow | undefined): number {
  return row === undefined ? 0 : row.sent + row.received;
}
