// Reads tables of other domains: coverage_days, devices, groups, organizations, report_settings, router_ownership, telemetry_reports.
import type { outages as calls } from '@highline/contract';
import { sql } from 'kysely';
import { isId, type OrganizationScope } from '../../kernel/index.ts';
import { allOf, type Reader } from '../../platform/listing/index.ts';
import { carrierOfReport, placedReports } from '../coverage/index.ts';
import type { OutageTime } from './outages.period.ts';
import { chosen, clipped, reaches, wholeOf } from './outages.queries.ts';

/** What lost connections in a place, or of a vehicle there. */
export interface PlaceRow {
  readonly hexagon: string;
  readonly outages: number;
  readonly minutes: number;
  /** Serving cells, the most frequent first, separated by commas. */
  readonly cells: string;
  /** Mean of the signal before, dBm. */
  readonly rsrp: number | null;
  /** Outages of other vehicles there, and reports with a signal that they sent from there; of all vehicles where none is meant. */
  readonly others: number;
  readonly samples: number;
}

/** Places beyond those of the table. */
export interface FurtherPlaces extends Pick<PlaceRow, 'outages' | 'minutes'> {
  readonly count: number;
}

/** Places of one evidence pack. */
export const MOST_PLACES = 25;

/** The name and logo of the organization, and the names of the device and the group that are meant; undefined = there is none in this scope. */
export async function readSubject(
  reader: Reader,
  { organizationId }: OrganizationScope,
  { device, group }: Pick<calls.OutagePeriod, 'device' | 'group'>,
): Promise<
  | {
      readonly organization: string;
      readonly group: string;
      readonly name: string;
      readonly serial: string;
      readonly logo: Buffer | null;
    }
  | undefined
> {
  if (device !== undefined && !isId(device)) return undefined;
  const rows = await reader.rows<{
    organization: string;
    group: string | null;
    name: string | null;
    serial: string | null;
    logo: Buffer | null;
  }>(sql`select o.name as organization, (select t.logo from report_settings t where t.organization_id = o.id) as logo,
      (select g.name from groups g where g.organization_id = o.id and g.key = ${group?.replaceAll('\0', '') ?? null}) as group,
      coalesce(nullif(d.vehicle_number, ''), d.serial) as name, d.serial
    from organizations o left join devices d on d.organization_id = o.id and d.id = ${device ?? null}::uuid
    where o.id = ${organizationId}::uuid`);
  const [row] = rows;
  if (row === undefined || (device !== undefined && row.name === null)) return undefined;
  return {
    organization: row.organization,
    group: row.group ?? group ?? '',
    name: row.name ?? '',
    serial: row.serial ?? '',
    logo: row.logo,
  };
}

/** Minutes without a connection by day of the zone. */
export function readDays(
  reader: Reader,
  { organizationId }: OrganizationScope,
  query: calls.OutagePeriod,
  time: OutageTime,
  now: Date,
): Promise<{ readonly day: string; readonly minutes: number }[]> {
  const whole = wholeOf(time);
  const conditions = allOf([
    sql`x.organization_id = ${organizationId}::uuid and x.kind = 'lost' and ${reaches(whole)}`,
    ...chosen(query),
  ]);
  const part = {
    begins: sql`greatest(${whole.begins}, d.begins at time zone ${time.zone})`,
    ends: sql`least(${whole.ends}, (d.begins + interval '1 day') at time zone ${time.zone})`,
  };
  return reader.rows(sql`select d.begins::date::text as day, (sum(${clipped(part, now)}) / 60)::float8 as minutes
    from outages x cross join lateral generate_series(date_trunc('day', greatest(x.began_at, ${whole.begins}) at time zone ${time.zone}),
      least(coalesce(x.ended_at, ${now}::timestamptz), ${whole.ends}) at time zone ${time.zone}, interval '1 day') d (begins)
    where ${conditions} group by 1 order by 1`);
}

/** A period, and the first day of which reports of routers are kept. */
type ReportedTime = OutageTime & { readonly reportsFrom: string };

/** Lost connections by place, the most minutes first, next to what others met there on the same carrier, if one is chosen; and the sums of places beyond `MOST_PLACES`. */
export async function readPlaces(
  reader: Reader,
  { organizationId }: OrganizationScope,
  query: calls.OutagePeriod,
  time: ReportedTime,
  now: Date,
): Promise<{ readonly places: readonly PlaceRow[]; readonly further: FurtherPlaces }> {
  const { device, carrier } = query;
  const own = allOf([sql`true`, ...chosen(query)]);
  // The own reports of a vehicle are taken off, and are known of these days alone.
  const samplesFrom = device === undefined || time.reportsFrom < time.from ? time.from : time.reportsFrom;
  const within = sql`x.organization_id = ${organizationId}::uuid and x.hexagon is not null and x.kind = 'lost'
    and ${reaches(wholeOf(time))}`;
  const others = allOf([sql`x.device_id <> ${device ?? null}::uuid`, ...chosen({ carrier })]);
  const rows = await reader.rows<PlaceRow & { readonly all: FurtherPlaces }>(sql`with grouped as (
      select x.hexagon, count(*)::int as outages,
        round((sum(${clipped(wholeOf(time), now)}) / 60)::numeric, 1)::float8 as minutes,
        avg(x.rsrp)::float8 as rsrp
      from outages x where ${within} and ${own} group by 1),
    places as (select * from grouped order by minutes desc, hexagon limit ${MOST_PLACES})
    select p.*, (select json_build_object('count', count(*), 'outages', sum(g.outages), 'minutes', sum(g.minutes)) from grouped g) as all, coalesce((select string_agg(c.serving_cell, ', ' order by c.times desc, c.serving_cell) from (
          select x.serving_cell, count(*) as times from outages x where ${within} and ${own} and x.hexagon = p.hexagon and x.serving_cell <> ''
          group by 1 order by 2 desc, 1 limit 3) c), '') as cells,
      ${device === undefined ? sql`0` : sql`(select count(*)::int from outages x where ${within} and x.hexagon = p.hexagon and ${others})`} as others,
      coalesce((select sum(y.samples)::int from coverage_days y where y.organization_id = ${organizationId}::uuid and y.cell = p.hexagon
        and y.day between ${samplesFrom}::date and ${time.until}::date${carrier === undefined ? sql`` : sql` and y.carrier = ${carrier.replaceAll('\0', '')}`}), 0) as samples
    from places p order by p.minutes desc, p.hexagon`);
  const all = rows[0]?.all ?? { count: 0, outages: 0, minutes: 0 };
  const beyond = (key: 'outages' | 'minutes') => all[key] - rows.reduce((sum, row) => sum + row[key], 0);
  const further = { count: all.count - rows.length, outages: beyond('outages'), minutes: beyond('minutes') };
  return { places: rows, further };
}

/** Lost connections whose place is not known. */
export async function readUnplaced(
  reader: Reader,
  { organizationId }: OrganizationScope,
  query: calls.OutagePeriod,
  time: OutageTime,
  now: Date,
): Promise<{ readonly outages: number; readonly minutes: number }> {
  const conditions = allOf([
    sql`x.organization_id = ${organizationId}::uuid and x.kind = 'lost' and x.hexagon is null
      and ${reaches(wholeOf(time))}`,
    ...chosen({ ...query, hexagon: undefined }),
  ]);
  const rows = await reader.rows<{ outages: number; minutes: number }>(sql`select count(*)::int as outages,
      (coalesce(sum(${clipped(wholeOf(time), now)}), 0) / 60)::float8 as minutes
    from outages x where ${conditions}`);
  return rows[0]!;
}

/** Reports with a signal of one vehicle in days of UTC, where it was and on this carrier, as coverage counts them: they are not those of others. */
export function readOwnReports(
  reader: Reader,
  { organizationId }: OrganizationScope,
  { from, until }: Pick<OutageTime, 'from' | 'until'>,
  { device, carrier }: { readonly device: string; readonly carrier: string | undefined },
): Promise<{ readonly latitude: number; readonly longitude: number }[]> {
  // The slots of its reports, not all of the period: those would be compared with each report.
  const slots = sql`(select distinct u.router_id, coverage_slot_of(u.at) as slot from telemetry_reports u
    where u.router_id in (select w.router_id from router_ownership w
        where w.organization_id = ${organizationId}::uuid and w.device_id = ${device}::uuid)
      and u.at >= ${`${from}T00:00:00Z`}::timestamptz and u.at < ${`${until}T00:00:00Z`}::timestamptz + interval '24 hours' offset 0) l`;
  return reader.rows(sql`select p.latitude, p.longitude from ${placedReports(slots)}
    where o.organization_id = ${organizationId}::uuid and o.device_id = ${device}::uuid${
      carrier === undefined ? sql`` : sql` and ${carrierOfReport} = ${carrier.replaceAll('\0', '')}`
    }`);
}
