import { distanceKm, type Coordinates } from './geo.ts';

/** Squares of a cell that are kept, the latest. */
export const MOST_SQUARES = 100;
/** From fewer squares nothing is concluded. */
const FEWEST_SQUARES = 3;
/** The place of a vehicle in a cell is never known better than this, metres. */
const LEAST_RADIUS = 500;
/**
 * A larger radius helps no one: cells of LTE rarely reach farther. Squares that are farther apart are those of two cells with one number,
 * or of a cell that was moved.
 */
const MOST_RADIUS = 30_000;
const PER_DEGREE = 1_000;

/** A square of a thousandth of a degree in which a vehicle was: 111 m from south to north. */
export interface Square {
  /** Thousandths of a degree. */
  readonly latitude: number;
  readonly longitude: number;
  /** Days since 1970, UTC. */
  readonly day: number;
}

/** Where a vehicle probably is. */
export interface Estimate extends Coordinates {
  /** Metres. */
  readonly radius: number;
}

/** The square of a position. @param at epoch milliseconds */
export function squareOf({ latitude, longitude, at }: Coordinates & { readonly at: number }): Square {
  return {
    latitude: Math.round(latitude * PER_DEGREE),
    longitude: Math.round(longitude * PER_DEGREE),
    day: Math.floor(at / 86_400_000),
  };
}

/**
 * Squares with further ones, each once, the latest last. A vehicle that is parked for a night is one square: it does not outweigh the roads.
 * @param from the first day that is kept
 */
export function addSquares(known: readonly Square[], added: readonly Square[], from: number): readonly Square[] {
  const squares = new Map<string, Square>();
  for (const square of [...known, ...added]) {
    const key = `${square.latitude} ${square.longitude}`;
    const before = squares.get(key);
    // A square that was seen again this day stays where it is, or each run would write every cell.
    if (before !== undefined && before.day >= square.day) continue;
    squares.delete(key);
    squares.set(key, square);
  }
  return [...squares.values()].filter(({ day }) => day >= from).slice(-MOST_SQUARES);
}

/** Where a vehicle is that is served by a cell: the median of its squares, and how far nine of ten are from it; undefined = they say too little. */
export function estimatePlace(squares: readonly Square[]): Estimate | undefined {
  const [first] = squares;
  if (first === undefined || squares.length < FEWEST_SQUARES) return undefined;
  const full = 360 * PER_DEGREE;
  // Measured from the first one, so that a cell at the date line has its middle there.
  const eastward = squares.map(({ longitude }) => ((longitude - first.longitude + full * 1.5) % full) - full / 2);
  const longitude = first.longitude + median(eastward);
  const middle = {
    latitude: median(squares.map((square) => square.latitude)) / PER_DEGREE,
    longitude: ((((longitude + full / 2) % full) + full) % full) / PER_DEGREE - 180,
  };
  const metres = squares
    .map(
      (square) =>
        distanceKm(middle, { latitude: square.latitude / PER_DEGREE, longitude: square.longitude / PER_DEGREE }) * 1_000,
    )
    .toSorted((a, b) => a - b);
  const radius = Math.max(LEAST_RADIUS, metres[Math.ceil(metres.length * 0.9) - 1]!);
  return radius > MOST_RADIUS ? undefined : { ...middle, radius };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
