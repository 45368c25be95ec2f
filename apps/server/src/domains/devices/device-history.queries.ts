// Reads tables of other domains: router_ownership, routers, telemetry, telemetry_parameters.
import type { devices } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Reader } from '../../platform/listing/index.ts';
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
  const rows = await reader.rows<{ parameter: string; unit: string; at: number; value: number }>(
    sql`select p.name as parameter, p.unit, s.at, s.value from (
        select t.parameter, avg(extract(epoch from t.at))::float8 as at, avg(t.value) as value
        from router_ownership o
        join telemetry t on t.router_id = o.router_id and t.at >= o.owned_from and t.at < coalesce(o.owned_until, 'infinity')
        where ${owned(device)} and t.at >= ${from}::timestamptz and t.at < ${now}::timestamptz
        group by t.parameter, date_bin(${width}::interval, t.at, ${from}::timestamptz)
      ) s join telemetry_parameters p on p.id = s.parameter order by p.id, s.at`,
  );
  const series = new Map<string, { parameter: string; unit: string; points: [number, number][] }>();
  for (const { parameter, unit, at, value } of rows) {
    const known = series.get(parameter) ?? { parameter, unit, points: [] };
    known.points.push([Math.floor(at), Math.round(value * 1e10) / 1e10]);
    series.set(parameter, known);
  }
  return [...series.values()];
}

/** All intervals of the device, also those in earlier organizations: its history moves with a transfer (OGL-04). */
export function owned(device: OwnDevice) {
  return sql`o.router_id = ${device.router_id}::uuid and o.device_id = ${device.id}::uuid`;
}
