// Reads tables of other domains: devices, groups, organizations.
import type { usage } from '@highline/contract';
import { sql } from 'kysely';
import { isId, type Scope } from '../../kernel/index.ts';
import {
  allOf,
  defineList,
  manyOf,
  numberField,
  searchOf,
  sorted,
  type Fragment,
  type Reader,
  type SearchFields,
} from '../../platform/listing/index.ts';
import { cyclesAt, isoDay, nextCycle } from './cycles.ts';

/** The condition of rows `c` of the ledger that a scope covers. */
function useOf(scope: Scope): Fragment {
  return scope.kind === 'organization'
    ? sql`c.organization_id = ${scope.organizationId}::uuid`
    : sql`c.organization_id in (select id from organizations where main_account_id = ${scope.mainAccountId}::uuid)`;
}

const within = (dates: readonly string[]) => sql`c.cycle_from = any (${[...dates]}::date[])`;

/** What the ledger is summed up by. */
interface Kind {
  /** Identifies the row in its organization, as text. */
  readonly key: Fragment;
  /** Further tables for the key, the search and the sum. */
  readonly joins: Fragment;
  readonly fields: SearchFields<(typeof usage.usageSearchFields)[number]>;
  /** Columns of a row `r` of the page, and the tables that they read. */
  readonly columns: Fragment;
  readonly columnsFrom: Fragment;
  /** The rows `c` of a row `r`, where an index finds them; else both cycles are summed up together. */
  readonly own?: Fragment;
}

const device = sql`left join devices d on d.organization_id = c.organization_id and d.id = c.device_id`;
const nameOfDevice = sql`coalesce(nullif(d.vehicle_number, ''), d.serial, '')`;
const fieldsOfDevice = { iccid: numberField(sql`c.iccid`), vehicle: nameOfDevice };

const kinds: Readonly<Record<usage.UsageKind, Kind>> = {
  sims: {
    key: sql`c.iccid`,
    joins: device,
    fields: fieldsOfDevice,
    columns: sql`r.id as name, coalesce(d.id::text, '') as device, ${nameOfDevice} as device_name, coalesce(s.carrier, '') as carrier`,
    columnsFrom: sql`left join usage_sims s on s.organization_id = r.organization_id and s.iccid = r.id
      left join lateral (select c.device_id from usage_cycles c where c.organization_id = r.organization_id and c.iccid = r.id
        order by c.cycle_from desc, c.sent + c.received desc limit 1) newest on true
      left join devices d on d.organization_id = r.organization_id and d.id = newest.device_id and d.archived_at is null`,
    own: sql`c.organization_id = r.organization_id and c.iccid = r.id`,
  },
  vehicles: {
    key: sql`c.device_id::text`,
    joins: device,
    fields: fieldsOfDevice,
    columns: sql`${nameOfDevice} as name, coalesce(d.id::text, '') as device, '' as device_name, coalesce(d.carrier, '') as carrier`,
    columnsFrom: sql`left join devices d on d.organization_id = r.organization_id and d.id = r.id::uuid and d.archived_at is null`,
    own: sql`c.organization_id = r.organization_id and c.device_id = r.id::uuid`,
  },
  groups: {
    key: sql`coalesce(d.group_key, '')`,
    joins: sql`${device} left join groups g on g.organization_id = d.organization_id and g.key = d.group_key`,
    fields: { iccid: sql`g.name`, vehicle: sql`g.name` },
    columns: sql`coalesce(g.name, '') as name, '' as device, '' as device_name, '' as carrier`,
    columnsFrom: sql`left join groups g on g.organization_id = r.organization_id and g.key = r.id`,
  },
  organizations: {
    key: sql`c.organization_id::text`,
    joins: sql`left join organizations g on g.id = c.organization_id`,
    fields: { iccid: sql`g.name`, vehicle: sql`g.name` },
    columns: sql`o.name, '' as device, '' as device_name, '' as carrier`,
    columnsFrom: sql``,
  },
};

export interface UsageListRow {
  readonly id: string;
  readonly name: string;
  readonly organization_id: string;
  readonly org_name: string;
  readonly device: string;
  readonly device_name: string;
  readonly carrier: string;
  readonly sent: number;
  readonly received: number;
  readonly before: number;
}

const sorts: Readonly<Record<(typeof usage.usageSorts)[number], Fragment>> = {
  total: sql`r.sent + r.received`,
  sent: sql`r.sent`,
  received: sql`r.received`,
};

/** Data used in a cycle by SIMs, vehicles, groups or organizations of a scope (USE-02), the most first. */
export const usageList = (now: Date) =>
  defineList({
    of(scope: Scope, query: usage.UsageListQuery) {
      const back = query.cycle === 'last' ? 1 : 0;
      const { key, joins, fields, columns, columnsFrom, own } = kinds[query.by ?? 'sims'];
      const search = searchOf(query, fields);
      const [dates, earlier] = [cyclesAt(now, back), cyclesAt(now, back + 1)];
      const { value: column, descending } = sorted(query.sort ?? '-total', sorts);
      const order = sql`${column} ${descending ? sql`desc` : sql`asc`}, r.id, r.organization_id`;
      const isDeviceNeeded = own === undefined || search.length > 0;
      const from = sql`usage_cycles c ${isDeviceNeeded ? joins : sql``}`;
      const sums = (
        these: readonly string[],
      ) => sql`select ${key} as id, c.organization_id, sum(c.sent)::float8 as sent, sum(c.received)::float8 as received
        from ${from} where ${allOf([useOf(scope), within(these), ...search])} group by 1, 2`;
      const before =
        own === undefined
          ? sql`left join (${sums(earlier)}) b on b.id = r.id and b.organization_id = r.organization_id`
          : sql`left join lateral (select sum(c.sent)::float8 as sent, sum(c.received)::float8 as received from usage_cycles c
              where ${own} and ${within(earlier)}) b on true`;
      return {
        rows: (part: Fragment) => sql`select r.*, o.name as org_name, ${columns}, coalesce(b.sent + b.received, 0) as before
          from (select * from (${sums(dates)}) r order by ${order} ${part}) r
            join organizations o on o.id = r.organization_id ${columnsFrom} ${before}
          order by ${order}`,
        count: sql`select count(*)::int as total from (select distinct ${key}, c.organization_id from ${from}
          where ${allOf([useOf(scope), within(dates), ...search])}) r`,
        placeOf: () => undefined,
      };
    },
    toDto: (row: UsageListRow): usage.UsageRow => ({
      id: row.id,
      name: row.name,
      org: row.organization_id,
      orgName: row.org_name,
      device: row.device,
      deviceName: row.device_name,
      carrier: row.carrier,
      sent: row.sent,
      received: row.received,
      total: row.sent + row.received,
      before: row.before,
    }),
  });

interface DayRow {
  /** ISO text. */
  readonly day: string;
  readonly sent: number;
  readonly received: number;
}

/** Bytes by day of UTC from a day on, of a scope, a device or a SIM. */
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

/** This calendar month by day, with the same days of the month before. Days are of UTC. */
export async function readMonth(
  reader: Reader,
  scope: Scope,
  now: Date,
  of: { readonly device?: string | undefined; readonly iccid?: string | undefined },
) {
  const [year, month, today] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const first = isoDay(new Date(Date.UTC(year, month, 1)));
  const rows = await readDays(reader, scope, isoDay(new Date(Date.UTC(year, month - 1, 1))), of);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const lengthOf = (monthIndex: number) => new Date(Date.UTC(year, monthIndex + 1, 0)).getUTCDate();
  const at = (monthIndex: number, day: number) => byDay.get(isoDay(new Date(Date.UTC(year, monthIndex, day))));
  const totalAt = (day: number) => (day > lengthOf(month - 1) ? null : sumOf(at(month - 1, day)));
  const days = Array.from({ length: Math.max(lengthOf(month), lengthOf(month - 1)) }, (_, index) => {
    const day = index + 1;
    const row = day > lengthOf(month) ? undefined : at(month, day);
    return { day, sent: row?.sent ?? 0, received: row?.received ?? 0, before: totalAt(day) };
  });
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  return {
    month: first,
    today: isoDay(now),
    days,
    sent: total(days.map(({ sent }) => sent)),
    received: total(days.map(({ received }) => received)),
    before: total(days.map(({ before }) => before ?? 0)),
    beforeToDate: total(days.map(({ day, before }) => (day <= today ? (before ?? 0) : 0))),
  };
}

function sumOf(row: DayRow | undefined): number {
  return row === undefined ? 0 : row.sent + row.received;
}

interface SimRow {
  readonly device_id: string;
  readonly iccid: string;
  readonly organization_id: string;
  readonly cycle_from: string;
  readonly sent: number;
  readonly received: number;
  readonly before: number;
}

/** The running and the last cycle of the SIMs of devices, or of SIMs (USE-02). */
export async function readUseOf(
  reader: Reader,
  scope: Scope,
  now: Date,
  of: { readonly devices: readonly string[] } | { readonly iccids: readonly string[] },
): Promise<(usage.SimUsage & { readonly device: string })[]> {
  const isOfDevices = 'devices' in of;
  const ids = isOfDevices ? of.devices.filter(isId) : of.iccids.filter((iccid) => !iccid.includes('\0'));
  if (ids.length === 0) return [];
  const named = isOfDevices ? sql`c.device_id in ${manyOf(ids, 'uuid')}` : sql`c.iccid in ${manyOf(ids, 'text')}`;
  const [current, last] = [cyclesAt(now), cyclesAt(now, 1)];
  const sum = (column: string, dates: readonly string[]) =>
    sql`coalesce(sum(c.${sql.ref(column)}) filter (where ${within(dates)}), 0)::float8`;
  const rows =
    await reader.rows<SimRow>(sql`select ${isOfDevices ? sql`c.device_id` : sql`'' as device_id`}, c.iccid, c.organization_id,
      usage_cycle_of(${isoDay(now)}::date, max(s.cycle_day))::text as cycle_from, ${sum('sent', current)} as sent,
      ${sum('received', current)} as received, ${sum('sent', last)} + ${sum('received', last)} as before
    from usage_cycles c join usage_sims s on s.organization_id = c.organization_id and s.iccid = c.iccid
    where ${allOf([useOf(scope), named, within([...current, ...last])])} group by 1, 2, 3 order by 1, 2, 3`);
  return rows.map((row) => ({
    device: row.device_id,
    iccid: row.iccid,
    org: row.organization_id,
    cycleFrom: row.cycle_from,
    cycleUntil: nextCycle(row.cycle_from),
    sent: row.sent,
    received: row.received,
    total: row.sent + row.received,
    before: row.before,
  }));
}

/** Bytes of the calendar month so far by organization, those without use left out; days are of UTC (HKS-05). */
export async function readMonthTotals(
  reader: Reader,
  scope: Scope,
  now: Date,
): Promise<ReadonlyMap<string, { readonly sent: number; readonly received: number }>> {
  const first = isoDay(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)));
  const rows = await reader.rows<{ id: string; sent: number; received: number }>(
    sql`select c.organization_id as id, sum(c.sent)::float8 as sent, sum(c.received)::float8 as received
      from usage_totals c where ${useOf(scope)} and c.day >= ${first}::date group by 1`,
  );
  return new Map(rows.map(({ id, ...used }) => [id, used]));
}
