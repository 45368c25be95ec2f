import { pmTiles, type PlacedTile, type TileFeature, vectorTile } from '@highline/testkit/map-files';
import type { Point, Street } from './cities.ts';

const EXTENT = 4096;
/** Lines go on a little beyond the edge, so that their ends are not seen. */
const BUFFER = 64;
const ZOOMS = [9, 10, 11, 12, 13] as const;

type Place = readonly [x: number, y: number];

/** Parts of a tile, on the square of the whole map. */
function onMap([latitude, longitude]: Point, zoom: number): Place {
  const sine = Math.sin((latitude * Math.PI) / 180);
  const size = 2 ** zoom * EXTENT;
  return [((longitude + 180) / 360) * size, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size];
}

/** The part of a segment inside of a square, by Liang and Barsky; undefined if there is none. */
function clip([ax, ay]: Place, [bx, by]: Place, low: Place, high: Place): readonly [Place, Place] | undefined {
  let [enter, leave] = [0, 1];
  const bounds = [[ax - bx, ax - low[0]], [bx - ax, high[0] - ax], [ay - by, ay - low[1]], [by - ay, high[1] - ay]] as const; // prettier-ignore
  for (const [step, rest] of bounds) {
    if (step === 0 && rest < 0) return undefined;
    if (step < 0) enter = Math.max(enter, rest / step);
    if (step > 0) leave = Math.min(leave, rest / step);
  }
  if (enter >= leave) return undefined;
  const at = (part: number): Place => [ax + part * (bx - ax), ay + part * (by - ay)];
  return [at(enter), at(leave)];
}

/** The streets of one zoom by tile. */
function tilesOf(streets: readonly Street[], zoom: number): PlacedTile[] {
  const features = new Map<string, TileFeature[]>();
  for (const { name, kind, points } of streets)
    for (let index = 1; index < points.length; index += 1) {
      const [from, to] = [onMap(points[index - 1]!, zoom), onMap(points[index]!, zoom)];
      const range = (axis: 0 | 1) =>
        [Math.min(from[axis], to[axis]) - BUFFER, Math.max(from[axis], to[axis]) + BUFFER].map((at) =>
          Math.floor(at / EXTENT),
        ) as [number, number];
      const [[west, east], [north, south]] = [range(0), range(1)];
      for (let x = west; x <= east; x += 1)
        for (let y = north; y <= south; y += 1) {
          const [left, top] = [x * EXTENT, y * EXTENT];
          const part = clip(from, to, [left - BUFFER, top - BUFFER], [left + EXTENT + BUFFER, top + EXTENT + BUFFER]);
          if (part === undefined) continue;
          const corners = part.map(([atX, atY]) => [Math.round(atX - left), Math.round(atY - top)] as const);
          const key = `${x} ${y}`;
          features.set(key, [...(features.get(key) ?? []), { kind: 'line', corners, properties: { kind, name } }]);
        }
    }
  return [...features].map(([key, roads]) => {
    const [x, y] = key.split(' ').map(Number) as [number, number];
    return { zoom, x, y, content: vectorTile({ roads }) };
  });
}

/** A PMTiles file of streets, in the schema of Protomaps. */
export const archiveOf = (streets: readonly Street[]): Buffer =>
  pmTiles(ZOOMS.flatMap((zoom) => tilesOf(streets, zoom)), ['roads'], 'Highline'); // prettier-ignore
