import { gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';

// What a server of maps has: vector tiles (MVT 2), PMTiles (version 3) and ranges of glyphs, written byte by byte.

/** Corners of a tile, from 0 to 4096. */
type Corners = readonly (readonly [x: number, y: number])[];

export interface TileFeature {
  readonly kind: 'point' | 'line' | 'polygon';
  readonly corners: Corners;
  readonly properties?: Readonly<Record<string, string>>;
}

const EXTENT = 4096;
/** Everything. */
export const WHOLE_TILE: Corners = [[0, 0], [EXTENT, 0], [EXTENT, EXTENT], [0, EXTENT]]; // prettier-ignore

/** Where a place is on the one tile of the whole world. */
export function onWorldTile(longitude: number, latitude: number): readonly [x: number, y: number] {
  const sine = Math.sin((latitude * Math.PI) / 180);
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return [Math.round(((longitude + 180) / 360) * EXTENT), Math.round(y * EXTENT)];
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

const zigzag = (value: number) => (value < 0 ? -value * 2 - 1 : value * 2);
const numeric = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)]);
const lengthed = (field: number, content: Buffer) => Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
const text = (field: number, content: string) => lengthed(field, Buffer.from(content));
const packed = (field: number, values: readonly number[]) => lengthed(field, Buffer.concat(values.map(varint)));

const KINDS = { point: 1, line: 2, polygon: 3 } as const;
const command = (id: number, count: number) => id + count * 8;

function geometryOf({ kind, corners }: TileFeature): number[] {
  let [atX, atY] = [0, 0];
  const moves = corners.map(([x, y]) => {
    const move = [zigzag(x - atX), zigzag(y - atY)];
    [atX, atY] = [x, y];
    return move;
  });
  const [first = [], ...rest] = moves;
  const start = [command(1, 1), ...first];
  if (kind === 'point') return start;
  return [...start, command(2, rest.length), ...rest.flat(), ...(kind === 'polygon' ? [command(7, 1)] : [])];
}

function layerOf(name: string, features: readonly TileFeature[]): Buffer {
  const entries = features.map(({ properties = {} }) => Object.entries(properties));
  const keys = [...new Set(entries.flat().map(([key]) => key))];
  const values = [...new Set(entries.flat().map(([, value]) => value))];
  return Buffer.concat([
    numeric(15, 2),
    text(1, name),
    ...features.map((feature, index) =>
      lengthed(
        2,
        Buffer.concat([
          packed(2, entries[index]!.flatMap(([key, value]) => [keys.indexOf(key), values.indexOf(value)])), // prettier-ignore
          numeric(3, KINDS[feature.kind]),
          packed(4, geometryOf(feature)),
        ]),
      ),
    ),
    ...keys.map((key) => text(3, key)),
    ...values.map((value) => lengthed(4, text(1, value))),
    numeric(5, EXTENT),
  ]);
}

/** A vector tile. */
export function vectorTile(layers: Readonly<Record<string, readonly TileFeature[]>>): Buffer {
  return Buffer.concat(Object.entries(layers).map(([name, features]) => lengthed(3, layerOf(name, features))));
}

/** A vector tile and its place. */
export interface PlacedTile {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
  readonly content: Buffer;
}

/** The directory of a PMTiles file: ids as differences, each once, lengths, and offsets that follow each other. */
function directoryOf(entries: readonly { readonly id: number; readonly length: number }[]): Buffer {
  const ids = entries.map(({ id }, index) => id - (entries[index - 1]?.id ?? 0));
  const numbers = [
    entries.length,
    ...ids,
    ...ids.map(() => 1),
    ...entries.map(({ length }) => length),
    ...ids.map((_, index) => (index === 0 ? 1 : 0)),
  ];
  return gzipSync(Buffer.concat(numbers.map(varint)), { level: 9 });
}

/** A PMTiles file with few enough tiles for one directory. */
export function pmTiles(tiles: readonly PlacedTile[], layers: readonly string[], attribution: string): Buffer {
  const placed = tiles
    .map(({ zoom, x, y, content }) => ({ id: zxyToTileId(zoom, x, y), packed: gzipSync(content, { level: 9 }) }))
    .toSorted((a, b) => a.id - b.id);
  const zooms = tiles.map(({ zoom }) => zoom);
  const data = Buffer.concat(placed.map((tile) => tile.packed));
  const metadata = gzipSync(JSON.stringify({ vector_layers: layers.map((id) => ({ id, fields: {} })), attribution }));
  const root = directoryOf(placed.map((tile) => ({ id: tile.id, length: tile.packed.length })));
  const header = Buffer.alloc(127);
  header.write('PMTiles\u0003', 0, 'latin1');
  const metadataAt = header.length + root.length;
  const dataAt = metadataAt + metadata.length;
  const counts = [placed.length, placed.length, placed.length];
  const numbers = [header.length, root.length, metadataAt, metadata.length, dataAt, 0, dataAt, data.length, ...counts];
  for (const [index, value] of numbers.entries()) header.writeBigUInt64LE(BigInt(value), 8 + index * 8);
  // Clustered; directories and tiles with gzip; vector tiles.
  header.set([1, 2, 2, 1, Math.min(...zooms), Math.max(...zooms)], 96);
  for (const [index, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + index * 4);
  return Buffer.concat([header, root, metadata, data]);
}

/** A PMTiles file whose one vector tile is the world. */
export const pmTilesOfWorld = (tile: Buffer, layers: readonly string[]): Buffer =>
  pmTiles([{ zoom: 0, x: 0, y: 0, content: tile }], layers, 'Survey');

const GLYPH_SIZE = 14;
const GLYPH_BORDER = 3;

/** The glyphs 0 to 255 of a font in which each letter is a square. */
export function squareGlyphs(font: string): Buffer {
  const bitmap = Buffer.alloc((GLYPH_SIZE + 2 * GLYPH_BORDER) ** 2, 255);
  const glyphs = Array.from({ length: 256 }, (_, id) =>
    lengthed(
      3,
      Buffer.concat([
        numeric(1, id),
        lengthed(2, bitmap),
        numeric(3, GLYPH_SIZE),
        numeric(4, GLYPH_SIZE),
        numeric(5, 0),
        numeric(6, zigzag(-4)),
        numeric(7, GLYPH_SIZE + 2),
      ]),
    ),
  );
  return lengthed(1, Buffer.concat([text(1, font), text(2, '0-255'), ...glyphs]));
}
