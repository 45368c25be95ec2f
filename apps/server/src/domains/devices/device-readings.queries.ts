// Reads tables of other domains: connectivity, router_ownership, telemetry, telemetry_hours, telemetry_late, telemetry_reports, telemetry_rollup.
import { devices } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Fragment, Reader } from '../../platform/listing/index.ts';
import { readings, valuesOfReport, valuesOfRollup } from '../router-state/index.ts';
import { owned, type OwnDevice } from './device-history.queries.ts';

type Readings = z.input<typeof devices.deviceReadings.response>['result'];

const HOUR_SECONDS = 3_600;

interface Range {
  readonly from: Date;
  readonly until: Date;
  /** Seconds. */
  readonly step: number;
}

/**
 * Measured values of a device's router over a range that ends now, reduced to one point for each step, and when it was offline. History
 * comes from the intervals in which the device had its routers (OGL-04, BLK-06).
 */
export async function readReadings(reader: Reader, device: OwnDevice, name: devices.ReadingRange, now: Date): Promise<Readings> {
  const { hours, step } = devices.readingRanges[name];
  // Steps begin at multiples of their length, so that hours that are rolled up fit.
  const from = Math.floor((now.getTime() / 1_000 - hours * HOUR_SECONDS) / step) * step;
  const range = { from: new Date(from * 1_000), until: now, step };
  const [series, offline] = await Promise.all([readSeries(reader, device, range), readOffline(reader, device, range)]);
  return { from, until: Math.floor(now.getTime() / 1_000), step, series, offline };
}

interface Point {
  readonly parameter: number;
  readonly at: number;
  readonly least: number;
  readonly mean: number;
  readonly most: number;
}

async function readSeries(reader: Reader, device: OwnDevice, range: Range): Promise<Readings['series']> {
  const width = sql`${`${range.step} seconds`}::interval`;
  const rows = await reader.rows<Point>(
    sql`with own as materialized (
        select o.router_id, greatest(o.owned_from, ${range.from}::timestamptz) as lo, least(coalesce(o.owned_until, 'infinity'), ${range.until}::timestamptz) as hi
        from router_ownership o where ${owned(device)} and coalesce(o.owned_until, 'infinity') > ${range.from}::timestamptz
      ) ${range.step < HOUR_SECONDS ? singleValues() : rolledValues(range)}
      select m.parameter, extract(epoch from date_bin(${width}, m.at, 'epoch'))::float8 as at,
        min(m.least) as least, sum(m.sum) / sum(m.count) as mean, max(m.most) as most
      from measured m group by 1, 2 order by 1, 2`,
  );
  const series = new Map<number, Readings['series'][number]>();
  for (const { parameter, at, least, mean, most } of rows) {
    const { key, unit } = readings.find(({ number }) => number === parameter)!;
    const known = series.get(parameter) ?? { parameter: key, unit, points: [] };
    known.points.push([at, least, Math.round(mean * 1e10) / 1e10, most]);
    series.set(parameter, known);
  }
  return [...series.values()];
}

const reported = (
  within: Fragment,
  joined = sql``,
) => sql`select v.parameter, t.at, 1 as count, v.value as sum, v.value as least, v.value as most
  from own o ${joined} join telemetry_reports t on t.router_id = o.router_id and t.at >= o.lo and t.at < o.hi and ${within}
    cross join lateral ${valuesOfReport('t')} where v.value is not null`;

/** Values of the version that stored one row for each. */
const former = sql`select t.parameter, t.at, 1, t.value, t.value, t.value
  from own o join telemetry t on t.router_id = o.router_id and t.at >= o.lo and t.at < o.hi`;

function singleValues(): Fragment {
  return sql`, measured as (${reported(sql`true`)} union all ${former})`;
}

/**
 * Hours that are rolled up, and single values of the rest: hours that are not rolled up yet, to which reports were added since, or in which
 * the router changed hands.
 */
function rolledValues({ from, until }: Range): Fragment {
  const within = (at: Fragment) => sql`${at} >= ${from}::timestamptz and ${at} < ${until}::timestamptz`;
  return sql`, rolled as materialized (select rolled_from as lo, rolled_until as hi from telemetry_rollup),
    divided as materialized (
      select l.hour from telemetry_late l where l.router_id in (select o.router_id from own o) and ${within(sql`l.hour`)}
      union select date_trunc('hour', b.at, 'UTC') from own o cross join lateral (values (o.lo), (o.hi)) b (at) where b.at < 'infinity'
    ), measured as (
      select v.parameter, h.at, v.count, v.sum, v.min as least, v.max as most
      from own o cross join rolled r join telemetry_hours h on h.router_id = o.router_id and h.at >= greatest(o.lo, r.lo)
          and h.at < least(o.hi, r.hi) and not exists (select 1 from divided d where d.hour = h.at)
        cross join lateral ${valuesOfRollup(
          'h',
          readings.map(({ number }) => number),
        )} where v.count > 0
      union all ${reported(sql`t.at < (select lo from rolled)`)}
      union all ${reported(sql`t.at >= (select hi from rolled)`)}
      union all ${reported(
        sql`t.at >= d.hour and t.at < d.hour + interval '1 hour' and t.at >= (select lo from rolled) and t.at < (select hi from rolled)`,
        sql`cross join divided d`,
      )}
      union all ${former}
    )`;
}

/**
 * When the device was offline for at least a step: between two connections, and from the start of the range, or of the time with another
 * router, if it was offline then. What a new device's router did before it was claimed says nothing.
 */
async function readOffline(reader: Reader, device: OwnDevice, { from, until, step }: Range): Promise<Readings['offline']> {
  const change = sql`c.router_id = o.router_id and c.kind in ('online', 'offline')`;
  const rows = await reader.rows<{ from: number; until: number }>(
    sql`with own as materialized (
        select o.router_id, o.owned_from, coalesce(o.owned_until, 'infinity') as owned_until, row_number() over (order by o.owned_from) > 1 as is_next
        from router_ownership o where ${owned(device)}
      ), begun as (
        select o.*, greatest(o.owned_from, ${from}::timestamptz) as at from own o where o.owned_until > ${from}::timestamptz and o.owned_from < ${until}::timestamptz
      ), changes as (
        (select c.at, c.kind from begun o join connectivity c on ${change} and c.at > o.at and c.at < least(o.owned_until, ${until}::timestamptz))
        union all
        (select o.at, coalesce(l.kind, 'offline') from begun o left join lateral (
            select c.kind from connectivity c where ${change} and c.at <= o.at and (o.is_next or c.at >= o.owned_from) order by c.at desc limit 1) l on true
          where l.kind is not null or o.is_next)
      ), spans as (select kind, at as lo, coalesce(lead(at) over (order by at), ${until}::timestamptz) as hi from changes)
      select floor(extract(epoch from lo))::float8 as from, floor(extract(epoch from hi))::float8 as until
      from spans where kind = 'offline' and hi - lo >= ${`${step} seconds`}::interval order by 1`,
  );
  return rows.map((row) => [row.from, row.until]);
}
