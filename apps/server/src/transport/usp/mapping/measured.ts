import type { Sample, TelemetryParameter } from '../../../domains/telemetry/index.ts';
import { MODEMS, TEMPERATURES, VEHICLE, VOLTAGES } from './paths.ts';

/** A measured value, its TR-181 path and its conversion to our unit. Values out of range are dropped. */
interface Measure {
  readonly parameter: TelemetryParameter;
  /** Table whose instances hold it; undefined for a single object. */
  readonly table?: string;
  /** Path below an instance, or the whole path. */
  readonly name: string;
  readonly factor: number;
  readonly least: number;
  readonly most: number;
}

export const measures: readonly Measure[] = [
  { parameter: 'rssi', table: MODEMS, name: 'RSSI', factor: 1, least: -199, most: -1 },
  { parameter: 'rsrp', table: MODEMS, name: 'RSRP', factor: 1, least: -199, most: -1 },
  { parameter: 'rsrq', table: MODEMS, name: 'RSRQ', factor: 1, least: -60, most: 30 },
  { parameter: 'bytes_sent', table: MODEMS, name: 'Stats.BytesSent', factor: 1, least: 0, most: Number.MAX_SAFE_INTEGER },
  { parameter: 'bytes_received', table: MODEMS, name: 'Stats.BytesReceived', factor: 1, least: 0, most: Number.MAX_SAFE_INTEGER },
  // −274 means "no reading" (TR-181).
  { parameter: 'temperature', table: TEMPERATURES, name: 'Value', factor: 1, least: -100, most: 300 },
  // TR-181 uses millivolts, we use volts.
  { parameter: 'voltage', table: VOLTAGES, name: 'Voltage', factor: 0.001, least: 0, most: 1_000 },
  { parameter: 'battery', name: `${VEHICLE}BatteryCharge`, factor: 1, least: 0, most: 100 },
];

/** Measure and instance that a full path stands for; instance 0 for a single object. */
export function measureOf(path: string): { readonly measure: Measure; readonly instance: number } | undefined {
  for (const measure of measures) {
    if (measure.table === undefined) {
      if (path === measure.name) return { measure, instance: 0 };
    } else if (path.startsWith(measure.table) && path.endsWith(`.${measure.name}`)) {
      const instance = path.slice(measure.table.length, -measure.name.length - 1);
      if (/^[1-9]\d{0,8}$/u.test(instance)) return { measure, instance: Number(instance) };
    }
  }
  return undefined;
}

/**
 * Values measured at one time, from full paths and values. A parameter with several instances is taken from the modem in use,
 * else from the first instance.
 * @param at epoch milliseconds
 */
export function readMeasured(values: Iterable<readonly [string, unknown]>, modem: number, at: number): Sample[] {
  const found = new Map<TelemetryParameter, { rank: number; value: number }>();
  for (const [path, raw] of values) {
    const known = measureOf(path);
    const value = known === undefined ? undefined : readValue(known.measure, raw);
    if (known === undefined || value === undefined) continue;
    const { parameter, table } = known.measure;
    const rank = table === MODEMS && known.instance === modem ? 0 : known.instance;
    if (rank <= (found.get(parameter)?.rank ?? Number.POSITIVE_INFINITY)) found.set(parameter, { rank, value });
  }
  return Array.from(found, ([parameter, { value }]) => ({ at, parameter, value }));
}

function readValue({ factor, least, most }: Measure, raw: unknown): number | undefined {
  if (typeof raw !== 'number' && (typeof raw !== 'string' || raw.trim() === '')) return undefined;
  // Round away the binary fraction that multiplying by 0.001 leaves.
  const value = factor === 1 ? Number(raw) : Number((Number(raw) * factor).toFixed(6));
  return value >= least && value <= most ? value : undefined;
}
