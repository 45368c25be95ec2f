import { zxyToTileId } from 'pmtiles';

/** Degrees; west is less than east. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Tiles whose ids follow each other; `until` is not one of them. */
export interface TileSpan {
  readonly from: number;
  readonly until: number;
}

/** The most tiles of a region: about the streets of Texas. */
export const MOST_TILES = 3_000_000;
/** Web Mercator ends there. */
const MOST_LATITUDE = 85.0511;

function columnOf(longitude: number, zoom: number): number {
  return Math.min(2 ** zoom - 1, Math.max(0, Math.floor(((longitude + 180) / 360) * 2 ** zoom)));
}

function rowOf(latitude: number, zoom: number): number {
  const sine = Math.sin((Math.max(-MOST_LATITUDE, Math.min(MOST_LATITUDE, latitude)) * Math.PI) / 180);
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return Math.min(2 ** zoom - 1, Math.max(0, Math.floor(y * 2 ** zoom)));
}

const edgesOf = ({ west, south, east, north }: Box, zoom: number) => ({
  columns: [columnOf(west, zoom), columnOf(east, zoom)] as const,
  rows: [rowOf(north, zoom), rowOf(south, zoom)] as const,
});

/** How many tiles of these zooms touch a box. */
export function countTiles(box: Box, minZoom: number, maxZoom: number): number {
  let count = 0;
  for (let zoom = minZoom; zoom <= maxZoom; zoom++) {
    const { columns, rows } = edgesOf(box, zoom);
    count += (columns[1] - columns[0] + 1) * (rows[1] - rows[0] + 1);
  }
  return count;
}

/** The tiles of these zooms that touch a box, as few spans of ids, in their order. */
export function findTiles(box: Box, minZoom: number, maxZoom: number): TileSpan[] {
  const ids = new Float64Array(countTiles(box, minZoom, maxZoom));
  let at = 0;
  for (let zoom = minZoom; zoom <= maxZoom; zoom++) {
    const { columns, rows } = edgesOf(box, zoom);
    for (let x = columns[0]; x <= columns[1]; x++) for (let y = rows[0]; y <= rows[1]; y++) ids[at++] = zxyToTileId(zoom, x, y);
  }
  ids.sort();
  const spans: { from: number; until: number }[] = [];
  for (const id of ids) {
    const last = spans.at(-1);
    if (last?.until === id) last.until = id + 1;
    else spans.push({ from: id, until: id + 1 });
  }
  return spans;
}

/** The parts of a span of ids that are in one of the sorted spans. */
export function partsWithin(spans: readonly TileSpan[], { from, until }: TileSpan): TileSpan[] {
  let low = 0;
  for (let high = spans.length; low < high;) {
    const middle = (low + high) >> 1;
    if (spans[middle]!.until <= from) low = middle + 1;
    else high = middle;
  }
  const parts: TileSpan[] = [];
  for (; low < spans.length && spans[low]!.from < until; low++)
    parts.push({ from: Math.max(from, spans[low]!.from), until: Math.min(until, spans[low]!.until) });
  return parts;
}
