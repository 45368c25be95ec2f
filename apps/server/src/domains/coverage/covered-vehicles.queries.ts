// Reads tables of other domains: organizations.
import { coverage as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import { allOf, defineList, searchOf, sorted, type Fragment } from '../../platform/listing/index.ts';
import { organizationsOf } from '../../platform/resources/organizations.ts';
import { devicesOf } from '../devices/index.ts';
import type { Period } from './coverage.period.ts';

/** A period, and what of it. */
export interface CoverageFilter extends Period {
  readonly carrier?: string | undefined;
  readonly technology?: string | undefined;
}

export const withoutNull = (text: string) => text.replaceAll('\0', '');

/** A vehicle against the others of its organization. */
export interface VehicleRow {
  readonly id: string;
  readonly name: string;
  readonly serial: string;
  readonly organization_id: string;
  readonly org_name: string;
  readonly rsrp: number | null;
  readonly rsrq: number | null;
  readonly samples: number;
  readonly cells: number;
}

const vehicleSorts: Readonly<Record<(typeof calls.coverageVehicleSorts)[number], Fragment>> = {
  rsrp: sql`v.rsrp`,
  rsrq: sql`v.rsrq`,
  samples: sql`v.samples`,
};

/** Whether a vehicle is so much worse than the others that its antenna is probably broken. */
export const isSuspect = ({ rsrp, samples }: Pick<VehicleRow, 'rsrp' | 'samples'>): boolean =>
  rsrp !== null && rsrp <= calls.ANTENNA_DB && samples >= calls.ANTENNA_SAMPLES;

/** The totals `l` of an organization `c` at the last day of a period, of vehicles that have reports in it. */
function totalsOf({ from, until, carrier, technology }: CoverageFilter): Fragment {
  return allOf([
    sql`l.organization_id = c.id`,
    sql`l.day = (select max(t.day) from coverage_vehicle_totals t where t.organization_id = c.id and t.day between ${from}::date and ${until}::date)`,
    sql`l.last_day >= greatest(${from}::date, ${firstTotal})`,
    ...(carrier === undefined ? [] : [sql`l.carrier = ${withoutNull(carrier)}`]),
    ...(technology === undefined ? [] : [sql`l.technology = ${withoutNull(technology)}`]),
  ]);
}

/** The first day of an organization `c` that is kept. */
const firstTotal = sql`(select min(t.day) from coverage_vehicle_totals t where t.organization_id = c.id)`;

/**
 * The sums of a period by vehicle: the difference of two days of coverage_vehicle_totals, whatever its length. Of an organization that has no total
 * before the period it begins with the first that is kept, and the reports of that day belong to it. Days are subqueries, which PostgreSQL
 * takes for constants: it then reads both in the order of the index.
 * @param chosen condition on totals `l`
 */
function sumsOfVehicles(scope: Scope, filter: CoverageFilter, chosen: readonly Fragment[]): Fragment {
  const before = sql`(select max(t.day) from coverage_vehicle_totals t where t.organization_id = c.id and t.day < ${filter.from}::date)`;
  const sum = (column: string) =>
    sql`sum(${sql.ref(`l.${column}`)} - coalesce(${sql.ref(`b.${column}`)}, 0) + coalesce(${sql.ref(`f.${column}`)}, 0))`;
  const mean = (of: string) => sql`${sum(`${of}_difference`)} / nullif(${sum(`${of}_samples`)}, 0)::float8 as ${sql.ref(of)}`;
  return sql`select c.id as organization_id, s.* from organizations c cross join lateral (
      select l.device_id, ${mean('rsrp')}, ${mean('rsrq')}, ${sum('samples')}::int as samples, ${sum('cells')}::int as cells
      from coverage_vehicle_totals l
        left join coverage_vehicle_totals b on b.organization_id = c.id and b.day = coalesce(${before}, ${firstTotal})
          and b.device_id = l.device_id and b.carrier = l.carrier and b.technology = l.technology and b.since = l.since
        left join (select *, greatest(rsrp_samples, rsrq_samples) as samples from coverage_vehicle_days) f on f.organization_id = c.id
          and f.day = (select ${firstTotal} where ${before} is null)
          and f.device_id = b.device_id and f.carrier = b.carrier and f.technology = b.technology
      where ${allOf([totalsOf(filter), ...chosen])} group by l.device_id) s
    where ${organizationsOf(scope, 'c')}`;
}

/** Vehicles against the median of the others, the worst first. Days before a transfer stay with the earlier organization. @param only conditions on devices `d` */
export const vehicleList = (filter: CoverageFilter, only: readonly Fragment[] = []) =>
  defineList({
    of(scope: Scope, query: calls.CoverageVehicleQuery) {
      const { value: column, descending } = sorted(query.sort ?? 'rsrp', vehicleSorts);
      const order = sql`${column} ${descending ? sql`desc` : sql`asc`} nulls last, v.id`;
      const name = sql`coalesce(nullif(d.vehicle_number, ''), d.serial)`;
      const search = [...only, ...searchOf(query, { vehicle: name, serial: sql`d.serial` })];
      const chosen = sql`devices d where ${allOf([devicesOf(scope), ...search])}`;
      const ofChosen =
        search.length === 0 ? [] : [sql`(l.organization_id, l.device_id) in (select d.organization_id, d.id from ${chosen})`];
      const sums = sumsOfVehicles(scope, filter, ofChosen);
      return {
        rows: (part: Fragment) => sql`select v.*, o.name as org_name from (
            select d.id, ${name} as name, d.serial, s.* from (${sums}) s
              join (select d.* from ${chosen}) d on d.organization_id = s.organization_id and d.id = s.device_id) v
          join organizations o on o.id = v.organization_id order by ${order} ${part}`,
        count: sql`select count(*)::int as total from ${chosen} and (d.organization_id, d.id) in (
          select c.id, l.device_id from organizations c
            cross join lateral (select l.device_id from coverage_vehicle_totals l where ${totalsOf(filter)} offset 0) l
          where ${organizationsOf(scope, 'c')})`,
        placeOf: () => undefined,
      };
    },
    toDto: (row: VehicleRow): calls.CoverageVehicle => ({
      device: row.id,
      name: row.name,
      serial: row.serial,
      org: row.organization_id,
      orgName: row.org_name,
      rsrp: decimal(row.rsrp),
      rsrq: decimal(row.rsrq),
      samples: row.samples,
      cells: row.cells,
      isSuspect: isSuspect(row),
    }),
  });

/** With one decimal. */
export const decimal = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10);
