import { addCounts, medianOf, middleOf, rsrpBins, rsrqBins, type Bins, type Counts } from './bins.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** How many values of a vehicle are in a bin of a hexagon, on a day. */
export interface VehicleBin extends Row<'coverage_slots', 'cell' | 'carrier' | 'technology' | 'device_id'> {
  readonly reading: 'rsrp' | 'rsrq';
  readonly bin: number;
  readonly count: number;
}

/** How many values of all vehicles are in each bin of a hexagon, on a day. */
export interface PlaceTotal extends Row<'coverage_slots', 'cell' | 'carrier' | 'technology'> {
  readonly rsrp: Counts;
  readonly rsrq: Counts;
}

/** A vehicle against the others in the same hexagons, on the same network. */
export interface VehicleDifference {
  readonly device_id: string;
  readonly carrier: string;
  readonly technology: string;
  readonly cells: number;
  readonly rsrp_samples: number;
  readonly rsrp_difference: number;
  readonly rsrq_samples: number;
  readonly rsrq_difference: number;
}

/** Fewer reports of others in a hexagon say nothing about it. */
export const LEAST_OF_OTHERS = 5;

const readingBins: Readonly<Record<VehicleBin['reading'], Bins>> = { rsrp: rsrpBins, rsrq: rsrqBins };

const readings = ['rsrp', 'rsrq'] as const;

type Difference = { -readonly [Key in keyof VehicleDifference]: VehicleDifference[Key] };

const placeOf = ({ cell, carrier, technology, reading }: Omit<VehicleBin, 'device_id' | 'bin' | 'count'>) =>
  JSON.stringify([cell, carrier, technology, reading]);

/** The values of each hexagon, network and reading, of all vehicles. */
export function totalsOf(rows: readonly PlaceTotal[]): Map<string, Counts> {
  return new Map(rows.flatMap((row) => readings.map((reading) => [placeOf({ ...row, reading }), row[reading]] as const)));
}

/**
 * Compare vehicles with the median of the others: a vehicle's own values do not move what it is compared with, also where only two drive.
 * @param rows all values of these vehicles on the day @param totals those of all vehicles
 */
export function compareVehicles(rows: readonly VehicleBin[], totals: ReadonlyMap<string, Counts>): VehicleDifference[] {
  const differences = new Map<string, Difference>();
  const cells = new Map<string, Set<string>>();
  const byPlace = Map.groupBy(rows, (row) => `${row.device_id} ${placeOf(row)}`);
  for (const own of byPlace.values()) {
    const [first] = own;
    const { device_id, carrier, technology, reading, cell } = first!;
    const bins = readingBins[reading];
    const others: number[] = [];
    addCounts(others, totals.get(placeOf(first!)) ?? []);
    for (const { bin, count } of own) others[bin] = (others[bin] ?? 0) - count;
    const median = medianOf(bins, Array.from(others));
    if (median === null || sumOf(others) < LEAST_OF_OTHERS) continue;
    const key = JSON.stringify([device_id, carrier, technology]);
    const sum = differences.get(key) ?? nothing({ device_id, carrier, technology });
    differences.set(key, sum);
    for (const { bin, count } of own) {
      sum[`${reading}_samples`] += count;
      sum[`${reading}_difference`] += count * (middleOf(bins, bin) - median);
    }
    const known = cells.get(key) ?? new Set();
    cells.set(key, known.add(cell));
    sum.cells = known.size;
  }
  return [...differences.values()];
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

function nothing(of: Pick<VehicleDifference, 'device_id' | 'carrier' | 'technology'>): Difference {
  return { ...of, cells: 0, rsrp_samples: 0, rsrp_difference: 0, rsrq_samples: 0, rsrq_difference: 0 };
}
