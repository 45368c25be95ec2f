import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, gzipSync, zstdDecompress } from 'node:zlib';
import { bytesToHeader, Compression, type Header } from 'pmtiles';
import { CommandFault, type Say } from '../command.ts';
import { readDirectory, writeDirectories, type TileRun } from './directories.ts';
import type { RangeReader } from './range-reader.ts';
import { countTiles, findTiles, MOST_TILES, partsWithin, type Box, type TileSpan } from './region.ts';

const HEADER_BYTES = 127;
const MOST_DIRECTORY_BYTES = 64 * 1_048_576;
/** Contents that are as near as this are read together, and at most as much at once. */
const GAP_BYTES = 65_536;
const PART_BYTES = 8 * 1_048_576;

const within = { maxOutputLength: MOST_DIRECTORY_BYTES };
const decompressors = {
  [Compression.Gzip]: promisify(gunzip),
  [Compression.Brotli]: promisify(brotliDecompress),
  [Compression.Zstd]: promisify(zstdDecompress),
} as const;

async function decompress(bytes: Buffer, compression: Compression): Promise<Uint8Array> {
  if (compression === Compression.None || compression === Compression.Unknown) return bytes;
  try {
    return await decompressors[compression](bytes, within);
  } catch {
    throw new CommandFault('A directory of the file is damaged.');
  }
}

/** What was written: tiles with a content, different contents, bytes. */
export interface Extracted {
  readonly tiles: number;
  readonly bytes: number;
}

/**
 * Write the part of a PMTiles file that touches a box to a file of its own, reading little more than that part.
 * @param maxZoom at most; the file may end before
 * @throws CommandFault for what is no PMTiles file, for too many tiles, for a region that the file does not have and where the part cannot be written
 */
export async function extractRegion(
  reader: RangeReader,
  box: Box,
  maxZoom: number,
  target: string,
  say: Say,
): Promise<Extracted> {
  const header = await readHeader(reader);
  const zoom = Math.min(maxZoom, header.maxZoom);
  const count = countTiles(box, header.minZoom, zoom);
  if (count > MOST_TILES)
    throw new CommandFault(`The region has ${count} tiles, more than ${MOST_TILES}. Choose a smaller one, or a lower --zoom.`);
  const runs = await findRuns(reader, header, findTiles(box, header.minZoom, zoom));
  if (runs.length === 0) throw new CommandFault('The file has no tile of this region.');
  const metadata = await decompress(
    await reader.read(header.jsonMetadataOffset, header.jsonMetadataLength),
    header.internalCompression,
  );
  const part = `${target}.part`;
  try {
    const contents = await copyContents(reader, header, runs, `${part}.tiles`, say);
    const placed = runs.map((run) => ({ ...run, offset: contents.offsets.get(run.offset)! }));
    await writeFile(part, header, box, zoom, placed, gzipSync(metadata), contents.bytes, `${part}.tiles`);
    await rename(part, target);
    return { tiles: runs.reduce((sum, run) => sum + run.count, 0), bytes: contents.bytes };
  } catch (error) {
    if (error instanceof CommandFault) throw error;
    throw new CommandFault(`${target} could not be saved: ${(error as Error).message}`, { cause: error });
  } finally {
    await rm(`${part}.tiles`, { force: true });
    await rm(part, { force: true });
  }
}

async function readHeader(reader: RangeReader): Promise<Header> {
  const bytes = await reader.read(0, HEADER_BYTES);
  if (bytes.toString('latin1', 0, 7) !== 'PMTiles' || bytes[7] !== 3)
    throw new CommandFault('This is no PMTiles file of version 3.');
  return bytesToHeader(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
}

/** The contents of the tiles of a region: from the root directory through the leaves that have some of them. */
async function findRuns(reader: RangeReader, header: Header, region: readonly TileSpan[]): Promise<TileRun[]> {
  const runs: TileRun[] = [];
  const visit = async (offset: number, length: number, end: number): Promise<void> => {
    const entries = readDirectory(await decompress(await reader.read(offset, length), header.internalCompression));
    for (const [index, entry] of entries.entries()) {
      const isLeaf = entry.runLength === 0;
      const until = isLeaf ? (entries[index + 1]?.tileId ?? end) : entry.tileId + entry.runLength;
      const parts = partsWithin(region, { from: entry.tileId, until });
      if (parts.length === 0) continue;
      if (isLeaf) await visit(header.leafDirectoryOffset + entry.offset, entry.length, until);
      else
        for (const { from, until: to } of parts)
          runs.push({ id: from, count: to - from, offset: entry.offset, length: entry.length });
    }
  };
  await visit(header.rootDirectoryOffset, header.rootDirectoryLength, Number.MAX_SAFE_INTEGER);
  return runs;
}

/** Copy the contents of tiles, each once, in the order of the source. @returns where each is now, by its former offset */
async function copyContents(
  reader: RangeReader,
  { tileDataOffset }: Header,
  runs: readonly TileRun[],
  target: string,
  say: Say,
): Promise<{ readonly offsets: ReadonlyMap<number, number>; readonly bytes: number }> {
  const lengths = new Map(runs.map(({ offset, length }) => [offset, length]));
  const contents = [...lengths].map(([offset, length]) => ({ offset, length })).toSorted((a, b) => a.offset - b.offset);
  const total = contents.reduce((sum, { length }) => sum + length, 0);
  const offsets = new Map<number, number>();
  const file = await open(target, 'w');
  let written = 0;
  let said = 0;
  try {
    for (const part of groupNear(contents)) {
      const [first, last] = [part[0]!, part.at(-1)!];
      const bytes = await reader.read(tileDataOffset + first.offset, last.offset + last.length - first.offset);
      for (const { offset, length } of part) {
        await file.write(bytes.subarray(offset - first.offset, offset - first.offset + length));
        offsets.set(offset, written);
        written += length;
      }
      const share = Math.floor((10 * written) / total);
      if (share > said) say(`${share * 10} % of ${Math.ceil(total / 1_048_576)} MiB`);
      said = share;
    }
  } finally {
    await file.close();
  }
  return { offsets, bytes: written };
}

interface Content {
  readonly offset: number;
  readonly length: number;
}

function groupNear(contents: readonly Content[]): Content[][] {
  const groups: Content[][] = [];
  for (const content of contents) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isNear =
      last !== undefined &&
      content.offset - (last.offset + last.length) <= GAP_BYTES &&
      content.offset + content.length - group![0]!.offset <= PART_BYTES;
    if (isNear) group!.push(content);
    else groups.push([content]);
  }
  return groups;
}

async function writeFile(
  target: string,
  header: Header,
  box: Box,
  maxZoom: number,
  runs: readonly TileRun[],
  metadata: Buffer,
  dataBytes: number,
  data: string,
): Promise<void> {
  const { root, leaves } = writeDirectories(runs);
  const metadataAt = HEADER_BYTES + root.length;
  const leavesAt = metadataAt + metadata.length;
  const dataAt = leavesAt + leaves.length;
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.write('PMTiles\u0003', 0, 'latin1');
  const tiles = runs.reduce((sum, { count }) => sum + count, 0);
  const contents = new Set(runs.map(({ offset }) => offset)).size;
  const numbers = [HEADER_BYTES, root.length, metadataAt, metadata.length, leavesAt, leaves.length, dataAt, dataBytes, tiles, runs.length, contents]; // prettier-ignore
  for (const [index, value] of numbers.entries()) bytes.writeBigUInt64LE(BigInt(value), 8 + index * 8);
  bytes.set([header.clustered ? 1 : 0, Compression.Gzip, header.tileCompression, header.tileType, header.minZoom, maxZoom], 96);
  const degrees = [box.west, box.south, box.east, box.north];
  for (const [index, value] of degrees.entries()) bytes.writeInt32LE(Math.round(value * 1e7), 102 + index * 4);
  bytes[118] = Math.min(maxZoom, 10);
  bytes.writeInt32LE(Math.round(((box.west + box.east) / 2) * 1e7), 119);
  bytes.writeInt32LE(Math.round(((box.south + box.north) / 2) * 1e7), 123);
  const source = await open(data, 'r');
  try {
    await pipeline(async function* () {
      yield bytes;
      yield root;
      yield metadata;
      yield leaves;
      yield* source.createReadStream({ autoClose: false });
    }, createWriteStream(target));
  } finally {
    await source.close();
  }
}
