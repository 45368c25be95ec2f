import { randomInt } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { vectorTile } from '@highline/testkit/map-files';
import { createStreetFinder, type TileRun, writeDirectories, zxyToTileId } from '@highline/testkit/places';
import { percentile } from './measure.ts';
import { options } from './options.ts';
import { assessed, printTable, whole } from './table.ts';

const ZOOM = 14;
/** Tiles of a square; those of a file of a large country have about as many. */
const SIDE = options.short ? 100 : 640;
/** From one tile to the next: together 5 GB. */
const TILE_BYTES = 13_000;
/** Tiles that places are looked for in; the others have no streets. */
const USED = options.short ? 500 : 20_000;
const PLACES = options.short ? 500 : 20_000;
const LEAST = { x: 4_000, y: 6_000 };
const ROADS = 150;
const MOST_MS = 5;

/** The text of a place from a large file of tiles, each in a tile chosen at random (SAY-07). */
export async function benchPlaces(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'highline-bench-places-'));
  try {
    const path = join(folder, 'country.pmtiles');
    const { used, bytes } = await writeTiles(path);
    const find = createStreetFinder([path], { warn: (fields: unknown) => console.log(fields) } as never);
    const samples: number[] = [];
    let found = 0;
    const before = process.memoryUsage().rss;
    for (let index = 0; index < PLACES; index++) {
      const place = placeIn(used[randomInt(used.length)]!);
      const start = performance.now();
      if ((await find(place)) !== undefined) found++;
      samples.push(performance.now() - start);
    }
    const grown = (process.memoryUsage().rss - before) / 1e6;
    if (found < PLACES / 2) throw new Error(`only ${found} places have a street`);
    const p95 = percentile(samples, 0.95);
    printTable(
      `Text of a place, from a file of ${(bytes / 1e9).toFixed(1)} GB`,
      [
        {
          name: 'one place',
          unit: 'ms',
          ours: [percentile(samples, 0.5), p95],
          aim: assessed(`p95 ≤ ${MOST_MS} ms`, p95 <= MOST_MS),
        },
        { name: 'memory that grew meanwhile', unit: 'MB', ours: [grown] },
      ],
      [
        `p50 / p95 of ${whole(PLACES)} places, one after another, in ${whole(used.length)} tiles at random; the file names ${whole(SIDE ** 2)} tiles, and the others have no streets.`,
      ],
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Tile {
  readonly x: number;
  readonly y: number;
}

/** A PMTiles file, with roads in some of its tiles. */
async function writeTiles(path: string): Promise<{ readonly used: readonly Tile[]; readonly bytes: number }> {
  const contents = Array.from({ length: 50 }, (_, index) => tileContent(index));
  const tiles = Array.from({ length: SIDE ** 2 }, (_, index) => {
    const tile = { x: LEAST.x + (index % SIDE), y: LEAST.y + Math.floor(index / SIDE) };
    return { ...tile, id: zxyToTileId(ZOOM, tile.x, tile.y) };
  }).toSorted((a, b) => a.id - b.id);
  const step = Math.floor(tiles.length / USED);
  const isUsed = (index: number) => index % step === 0;
  const contentOf = (index: number) => contents[index % contents.length]!;
  // One content for all others, at the end: streets are also looked for in the tiles next to a place.
  const empty = gzipSync(vectorTile({ roads: [] }));
  const end = tiles.length * TILE_BYTES;
  const runs = tiles.map(({ id }, index): TileRun => {
    const [offset, length] = isUsed(index) ? [index * TILE_BYTES, contentOf(index).length] : [end, empty.length];
    return { id, count: 1, offset, length };
  });
  const { root, leaves } = writeDirectories(runs);
  const metadata = gzipSync(JSON.stringify({ vector_layers: [{ id: 'roads', fields: {} }] }));
  const metadataAt = 127 + root.length;
  const leavesAt = metadataAt + metadata.length;
  const dataAt = leavesAt + leaves.length;
  const dataBytes = end + empty.length;
  const header = Buffer.alloc(127);
  header.write('PMTiles\u0003', 0, 'latin1');
  const counts = [tiles.length, tiles.length, tiles.length];
  const numbers = [127, root.length, metadataAt, metadata.length, leavesAt, leaves.length, dataAt, dataBytes, ...counts];
  for (const [index, value] of numbers.entries()) header.writeBigUInt64LE(BigInt(value), 8 + index * 8);
  // Clustered; directories and tiles with gzip; vector tiles of one zoom.
  header.set([1, 2, 2, 1, ZOOM, ZOOM], 96);
  const file = await open(path, 'w');
  await file.write(Buffer.concat([header, root, metadata, leaves]), 0, undefined, 0);
  for (const index of tiles.keys())
    if (isUsed(index)) await file.write(contentOf(index), 0, undefined, dataAt + index * TILE_BYTES);
  await file.write(empty, 0, undefined, dataAt + end);
  await file.close();
  return { used: tiles.filter((_, index) => isUsed(index)), bytes: dataAt + dataBytes };
}

/** Streets of a city: a grid, each with a name of its own. */
function tileContent(seed: number): Buffer {
  const roads = Array.from({ length: ROADS }, (_, index) => {
    const at = Math.floor((index / ROADS) * 4_096);
    const corners = index % 2 === 0 ? ([[0, at], [2_000, at + 20], [4_096, at]] as const) : ([[at, 0], [at + 20, 2_000], [at, 4_096]] as const); // prettier-ignore
    return { kind: 'line' as const, corners, properties: { name: `Street ${seed} ${index}`, kind: 'minor_road' } };
  });
  return gzipSync(vectorTile({ roads }));
}

/** Anywhere in a tile. */
function placeIn({ x, y }: Tile): { readonly latitude: number; readonly longitude: number } {
  const size = 2 ** ZOOM;
  const [east, south] = [x + randomInt(4_096) / 4_096, y + randomInt(4_096) / 4_096];
  return {
    longitude: (east / size) * 360 - 180,
    latitude: (Math.atan(Math.sinh(Math.PI * (1 - (2 * south) / size))) * 180) / Math.PI,
  };
}
