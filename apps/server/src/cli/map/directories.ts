import { gzipSync } from 'node:zlib';
import { readVarint, type Entry } from 'pmtiles';
import { CommandFault } from '../command.ts';

/** The tiles with ids from `first` on, both included, that have one content; length in bytes. */
export interface TileRun {
  readonly id: number;
  readonly count: number;
  readonly offset: number;
  readonly length: number;
}

/** The entries of a decompressed directory of PMTiles version 3. @throws CommandFault for a damaged one */
export function readDirectory(directory: Uint8Array): Entry[] {
  const position = { buf: directory, pos: 0 };
  const count = readVarint(position);
  if (count > directory.length) throw new CommandFault('A directory of the file is damaged.');
  const columnOf = () => Array.from({ length: count }, () => readVarint(position));
  const [steps, runs, lengths, offsets] = [columnOf(), columnOf(), columnOf(), columnOf()];
  let tileId = 0;
  let end = 0;
  return steps.map((step, index) => {
    tileId += step;
    // 0: it follows the one before.
    const offset = offsets[index] === 0 ? end : offsets[index]! - 1;
    end = offset + lengths[index]!;
    return { tileId, runLength: runs[index]!, length: lengths[index]!, offset };
  });
}

/** The root directory has to be within the first 16 KiB of a file. */
const MOST_ROOT_BYTES = 16_384 - 127;
const LEAF_ENTRIES = 4_096;

/** Directories of a file, compressed: one, or a root that names leaves. */
export function writeDirectories(runs: readonly TileRun[]): { readonly root: Buffer; readonly leaves: Buffer } {
  const whole = compressDirectory(runs);
  if (whole.length <= MOST_ROOT_BYTES) return { root: whole, leaves: Buffer.alloc(0) };
  const leaves: Buffer[] = [];
  const named: TileRun[] = [];
  let offset = 0;
  for (let start = 0; start < runs.length; start += LEAF_ENTRIES) {
    const leaf = compressDirectory(runs.slice(start, start + LEAF_ENTRIES));
    named.push({ id: runs[start]!.id, count: 0, offset, length: leaf.length });
    leaves.push(leaf);
    offset += leaf.length;
  }
  return { root: compressDirectory(named), leaves: Buffer.concat(leaves) };
}

function compressDirectory(runs: readonly TileRun[]): Buffer {
  const offsets = runs.map(({ offset }, index) => {
    const before = runs[index - 1];
    return before !== undefined && before.offset + before.length === offset ? 0 : offset + 1;
  });
  const steps = runs.map(({ id }, index) => id - (runs[index - 1]?.id ?? 0));
  const numbers = [runs.length, steps, runs.map(({ count }) => count), runs.map(({ length }) => length), offsets].flat();
  return gzipSync(Buffer.concat(numbers.map(varint)));
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
