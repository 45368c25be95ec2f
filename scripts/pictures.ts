import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync, inflateSync } from 'node:zlib';

// Pictures that tests compare are stored with a palette of 128 colors: a third of the size, and much less than what a comparison accepts.

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const RGB = 2;
const PALETTE = 3;
const RGBA = 6;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 0xRRGGBB of each pixel. */
  readonly colors: Uint32Array;
}

/** The color type of a PNG, by its header. */
const colorType = (png: Buffer) => png[25];

function* chunksOf(png: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

/** The predictor of PNG filter 4. */
function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Undo the filters of all lines of a PNG in place. @param size bytes of a pixel */
function unfilter(lines: Buffer, stride: number, size: number): void {
  for (let start = 0; start < lines.length; start += stride + 1) {
    const filter = lines[start];
    for (let x = 1; x <= stride; x += 1) {
      const at = start + x;
      const left = x > size ? lines[at - size]! : 0;
      const up = start > 0 ? lines[at - stride - 1]! : 0;
      const corner = x > size && start > 0 ? lines[at - stride - 1 - size]! : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter!]!;
      lines[at] = (lines[at]! + predicted) & 0xff;
    }
  }
}

/** The pixels of a PNG as browsers write it: 8 bits, RGB or opaque RGBA, not interlaced. */
function decode(png: Buffer): Pixels {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const size = colorType(png) === RGBA ? 4 : 3;
  const data = [...chunksOf(png)].filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data);
  const lines = inflateSync(Buffer.concat(data));
  const stride = width * size;
  unfilter(lines, stride, size);
  const colors = new Uint32Array(width * height);
  for (let index = 0; index < colors.length; index += 1)
    colors[index] = lines.readUIntBE(Math.floor(index / width) * (stride + 1) + 1 + (index % width) * size, 3);
  return { width, height, colors };
}

/** Colors that stay as they are, and all that a picture has. */
const EXACT = 64;
const MOST = 128;

/** The most frequent colors, and of each group of similar others the most frequent one. @returns the place in the palette by color */
function paletteOf(colors: Uint32Array): { palette: readonly number[]; places: ReadonlyMap<number, number> } {
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const byCount = [...counts.keys()].toSorted((a, b) => counts.get(b)! - counts.get(a)!);
  const others = byCount.slice(EXACT);
  for (let bits = 0; ; bits += 1) {
    const groupOf = (color: number) => color & ((0xff & (0xff << bits)) * 0x010101);
    const groups = new Map<number, number>();
    for (const color of others) if (!groups.has(groupOf(color))) groups.set(groupOf(color), color);
    if (groups.size > MOST - EXACT) continue;
    const palette = [...byCount.slice(0, EXACT), ...groups.values()];
    const placeOf = new Map(palette.map((color, place) => [color, place]));
    return {
      palette,
      places: new Map(byCount.map((color) => [color, placeOf.get(color) ?? placeOf.get(groups.get(groupOf(color))!)!])),
    };
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The same PNG with a palette; rare colors become a similar one. */
export function withPalette(png: Buffer): Buffer {
  if (![RGB, RGBA].includes(colorType(png)!)) return png;
  const { width, height, colors } = decode(png);
  const { palette, places } = paletteOf(colors);
  const header = Buffer.from(png.subarray(16, 29));
  header[9] = PALETTE;
  const entries = Buffer.alloc(palette.length * 3);
  palette.forEach((color, place) => entries.writeUIntBE(color, place * 3, 3));
  const lines = Buffer.alloc(height * (width + 1));
  colors.forEach((color, index) => (lines[index + Math.floor(index / width) + 1] = places.get(color)!));
  const data = deflateSync(lines, { level: 9, memLevel: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', entries),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Give each PNG of a folder its palette; those that have one stay as they are. */
export function packPictures(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.png'))) {
    const file = join(folder, name);
    const png = readFileSync(file);
    const packed = withPalette(png);
    if (packed !== png) writeFileSync(file, packed);
  }
}
