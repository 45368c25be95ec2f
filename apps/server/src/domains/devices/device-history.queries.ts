// Reads tables of other domains: router_ownership, routers, telemetry, telemetry_reports.
import type { devices } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Reader } from '../../platform/listing/index.ts';
import { readings, valuesOfReport } from '../router-state/index.ts';
import type { DeviceRow } from './device.dto.ts';

type Series = z.input<typeof devices.deviceTelemetry.response>['result'];

/** The maximum number of points of a series. */
const POINTS = 300;

/** A device that was found within the caller's scope: its history is read through the intervals in which it owned its router. */
export type OwnDevice = Pick<DeviceRow, 'id' | 'router_id'>;

type OwnEntry = Pick<z.input<typeof devices.getDevice.response>['result'], 'clock_skew' | 'set_up'>;

/** How far the router's clock is ahead of ours (milliseconds), and the progress of its set-up; null if unknown. */
export async function readRouterState(reader: Reader, device: OwnDevice): Promise<OwnEntry> {
  const [row] = await reader.rows<OwnEntry>(
    sql`select r.clock_skew_ms as clock_skew, (r.reported -> 'set_up') - 'count' as set_up
      from routers r where r.id = ${device.router_id}::uuid and r.device_id = ${device.id}::uuid`,
  );
  return row ?? { clock_skew: null, set_up: null };
}

/** The router's measurements of the last hours, each parameter reduced to at most 300 averages. */
export async function listTelemetry(reader: Reader, device: OwnDevice, hours: number, now: Date): Promise<Series> {
  const from = new Date(now.getTime() - hours * 3_600_000);
  const width = `${(hours * 3_600) / POINTS} seconds`;
  const within = sql`t.router_id = o.router_id and t.at >= o.owned_from and t.at < coalesce(o.owned_until, 'infinity')
    and t.at >= ${from}::timestamptz and t.at < ${now}::timestamptz`;
  const rows = await reader.rows<{ parameter: number; at: number; value: number }>(
    sql`select m.parameter, avg(extract(epoch from m.at))::float8 as at, avg(m.value) as value
      from router_ownership o cross join lateral (
        select t.at, v.parameter, v.value from telemetry_reports t cross join lateral ${valuesOfReport('t')}
        where ${within} and v.value is not null
        union all select t.at, t.parameter, t.value from telemetry t where ${within}
      ) m where ${owned(device)}
      group by m.parameter, date_bin(${width}::interval, m.at, ${from}::timestamptz) order by m.parameter, 2`,
  );
  const series = new Map<number, Series[number]>();
  for (const { parameter, at, value } of rows) {
    const { key, unit } = readings.find(({ number }) => number === parameter)!;
    const known = series.get(parameter) ?? { parameter: key, unit, points: [] };
    known.points.push([Math.floor(at), Math.round(value * 1e10) / 1e10]);
    series.set(parameter, known);
  }
  return [...series.values()];
}

/** All intervals of the device, also those in earlier organizations: its history moves with a transfer (OGL-04). */
export function owned(device: OwnDevice) {
  return sql`o.router_id = ${device.router_id}::uuid and o.device_id = ${device.id}::uuid`;
}
