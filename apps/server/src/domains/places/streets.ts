import { stat } from 'node:fs/promises';
import type { Coordinates } from '../positions/index.ts';
import type { Log } from '../../platform/ports/log.ts';
import { readRoads, type Road } from './roads.ts';
import { openTileFile } from './tile-file.ts';

/** The street that a place is at. */
export interface Street {
  readonly street: string;
  /** The nearest street that crosses it, if one is near. */
  readonly crossing: string | null;
}

/** Finds the street of a place in the base map (SAY-07). */
export type FindStreet = (place: Coordinates) => Promise<Street | undefined>;

/** A vehicle is on a street, or in a yard next to one. Metres. */
const NEAR = 200;
/** A crossing farther away does not say where on the street a place is. Metres. */
const CROSSING = 600;
/** Lines that end this near to a street meet it. Metres. */
const MEETS = 12;
const MOST_TILES = 48;
/** Parts of streets around one place; a city centre has a tenth of it. */
const MOST_SEGMENTS = 20_000;
/** Parts of the street of a place that crossings are looked for at. */
const MOST_OWN = 100;
const EARTH = 40_075_016.686;

type Point = readonly [x: number, y: number];

/** A straight part of a street, in metres from the place. */
interface Segment {
  readonly name: string;
  readonly from: Point;
  readonly to: Point;
}

/** @param paths PMTiles files; of two that show a place the later one counts */
export function createStreetFinder(paths: readonly string[], log: Log): FindStreet {
  const files = paths.map((path) => ({ path, roadsOf: cacheRoads(path), failed: '' })).toReversed();
  return async (place) => {
    for (const each of files) {
      try {
        const segments = await segmentsNear(each.roadsOf, place);
        const street = segments.length === 0 ? undefined : streetOf(segments);
        if (street !== undefined) return street;
      } catch (error) {
        // Once for each kind of damage: every page with a place would say it again.
        const reason = error instanceof Error ? error.message : String(error);
        if (reason !== each.failed) log.warn({ file: each.path, reason }, 'tiles of the map cannot be read');
        each.failed = reason;
      }
    }
    return undefined;
  };
}

interface RoadsOfFile {
  zoom(): Promise<number | undefined>;
  roads(zoom: number, x: number, y: number): Promise<readonly Road[]>;
}

/** Keeps the streets of the tiles that were used last; a file that was replaced is read again. */
function cacheRoads(path: string): RoadsOfFile {
  const kept = new Map<string, Promise<readonly Road[]>>();
  let file = openTileFile(path);
  let version = '';
  const checkVersion = async () => {
    const { mtimeMs, size } = await stat(path);
    if (version === `${mtimeMs} ${size}`) return;
    version = `${mtimeMs} ${size}`;
    file = openTileFile(path);
    kept.clear();
  };
  const read = async (zoom: number, x: number, y: number) => {
    const tile = await file.tile(zoom, x, y);
    return tile === undefined ? [] : readRoads(tile);
  };
  return {
    async zoom() {
      await checkVersion();
      return file.zoom();
    },
    async roads(zoom, x, y) {
      const key = `${zoom} ${x} ${y}`;
      const found = kept.get(key) ?? read(zoom, x, y);
      found.catch(() => kept.delete(key));
      kept.delete(key);
      kept.set(key, found);
      if (kept.size > MOST_TILES) kept.delete(kept.keys().next().value!);
      return found;
    },
  };
}

/** Where a place is on the square of the whole map, 0 to 1 (Web Mercator). */
function onMap({ latitude, longitude }: Coordinates): Point {
  const sine = Math.sin((Math.max(-85, Math.min(85, latitude)) * Math.PI) / 180);
  return [(longitude + 180) / 360, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

/** All streets around a place. */
async function segmentsNear(file: RoadsOfFile, place: Coordinates): Promise<readonly Segment[]> {
  const zoom = await file.zoom();
  if (zoom === undefined) return [];
  const count = 2 ** zoom;
  const metres = (EARTH * Math.cos((place.latitude * Math.PI) / 180)) / count;
  const [atX, atY] = onMap(place).map((part) => part * count) as [number, number];
  const reach = CROSSING / metres;
  const found: Segment[] = [];
  for (let y = Math.max(0, Math.floor(atY - reach)); y <= Math.min(count - 1, Math.floor(atY + reach)); y += 1)
    for (let x = Math.floor(atX - reach); x <= Math.floor(atX + reach); x += 1)
      for (const { name, points } of await file.roads(zoom, (x + count) % count, y)) {
        const here = points.map(([px, py]): Point => [(x + px - atX) * metres, (y + py - atY) * metres]);
        for (let index = 1; index < here.length; index += 1) {
          const segment = { name, from: here[index - 1]!, to: here[index]! };
          if (found.length < MOST_SEGMENTS && isWithin(segment, CROSSING)) found.push(segment);
        }
      }
  return found;
}

/** Whether the box of a segment is at most so many metres from the place. */
function isWithin({ from, to }: Segment, metres: number): boolean {
  return (
    Math.min(from[0], to[0]) <= metres &&
    Math.max(from[0], to[0]) >= -metres &&
    Math.min(from[1], to[1]) <= metres &&
    Math.max(from[1], to[1]) >= -metres
  );
}

function streetOf(segments: readonly Segment[]): Street | undefined {
  let nearest: { readonly name: string; readonly metres: number } | undefined;
  for (const { name, from, to } of segments) {
    const metres = distanceTo([0, 0], from, to);
    if (metres <= NEAR && (nearest === undefined || metres < nearest.metres)) nearest = { name, metres };
  }
  return nearest && { street: nearest.name, crossing: crossingOf(nearest.name, segments) };
}

function crossingOf(street: string, segments: readonly Segment[]): string | null {
  const own = segments.filter(({ name }) => name === street).slice(0, MOST_OWN);
  let nearest: { readonly name: string; readonly metres: number } | undefined;
  for (const other of segments) {
    if (other.name === street) continue;
    for (const one of own) {
      if (areApart(one, other)) continue;
      const meeting = meetingOf(one, other);
      if (meeting === undefined) continue;
      const metres = Math.hypot(...meeting);
      if (metres <= CROSSING && (nearest === undefined || metres < nearest.metres)) nearest = { name: other.name, metres };
    }
  }
  return nearest?.name ?? null;
}

/** Whether the boxes of two segments are too far apart for them to meet: of most they are. */
function areApart({ from: [ax, ay], to: [bx, by] }: Segment, { from: [cx, cy], to: [dx, dy] }: Segment): boolean {
  return (
    Math.max(ax, bx) + MEETS < Math.min(cx, dx) ||
    Math.max(cx, dx) + MEETS < Math.min(ax, bx) ||
    Math.max(ay, by) + MEETS < Math.min(cy, dy) ||
    Math.max(cy, dy) + MEETS < Math.min(ay, by)
  );
}

/** Where two segments cross, or where one of them ends at the other. */
function meetingOf(one: Segment, other: Segment): Point | undefined {
  const [ax, ay] = one.from;
  const [dx, dy] = [one.to[0] - ax, one.to[1] - ay];
  const [ex, ey] = [other.to[0] - other.from[0], other.to[1] - other.from[1]];
  const cross = dx * ey - dy * ex;
  if (cross !== 0) {
    const [gx, gy] = [other.from[0] - ax, other.from[1] - ay];
    const [along, across] = [(gx * ey - gy * ex) / cross, (gx * dy - gy * dx) / cross];
    if (along >= 0 && along <= 1 && across >= 0 && across <= 1) return [ax + along * dx, ay + along * dy];
  }
  const ends = [other.from, other.to].find((end) => distanceTo(end, one.from, one.to) <= MEETS);
  return ends ?? [one.from, one.to].find((end) => distanceTo(end, other.from, other.to) <= MEETS);
}

/** Metres from a point to a segment. */
function distanceTo([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(ax + part * dx - x, ay + part * dy - y);
}
