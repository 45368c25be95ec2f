import { signalLimits } from './signal-quality.ts';

/** What the health of a device is computed from: figures of the last 24 hours. Null = not measured. */
export interface HealthInputs {
  /** Mean RSRP, dBm. */
  readonly rsrp: number | null;
  /** Mean RSSI, dBm; counts where there is no RSRP. */
  readonly rssi: number | null;
  /** How often the connection ended. */
  readonly drops: number;
  /** The greatest temperature, °C. */
  readonly temperature: number | null;
  /** The least supply voltage, V. */
  readonly voltage: number | null;
}

export const healthParts = ['signal', 'drops', 'temperature', 'voltage'] as const;
export type HealthPart = (typeof healthParts)[number];

/** The share of each part in the score; those of parts without a value are divided among the others. */
export const healthWeights: Readonly<Record<HealthPart, number>> = { signal: 40, drops: 30, temperature: 15, voltage: 15 };

/** Each part is 100 at `best`, 0 at `worst`, and on the straight line between. */
export const healthLimits = {
  rsrp: limitsOf('rsrp'),
  rssi: limitsOf('rssi'),
  /** Ends of the connection in 24 hours. */
  drops: { best: 0, worst: 10 },
  temperature: { best: 60, worst: 85 },
  /** Of a 12 V supply; a 24 V supply, above `DOUBLE_VOLTAGE`, counts half. */
  voltage: { best: 12, worst: 10.5 },
} as const;

/** A supply above this is one of 24 V. */
export const DOUBLE_VOLTAGE = 18;

/** 100 from a good signal on, 50 at the limit of a fair one. */
function limitsOf(measure: 'rsrp' | 'rssi'): { readonly best: number; readonly worst: number } {
  const { good, fair } = signalLimits[measure];
  return { best: good, worst: fair - (good - fair) };
}

export interface Health {
  /** 0 to 100. */
  readonly score: number;
  /** Each part, 0 to 100; null without a value. */
  readonly parts: Readonly<Record<HealthPart, number | null>>;
}

/** The health of a device; null if nothing was measured: that is unknown, not bad (DPG-03). */
export function healthOf({ rsrp, rssi, drops, temperature, voltage }: HealthInputs): Health | null {
  if (rsrp === null && rssi === null && temperature === null && voltage === null) return null;
  const supply = voltage !== null && voltage > DOUBLE_VOLTAGE ? voltage / 2 : voltage;
  const parts = {
    signal: rsrp === null ? part('rssi', rssi) : part('rsrp', rsrp),
    drops: part('drops', drops),
    temperature: part('temperature', temperature),
    voltage: part('voltage', supply),
  };
  const known = healthParts.flatMap((name) => {
    const value = parts[name];
    return value === null ? [] : [{ value, weight: healthWeights[name] }];
  });
  const total = known.reduce((sum, { weight }) => sum + weight, 0);
  return { score: Math.round(known.reduce((sum, { value, weight }) => sum + value * weight, 0) / total), parts };
}

function part(name: keyof typeof healthLimits, value: number | null): number | null {
  if (value === null) return null;
  const { best, worst } = healthLimits[name];
  return Math.round(100 * Math.min(1, Math.max(0, (value - worst) / (best - worst))));
}
