// Reads tables of other domains: devices, groups, organizations.
import type { usage } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import {
  allOf,
  defineList,
  numberField,
  searchOf,
  sorted,
  type Fragment,
  type SearchFields,
} from '../../platform/listing/index.ts';
import { nameOfDevice, serialsOfDevice } from './former-devices.queries.ts';
import { areNear, cyclesOf, joinSims, todays } from './zones.queries.ts';

/** Rows `c` of the ledger by cycle with their cycle `k`, of the organizations `t` of a scope. */
export const cyclesIn = (scope: Scope, backs: readonly number[], now: Date) =>
  sql`${todays(scope, now)} cross join ${cyclesOf(backs, now, sql`t.today`)}`;
export const areIn = (backs: readonly number[], now: Date) => sql`c.organization_id = t.id and ${areNear(backs, now)}`;

/** The same of the organization of a row `r`. @param own condition */
const cyclesOfRow = (own: Fragment, back: number, now: Date, joins = sql``) =>
  sql`${cyclesOf([back], now, sql`r.today`)} ${joins} where c.organization_id = r.organization_id and ${own} and ${areNear([back], now)}`;

/** What the ledger is summed up by. */
interface Kind {
  /** Identifies the row in its organization, as text. */
  readonly key: Fragment;
  /** Further tables for the key, the search and the sum. */
  readonly joins: Fragment;
  readonly fields: SearchFields<(typeof usage.usageSearchFields)[number]>;
  /** Columns of a row `r` of the page, and the tables that they read. */
  readonly columns: Fragment;
  readonly columnsFrom: (back: number, now: Date) => Fragment;
  /** The rows `c` of a row `r`, where an index finds those of the cycle before; else both cycles are summed up together. */
  readonly own?: Fragment;
}

const device = sql`left join devices d on d.organization_id = c.organization_id and d.id = c.device_id`;
const fieldsOfDevice = { iccid: numberField(sql`c.iccid`), vehicle: nameOfDevice(sql`c.organization_id`, sql`c.device_id`) };
/** Name, page and serial numbers of the device `d` of a row `r`, which may be deleted or another organization's by now. */
const columnsOfDevice = (id: Fragment) => ({
  name: nameOfDevice(sql`r.organization_id`, id),
  device: sql`case when d.archived_at is null then coalesce(d.id::text, '') else '' end`,
  serial: serialsOfDevice(sql`r.organization_id`, id, sql`r.cycle_from::date`, sql`r.cycle_until::date`),
});
const mostUsing = columnsOfDevice(sql`most.device_id`);
const vehicle = columnsOfDevice(sql`r.id::uuid`);

const kinds: Readonly<Record<usage.UsageKind, Kind>> = {
  sims: {
    key: sql`c.iccid`,
    joins: device,
    fields: fieldsOfDevice,
    columns: sql`r.id as name, ${mostUsing.device} as device, ${mostUsing.name} as device_name, ${mostUsing.serial} as serial,
      coalesce(m.carrier, '') as carrier`,
    columnsFrom: (back, now) => sql`left join usage_sims m on m.organization_id = r.organization_id and m.iccid = r.id
      left join lateral (select c.device_id from ${cyclesOfRow(sql`c.iccid = r.id`, back, now)}
        order by c.sent + c.received desc, c.device_id limit 1) most on true
      left join devices d on d.organization_id = r.organization_id and d.id = most.device_id`,
    own: sql`c.iccid = r.id`,
  },
  vehicles: {
    key: sql`c.device_id::text`,
    joins: device,
    fields: fieldsOfDevice,
    columns: sql`${vehicle.name} as name, ${vehicle.device} as device, '' as device_name, ${vehicle.serial} as serial,
      coalesce(m.carriers, '') as carrier`,
    // Those of the SIMs that it had then, not of the one that it has now.
    columnsFrom: (back, now) => sql`left join devices d on d.organization_id = r.organization_id and d.id = r.id::uuid
      left join lateral (select string_agg(u.carrier, ', ' order by u.used desc, u.carrier) as carriers from (
        select s.carrier, sum(c.sent + c.received) as used from ${cyclesOfRow(sql`c.device_id = r.id::uuid`, back, now, joinSims)}
          and s.carrier <> '' group by s.carrier) u) m on true`,
    own: sql`c.device_id = r.id::uuid`,
  },
  groups: {
    key: sql`coalesce(d.group_key, '')`,
    joins: sql`${device} left join groups g on g.organization_id = d.organization_id and g.key = d.group_key`,
    fields: { iccid: sql`g.name`, vehicle: sql`g.name` },
    columns: sql`coalesce(g.name, '') as name, '' as device, '' as device_name, '' as serial, '' as carrier`,
    columnsFrom: () => sql`left join groups g on g.organization_id = r.organization_id and g.key = r.id`,
  },
  organizations: {
    key: sql`c.organization_id::text`,
    joins: sql`left join organizations g on g.id = c.organization_id`,
    fields: { iccid: sql`g.name`, vehicle: sql`g.name` },
    columns: sql`o.name, '' as device, '' as device_name, '' as serial, '' as carrier`,
    columnsFrom: () => sql``,
  },
};

export interface UsageListRow {
  readonly id: string;
  readonly name: string;
  readonly organization_id: string;
  readonly org_name: string;
  readonly device: string;
  readonly device_name: string;
  readonly serial: string;
  readonly carrier: string;
  /** ISO text. */
  readonly cycle_from: string;
  readonly cycle_until: string;
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
      const { value: column, descending } = sorted(query.sort ?? '-total', sorts);
      const order = sql`${column} ${descending ? sql`desc` : sql`asc`}, r.id, r.organization_id`;
      const isDeviceNeeded = own === undefined || search.length > 0;
      const from = (backs: readonly number[]) => sql`${cyclesIn(scope, backs, now)} ${isDeviceNeeded ? joins : sql``}`;
      const backs = own === undefined ? [back, back + 1] : [back];
      const during = (ago: number) => sql`filter (where k.back = ${ago}::integer)`;
      const sums = sql`select ${key} as id, c.organization_id, min(t.today) as today, min(k.cycle_from) ${during(back)}::text as cycle_from,
          max(k.cycle_until) ${during(back)}::text as cycle_until, sum(c.sent) ${during(back)}::float8 as sent,
          sum(c.received) ${during(back)}::float8 as received, sum(c.sent + c.received) ${during(back + 1)}::float8 as before
        from ${from(backs)} where ${allOf([areIn(backs, now), ...search])} group by 1, 2 having bool_or(k.back = ${back}::integer)`;
      const before =
        own === undefined
          ? sql`r.before`
          : sql`(select sum(c.sent + c.received)::float8 from ${cyclesOfRow(allOf([own, ...search]), back + 1, now, isDeviceNeeded ? joins : sql``)})`;
      return {
        rows: (part: Fragment) => sql`select r.*, o.name as org_name, ${columns}, coalesce(${before}, 0) as before
          from (select * from (${sums}) r order by ${order} ${part}) r
            join organizations o on o.id = r.organization_id ${columnsFrom(back, now)}
          order by ${order}`,
        count: sql`select count(*)::int as total from (select distinct ${key}, c.organization_id from ${from([back])}
          where ${allOf([areIn([back], now), ...search])}) r`,
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
      serial: row.serial,
      carrier: row.carrier,
      cycleFrom: row.cycle_from,
      cycleUntil: row.cycle_until,
      sent: row.sent,
      received: row.received,
      total: row.sent + row.received,
      before: row.before,
    }),
  });
