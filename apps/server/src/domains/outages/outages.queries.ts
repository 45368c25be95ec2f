// Reads tables of other domains: devices, groups, organizations, report_settings, router_facts, router_ownership, routers.
import type { outages as calls, PresenceReason } from '@highline/contract';
import { sql } from 'kysely';
import { epochSeconds, isId, type Scope } from '../../kernel/index.ts';
import { allOf, defineList, searchOf, sorted, type Fragment, type SortKey } from '../../platform/listing/index.ts';
import { centerOf } from '../coverage/index.ts';
import { historyOf } from './kept.queries.ts';
import type { OutageTime } from './outages.period.ts';

/** An outage as lists show it. */
export interface OutageRow {
  readonly device_id: string;
  readonly name: string;
  readonly serial: string;
  readonly organization_id: string;
  readonly org_name: string;
  readonly began_at: Date;
  readonly ended_at: Date | null;
  readonly kind: calls.OutageKind;
  readonly reason: PresenceReason;
  readonly carrier: string;
  readonly technology: string;
  readonly serving_cell: string;
  readonly rsrp: number | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly hexagon: string | null;
}

const nameOfDevice = sql`coalesce(nullif(d.vehicle_number, ''), d.serial)`;

/** The condition of rows `x` that a scope covers. */
const outagesOf = (scope: Scope): Fragment =>
  scope.kind === 'organization'
    ? sql`x.organization_id = ${scope.organizationId}::uuid`
    : sql`x.organization_id in (select id from organizations where main_account_id = ${scope.mainAccountId}::uuid)`;

const withoutNull = (text: string) => text.replaceAll('\0', '');

const hasTag = (alias: string, tag: string) =>
  sql`exists (select from unnest(${sql.ref(`${alias}.tags`)}) t (tag) where lower(t.tag) = lower(${withoutNull(tag)}))`;

/** A value of the device of a row `x`; a filter of a list reads no other table than its own. */
const ofOwnDevice = (value: Fragment) =>
  sql`(select ${value} from devices f where f.organization_id = x.organization_id and f.id = x.device_id)`;
/** Also of a router that was removed from the inventory since. */
const serialOfRouter = sql`coalesce((select f.serial from routers f where f.id = x.router_id),
  (select max(f.serial) from router_ownership f where f.router_id = x.router_id), '')`;

/** Conditions of rows `x` by their device, carrier and place. */
export function chosen({ device, group, tag, carrier, hexagon }: calls.OutagePeriod): Fragment[] {
  const idOf = (id: string) => (isId(id) ? sql`x.device_id = ${id}::uuid` : sql`false`);
  return [
    ...(device === undefined || device === '' ? [] : [idOf(device)]),
    ...(group === undefined || group === '' ? [] : [sql`${ofOwnDevice(sql`f.group_key`)} = ${withoutNull(group)}`]),
    ...(tag === undefined || tag === ''
      ? []
      : [
          sql`exists (select from devices f where f.organization_id = x.organization_id and f.id = x.device_id and ${hasTag('f', tag)})`,
        ]),
    ...(carrier === undefined ? [] : [sql`x.carrier = ${withoutNull(carrier)}`]),
    ...(hexagon === undefined || hexagon === '' ? [] : [sql`x.hexagon = ${withoutNull(hexagon)}`]),
  ];
}

const kindIs = ({ kind = 'lost' }: calls.OutagePeriod): Fragment[] => (kind === 'all' ? [] : [sql`x.kind = ${kind}`]);

/** A time of which outages are added up. */
interface Within {
  readonly begins: Fragment;
  readonly ends: Fragment;
}
export const wholeOf = ({ begins, ends }: OutageTime): Within => ({
  begins: sql`${begins}::timestamptz`,
  ends: sql`${ends}::timestamptz`,
});

/** The outage `x` was within a time, whenever it began; one that goes on has no end. As `outages_by_end` has it. */
export const reaches = ({ begins, ends }: Within): Fragment =>
  sql`x.began_at < ${ends} and coalesce(x.ended_at, 'infinity') > ${begins}`;

/** The part of an outage `x` within a time, in seconds. */
export const clipped = ({ begins, ends }: Within, now: Date): Fragment =>
  sql`greatest(0, extract(epoch from least(coalesce(x.ended_at, ${now}::timestamptz), ${ends}) - greatest(x.began_at, ${begins})))`;

const keys: readonly SortKey[] = [
  { column: sql.ref('x.began_at'), kind: 'instant' },
  { column: sql.ref('x.device_id'), kind: 'uuid' },
];
const table = sql`outages x`;
const joins = sql`left join devices d on d.organization_id = x.organization_id and d.id = x.device_id
  join organizations o on o.id = x.organization_id`;

/** Outages of a period, whenever they began, the newest first: those that its sums are of. The carrier, serial number and place are those of then. */
export const outageList = (time: OutageTime, now: Date) =>
  defineList({
    of(scope: Scope, query: calls.OutageQuery) {
      const { descending } = sorted(query.sort ?? '-from', { from: keys });
      const search = searchOf(query, {
        vehicle: sql`coalesce(${ofOwnDevice(sql`coalesce(nullif(f.vehicle_number, ''), f.serial)`)}, ${serialOfRouter})`,
        serial: serialOfRouter,
      });
      return {
        name: 'outages',
        table,
        alias: 'x',
        identity: ['organization_id', 'device_id', 'began_at'],
        scope: outagesOf(scope),
        filters: [reaches(wholeOf(time)), ...chosen(query), ...kindIs(query), ...search],
        estimatable: false,
        // A vehicle that the organization no longer has is called by the router that it had then.
        columns: sql`x.*, coalesce(${nameOfDevice}, ${serialOfRouter}) as name, ${serialOfRouter} as serial, o.name as org_name`,
        joins,
        segments: [{ from: table, keys, descending }],
      };
    },
    toDto: (row: OutageRow): calls.Outage => toOutage(row, now),
  });

/** @param now the end of an outage that goes on, for its length */
export const toOutage = (row: OutageRow, now: Date): calls.Outage => ({
  device: row.device_id,
  name: row.name,
  serial: row.serial,
  org: row.organization_id,
  orgName: row.org_name,
  from: epochSeconds(row.began_at),
  until: row.ended_at === null ? null : epochSeconds(row.ended_at),
  minutes: minutesOf((row.ended_at ?? now).getTime() - row.began_at.getTime()),
  kind: row.kind,
  reason: row.reason,
  carrier: row.carrier,
  technology: row.technology,
  servingCell: row.serving_cell,
  rsrp: row.rsrp,
  latitude: row.latitude,
  longitude: row.longitude,
  hexagon: row.hexagon,
});
/** Milliseconds as minutes with a decimal. */
const minutesOf = (ms: number) => Math.round(Math.max(0, ms) / 6_000) / 10;

/** Outages of a period, added up. */
export interface SumRow {
  readonly id: string;
  readonly name: string;
  readonly organization_id: string;
  readonly org_name: string;
  readonly outages: number;
  /** Seconds. */
  readonly lost: number;
  /** Of these, what is part of the share. */
  readonly rated: number;
  readonly longest: number;
  readonly vehicles: number;
  /** What does not count: all of it, and of that parked with the ignition off, and planned windows. */
  readonly excluded: number;
  readonly parked: number;
  readonly planned: number;
  readonly expected: number | null;
  /** Percent that is agreed; null = nothing is, or it has no share. */
  readonly target: number | null;
  /** An H3 index, where they are sums of a place. */
  readonly hexagon: string | null;
}

interface Kind {
  readonly key: Fragment;
  readonly name: Fragment;
  /** It is known when devices `p` belonged to it, so that the time in which a connection was expected is known too. */
  readonly isOwned: boolean;
}

const groupName = sql`(select g.name from groups g where g.organization_id = k.organization_id and g.key = k.id)`;
/** Of a device that the organization no longer has: the serial number of its last router, else of the last one with an outage. */
const ofDevice = sql`coalesce((select ${nameOfDevice} from devices d where d.organization_id = k.organization_id and d.id = k.id::uuid),
  (select coalesce(w.serial, r.serial) from router_ownership w left join routers r on r.id = w.router_id
    where w.organization_id = k.organization_id and w.device_id = k.id::uuid order by w.owned_from desc limit 1),
  (select ${serialOfRouter} from outages x
    where x.organization_id = k.organization_id and x.device_id = k.id::uuid order by x.began_at desc limit 1))`;
const kinds: Readonly<Record<calls.OutageSum, Kind>> = {
  vehicles: { key: sql`p.device_id::text`, name: ofDevice, isOwned: true },
  groups: { key: sql`coalesce(d.group_key, '')`, name: groupName, isOwned: true },
  carriers: { key: sql`p.carrier`, name: sql`k.id`, isOwned: true },
  cells: { key: sql`x.serving_cell`, name: sql`k.id`, isOwned: false },
  hexagons: { key: sql`coalesce(x.hexagon, '')`, name: sql`k.id`, isOwned: false },
  months: { key: sql`to_char(m.begins, 'YYYY-MM')`, name: sql`k.id`, isOwned: false },
};

const sumSorts: Readonly<Record<'minutes' | 'outages' | 'share', Fragment>> = {
  minutes: sql`k.lost`,
  outages: sql`k.outages`,
  share: sql`1 - k.rated / nullif(k.expected, 0)`,
};

/** Outages of a period by what they have in common, the most minutes first; vehicles, groups and carriers with their share of availability and its target (RPM-05). @param most seconds of an outage that count */
export const sumList = (time: OutageTime, now: Date, most?: number) =>
  defineList({
    of(scope: Scope, query: calls.SumQuery) {
      const by = kinds[query.by ?? 'vehicles'];
      const { value: column, descending } = sorted(query.sort ?? '-minutes', sumSorts);
      const order = sql`${column} ${descending ? sql`desc` : sql`asc`} nulls last, k.id, k.organization_id`;
      const sums = by.isOwned
        ? sumsOfOwners(scope, query, time, by.key, now)
        : sumsOfOutages(scope, query, time, by.key, now, most);
      const carrier = query.by === 'carriers' ? sql`k.id` : sql`${withoutNull(query.carrier ?? '')}`;
      return {
        rows: (part: Fragment) => sql`select k.*, coalesce(${by.name}, '') as name, o.name as org_name,
            case when k.expected > 0 then coalesce((t.carrier_targets ->> ${carrier})::float8, t.target) end as target,
            ${query.by === 'hexagons' ? sql`nullif(k.id, '')` : sql`null::text`} as hexagon
          from (select k.* from (${sums}) k order by ${order} ${part}) k join organizations o on o.id = k.organization_id
            left join report_settings t on t.organization_id = k.organization_id order by ${order}`,
        count: sql`select count(*)::int as total from (${sums}) k`,
        placeOf: () => undefined,
      };
    },
    toDto: (row: SumRow): calls.Availability => ({
      id: row.id,
      name: row.name,
      org: row.organization_id,
      orgName: row.org_name,
      outages: row.outages,
      minutes: minutesOf(row.lost * 1_000),
      longestMinutes: minutesOf(row.longest * 1_000),
      vehicles: row.vehicles,
      excludedMinutes: minutesOf(row.excluded * 1_000),
      parkedMinutes: minutesOf(row.parked * 1_000),
      plannedMinutes: minutesOf(row.planned * 1_000),
      share: shareOf(row),
      target: row.target,
      ...(row.hexagon === null ? { latitude: null, longitude: null } : centerOf(row.hexagon)),
    }),
  });

/** Percent with two decimals, rounded down: 100 means without any outage. */
export function shareOf({ rated, expected }: Pick<SumRow, 'rated' | 'expected'>): number | null {
  return expected === null || expected <= 0 ? null : Math.floor(Math.max(0, 1 - rated / expected) * 10_000) / 100;
}

/** Percentage points above the target, or below it; null = there is none. */
export function differenceOf(row: SumRow): number | null {
  const share = shareOf(row);
  return share === null || row.target === null ? null : Math.round((share - row.target) * 100) / 100;
}

const isLost = sql`x.kind = 'lost'`;

/** What of outages `x` is added up within a part of the period of `h`. Each is counted once: where it began, or at the beginning of the period. */
const added = (part: Within, now: Date, most = 'infinity' as number | 'infinity') => sql`
  count(*) filter (where ${isLost} and (x.began_at >= ${part.begins} or ${part.begins} <= h.begins))::int as outages,
  coalesce(sum(least(${clipped(part, now)}, ${most}::float8)) filter (where ${isLost}), 0)::float8 as lost,
  coalesce(max(${clipped(part, now)}) filter (where ${isLost}), 0)::float8 as longest,
  coalesce(sum(${clipped(part, now)}) filter (where not ${isLost}), 0)::float8 as excluded,
  coalesce(sum(${clipped(part, now)}) filter (where x.kind = 'parked'), 0)::float8 as parked,
  coalesce(sum(${clipped(part, now)}) filter (where x.kind = 'planned'), 0)::float8 as planned`;

/** What is kept of a period, as `h` of `historyOf` has it. */
const keptOf = ({ ends }: OutageTime): Within => ({ begins: sql`h.begins`, ends: sql`${ends}::timestamptz` });

/** The outages `x` of a period, with what is kept of it. */
const outagesIn = (scope: Scope, time: OutageTime, now: Date): Fragment =>
  sql`${historyOf(scope, time, now)} h join outages x on x.organization_id = h.id and ${reaches(keptOf(time))} and h.begins < ${time.ends}::timestamptz`;

/** The months `m` of a zone in which an outage `x` was, and the part of the period that each of them is. */
const monthsOf = ({ zone, ends }: OutageTime, now: Date): { readonly from: Fragment; readonly part: Within } => ({
  from: sql`cross join lateral generate_series(date_trunc('month', greatest(x.began_at, h.begins) at time zone ${zone}),
    (least(coalesce(x.ended_at, ${now}::timestamptz), ${ends}::timestamptz) - interval '1 microsecond') at time zone ${zone}, interval '1 month') m (begins)`,
  part: {
    begins: sql`greatest(h.begins, m.begins at time zone ${zone})`,
    ends: sql`least(${ends}::timestamptz, (m.begins + interval '1 month') at time zone ${zone})`,
  },
});

function sumsOfOutages(scope: Scope, query: calls.SumQuery, time: OutageTime, key: Fragment, now: Date, most?: number): Fragment {
  const { from, part } = query.by === 'months' ? monthsOf(time, now) : { from: sql``, part: keptOf(time) };
  return sql`select ${key} as id, x.organization_id, ${added(part, now, most)}, count(distinct x.device_id)::int as vehicles, 0::float8 as rated, null::float8 as expected
    from ${outagesIn(scope, time, now)} ${from}
    where ${allOf(chosen(query))} group by 1, 2 having bool_or(${isLost})`;
}

/**
 * By devices, also those without an outage and those that the organization no longer has: the time in which each had a router, without what does not
 * count, is the time in which a connection was expected. None is expected of a router before it first connected, as in other shares (SAY-04). By
 * carriers, or of one, it is the time in which the router last reported that carrier.
 */
function sumsOfOwners(scope: Scope, query: calls.SumQuery, time: OutageTime, key: Fragment, now: Date): Fragment {
  const { device, group, tag, carrier, hexagon } = query;
  const owned = [
    ...(device === undefined || device === '' ? [] : [isId(device) ? sql`p.device_id = ${device}::uuid` : sql`false`]),
    ...(group === undefined || group === '' ? [] : [sql`d.group_key = ${withoutNull(group)}`]),
    ...(tag === undefined || tag === '' ? [] : [hasTag('d', tag)]),
  ];
  const { device: _device, group: _group, tag: _tag, ...rest } = query;
  const isByCarrier = query.by === 'carriers' || carrier !== undefined;
  const outages = sql`select x.organization_id, x.device_id, ${isByCarrier ? sql`x.carrier` : sql`''`} as carrier, ${added(keptOf(time), now)}, 0::float8 as seconds, 0::float8 as earlier
    from ${outagesIn(scope, time, now)} where ${allOf(chosen(rest))} group by 1, 2, 3`;
  const seconds = isByCarrier ? secondsByCarrier(scope, time, now) : secondsOfOwners(scope, time, now);
  const ofCarrier = carrier === undefined ? [] : [sql`p.carrier = ${withoutNull(carrier)}`];
  const parts = sql`select p.organization_id, p.device_id, p.carrier, sum(p.outages) as outages, sum(p.lost) as lost, max(p.longest) as longest,
      sum(p.excluded) as excluded, sum(p.parked) as parked, sum(p.planned) as planned, sum(p.seconds) as seconds, sum(p.earlier) as earlier
    from (${outages} union all ${seconds}) p group by 1, 2, 3`;
  // How long a vehicle was in a place is not known, so there is no share of its outages there.
  const isOfPlace = hexagon !== undefined && hexagon !== '';
  const expected = sql`sum(greatest(0, coalesce(case when d.presence_since is null then p.earlier else p.seconds end, 0) - coalesce(p.excluded, 0)))::float8`;
  return sql`select ${key} as id, p.organization_id, coalesce(sum(p.outages), 0)::int as outages, coalesce(sum(p.lost), 0)::float8 as lost,
      coalesce(sum(p.lost) filter (where ${isOwnershipKnown}), 0)::float8 as rated,
      coalesce(max(p.longest), 0)::float8 as longest, count(distinct p.device_id) filter (where p.outages > 0)::int as vehicles,
      coalesce(sum(p.excluded), 0)::float8 as excluded, coalesce(sum(p.parked), 0)::float8 as parked,
      coalesce(sum(p.planned), 0)::float8 as planned,
      ${isOfPlace ? sql`null::float8` : expected} as expected
    from (${parts}) p left join devices d on d.organization_id = p.organization_id and d.id = p.device_id
    where ${allOf([sql`(${isLiving} or p.outages > 0 or p.excluded > 0 or p.seconds > 0)`, ...owned, ...ofCarrier])} group by 1, 2`;
}

const isLiving = sql`(d.id is not null and d.archived_at is null)`;
/** When a purged device `p` had its routers is not known, so its outages are part of no share. */
const isOwnershipKnown = sql`(d.id is not null or (select true from router_ownership w
  where w.organization_id = p.organization_id and w.device_id = p.device_id limit 1))`;

/** A part of `sumsOfOwners` without outages. */
const withoutOutages = sql`0 as outages, 0::float8 as lost, 0::float8 as longest, 0::float8 as excluded, 0::float8 as parked, 0::float8 as planned`;
const lastOf = ({ ends }: OutageTime, now: Date) => sql`least(${ends}::timestamptz, ${now}::timestamptz)`;

/** Seconds of ownerships `w`: of all, and of those that ended, since it is known of the present router alone whether it ever connected. */
const secondsOf = (part: Fragment): Fragment => sql`coalesce(sum(greatest(0, extract(epoch from ${part}))), 0)::float8 as seconds,
  coalesce(sum(greatest(0, extract(epoch from ${part}))) filter (where w.owned_until is not null), 0)::float8 as earlier`;

/** Since when the history `h` of an organization knows whether the router of an ownership `w` was connected. */
const observedFrom = sql`greatest(w.owned_from, h.begins, r.first_online_at)`;

/** Ownerships `w` with the history `h` of their organization, without former ones of routers that never connected, and their router `r` where it first connected after the period began. */
const ownerships = (scope: Scope, time: OutageTime, now: Date): Fragment => sql`${historyOf(scope, time, now)} h
  join router_ownership w on w.organization_id = h.id
    and (w.owned_until is null or not coalesce((select n.presence_since is null from routers n where n.id = w.router_id), false))
  left join (select id, first_online_at from routers where main_account_id = ${scope.mainAccountId}::uuid
    and first_online_at > ${time.begins}::timestamptz offset 0) r on r.id = w.router_id`;

const secondsOfOwners = (scope: Scope, time: OutageTime, now: Date): Fragment => {
  const part = sql`least(coalesce(w.owned_until, 'infinity'), ${lastOf(time, now)}) - ${observedFrom}`;
  return sql`select w.organization_id, w.device_id, '' as carrier, ${withoutOutages}, ${secondsOf(part)}
    from ${ownerships(scope, time, now)} group by 1, 2`;
};

/** Each report of a carrier counts until the next one; empty = none was reported yet. */
function secondsByCarrier(scope: Scope, time: OutageTime, now: Date): Fragment {
  const stops = sql`least(coalesce(w.owned_until, 'infinity'), ${lastOf(time, now)})`;
  return sql`select w.organization_id, w.device_id, f.carrier, ${withoutOutages}, ${secondsOf(sql`least(f.stops, ${stops}) - greatest(f.starts, ${observedFrom})`)}
    from ${ownerships(scope, time, now)} cross join lateral (
      select f.carrier, f.at as starts, lead(f.at, 1, 'infinity') over (order by f.at, f.id) as stops from (
        select '' as carrier, timestamptz '-infinity' as at, 0::bigint as id
        union all select f.value, f.at, f.id from router_facts f
          where f.router_id = w.router_id and f.fact = 'carrier' and f.at < ${lastOf(time, now)}) f) f
    where ${observedFrom} < ${stops} and f.starts < ${stops} and f.stops > ${observedFrom} group by 1, 2, 3`;
}
