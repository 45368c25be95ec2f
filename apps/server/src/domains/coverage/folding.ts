import { binOf, columnsOf, rsrpBins, rsrqBins, type Bins } from './bins.ts';
import { cellAt, parentOf, resolutions } from './hexagons.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** Longer outages count as this long: the vehicle was switched off rather than out of coverage. */
export const MOST_LOST_MS = 2 * 3_600_000;

/** Ten minutes of a router that are read. */
export interface DueSlot {
  readonly router_id: string;
  readonly slot: Date;
}

/** Where a router was, in whose hands, and on which network. */
interface Placed extends DueSlot, Row<'router_ownership', 'organization_id' | 'device_id'> {
  readonly latitude: number;
  readonly longitude: number;
  readonly carrier: string;
  readonly technology: string;
}

/** A report with a signal. */
export type SignalSample = Placed & Row<'telemetry_reports', 'rsrp' | 'rsrq'>;

/** A connection that was lost. */
export interface Drop extends Placed, Row<'connectivity', 'at'> {
  /** When the router was back; null = not yet, or not within the time that counts. */
  readonly back_at: Date | null;
}

/** What a router found in a hexagon in ten minutes. */
export interface SlotCell
  extends
    DueSlot,
    Row<
      'coverage_slots',
      'organization_id' | 'device_id' | 'cell' | 'carrier' | 'technology' | 'samples' | 'rsrq' | 'drops' | 'lost_seconds'
    > {
  /** The bin of each value. */
  readonly rsrp: readonly number[];
}

/** What is added to a hexagon on a day; its bins are further columns. */
export interface CellDay {
  readonly organization_id: string;
  readonly cell: string;
  /** ISO day of UTC. */
  readonly day: string;
  readonly carrier: string;
  readonly technology: string;
  readonly resolution: number;
  readonly [column: string]: number | string;
}

type Growing = { -readonly [Key in keyof SlotCell]: SlotCell[Key] } & { rsrp: number[]; rsrq: number[] };

/** What samples and lost connections of slots say, by hexagon and network. @param now an outage that goes on counts until then */
export function foldSlots(samples: readonly SignalSample[], drops: readonly Drop[], now: Date): SlotCell[] {
  const cells = new Map<string, Growing>();
  const cellOf = (found: SignalSample | Drop): Growing => {
    const cell = cellAt(found.latitude, found.longitude);
    const { router_id, slot, organization_id, device_id, carrier, technology } = found;
    const key = JSON.stringify([router_id, slot.getTime(), organization_id, device_id, cell, carrier, technology]);
    const known = cells.get(key);
    if (known !== undefined) return known;
    const empty = { samples: 0, rsrp: [], rsrq: [], drops: 0, lost_seconds: 0 };
    const added: Growing = { router_id, slot, organization_id, device_id, cell, carrier, technology, ...empty };
    cells.set(key, added);
    return added;
  };
  for (const sample of samples) {
    const cell = cellOf(sample);
    cell.samples++;
    if (sample.rsrp !== null) cell.rsrp.push(binOf(rsrpBins, sample.rsrp));
    if (sample.rsrq !== null) cell.rsrq.push(binOf(rsrqBins, sample.rsrq));
  }
  for (const drop of drops) {
    const cell = cellOf(drop);
    cell.drops++;
    cell.lost_seconds += Math.round(lostMs(drop, now) / 1_000);
  }
  return [...cells.values()];
}

/** How long a connection was lost, as far as it counts. */
export function lostMs({ at, back_at }: Pick<Drop, 'at' | 'back_at'>, now: Date): number {
  const until = back_at ?? now;
  return Math.min(MOST_LOST_MS, Math.max(0, until.getTime() - at.getTime()));
}

/** When an outage that goes on counts in full; undefined = it is over. */
export function fullAt({ at, back_at }: Pick<Drop, 'at' | 'back_at'>, now: Date): Date | undefined {
  const full = new Date(at.getTime() + MOST_LOST_MS);
  return back_at === null && full > now ? full : undefined;
}

/** What the sums by hexagon and day have to grow by, in hexagons of every size: `now` and no longer `before`. */
export function changesOf(before: readonly SlotCell[], now: readonly SlotCell[]): CellDay[] {
  const days = new Map<string, Record<string, number | string> & CellDay>();
  const add = (cell: SlotCell, sign: 1 | -1) => {
    for (const resolution of resolutions) {
      const { organization_id, carrier, technology } = cell;
      const id = parentOf(cell.cell, resolution);
      const day = cell.slot.toISOString().slice(0, 10);
      const key = JSON.stringify([organization_id, id, day, carrier, technology]);
      let sum = days.get(key);
      if (sum === undefined) {
        sum = { organization_id, cell: id, day, carrier, technology, resolution, samples: 0, drops: 0, lost_seconds: 0 };
        days.set(key, sum);
      }
      for (const name of ['samples', 'drops', 'lost_seconds'] as const) grow(sum, name, sign * cell[name]);
      growBins(sum, rsrpBins, cell.rsrp, sign);
      growBins(sum, rsrqBins, cell.rsrq, sign);
    }
  };
  for (const cell of before) add(cell, -1);
  for (const cell of now) add(cell, 1);
  // In one order everywhere, so that transactions never wait for each other in a circle.
  return [...days.values()].filter(hasChanged).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const keyOf = (row: CellDay) => `${row.organization_id} ${row.cell} ${row.day} ${row.carrier} ${row.technology}`;
const names = [...columnsOf(rsrpBins), ...columnsOf(rsrqBins), 'samples', 'drops', 'lost_seconds'];
const hasChanged = (row: CellDay) => names.some((name) => (row[name] ?? 0) !== 0);

function grow(sum: Record<string, number | string>, name: string, by: number): void {
  sum[name] = Number(sum[name] ?? 0) + by;
}

function growBins(sum: Record<string, number | string>, { column }: Bins, bins: readonly number[], sign: 1 | -1): void {
  for (const bin of bins) grow(sum, `${column}${bin}`, sign);
}
