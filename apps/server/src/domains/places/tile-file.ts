import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib';
import { Compression, PMTiles, type RangeResponse, type Source, TileType } from 'pmtiles';

/** The most bytes of a tile or directory that are read, once decompressed: tiles of cities have a third of it. */
const MOST_BYTES = 4 * 1_048_576;

const within = { maxOutputLength: MOST_BYTES };
const decompressors = {
  [Compression.Gzip]: promisify(gunzip),
  [Compression.Brotli]: promisify(brotliDecompress),
  [Compression.Zstd]: promisify(zstdDecompress),
} as const;

async function decompress(buffer: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  if (compression === Compression.None || compression === Compression.Unknown) return buffer;
  const { buffer: bytes, byteOffset, byteLength } = await decompressors[compression](new Uint8Array(buffer), within);
  return bytes.slice(byteOffset, byteOffset + byteLength);
}

/** Ranges of a file. */
class FileRanges implements Source {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  getKey(): string {
    return this.#path;
  }

  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    if (length > MOST_BYTES) throw new Error(`A part of ${this.#path} has ${length} bytes.`);
    const file = await open(this.#path);
    try {
      const data = new ArrayBuffer(length);
      const { bytesRead } = await file.read(new Uint8Array(data), 0, length, offset);
      return { data: data.slice(0, bytesRead) };
    } finally {
      await file.close();
    }
  }
}

/** A PMTiles file of vector tiles, read by range: a file of many gigabytes takes no more memory than a small one. */
export interface TileFile {
  /** The zoom that streets are read from: the nearest one that the file has, at most 14. */
  zoom(): Promise<number | undefined>;
  /** A decompressed tile; undefined where the file has none. @throws Error for a damaged file */
  tile(zoom: number, x: number, y: number): Promise<Uint8Array | undefined>;
}

const NEAREST_ZOOM = 14;
/** A unit of a tile is ten metres here. */
const FARTHEST_ZOOM = 10;

/** Opens a PMTiles file when it is first read. */
export function openTileFile(path: string): TileFile {
  const file = new PMTiles(new FileRanges(path), undefined, decompress);
  return {
    async zoom() {
      const { maxZoom, tileType } = await file.getHeader();
      return tileType === TileType.Mvt && maxZoom >= FARTHEST_ZOOM ? Math.min(maxZoom, NEAREST_ZOOM) : undefined;
    },
    async tile(zoom, x, y) {
      const found = await file.getZxy(zoom, x, y);
      return found && new Uint8Array(found.data);
    },
  };
}
