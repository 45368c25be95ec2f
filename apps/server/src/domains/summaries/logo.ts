import { crc32, inflateSync } from 'node:zlib';
import { summaries as calls } from '@highline/contract';
import { DomainError } from '../../kernel/index.ts';

/**
 * A PNG or JPEG that documents can have at their head, without what is not part of the picture (places, comments). Its pixels are counted
 * before anything is decompressed, and a PNG is decompressed to exactly as much as it says: none can fill the memory of who prints it.
 * @throws DomainError `logo.unreadable`, `logo.too_many_pixels`
 */
export function checkLogo(image: Buffer): Buffer {
  try {
    if (image.subarray(0, 8).equals(PNG)) return checkedPng(image);
    if (image.readUInt16BE(0) === 0xffd8) return checkedJpeg(image);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    // It ends in the middle, or its data are not compressed as it says.
  }
  throw unreadable();
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const unreadable = () => new DomainError('logo.unreadable', { field: 'logo' });

function checkPixels(width: number, height: number): void {
  if (width === 0 || height === 0) throw unreadable();
  const { MAX_LOGO_SIDE: side, MAX_LOGO_PIXELS: most } = calls;
  if (width > side || height > side || width * height > most) throw new DomainError('logo.too_many_pixels', { field: 'logo' });
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** With its length and checksum. */
  readonly whole: Buffer;
}

function* chunksOf(image: Buffer): Generator<Chunk> {
  for (let at = PNG.length; at < image.length;) {
    const length = image.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > image.length || image.readUInt32BE(end - 4) !== crc32(image.subarray(at + 4, end - 4))) throw unreadable();
    const type = image.toString('latin1', at + 4, at + 8);
    yield { type, data: image.subarray(at + 8, end - 4), whole: image.subarray(at, end) };
    if (type === 'IEND') return;
    at = end;
  }
}

/** Values of a pixel by the colour type of a PNG: grey, colours, of a palette, both with transparency. */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

function checkedPng(image: Buffer): Buffer {
  const chunks = [...chunksOf(image)].filter(({ type }) => KEPT.has(type));
  const [first] = chunks;
  if (first?.type !== 'IHDR' || first.data.length !== 13 || chunks.at(-1)?.type !== 'IEND') throw unreadable();
  const [width, height] = [first.data.readUInt32BE(0), first.data.readUInt32BE(4)];
  const [depth, color, , , interlaced] = first.data.subarray(8);
  const values = channels[color!];
  if (depth !== 8 || values === undefined || interlaced !== 0) throw unreadable();
  checkPixels(width, height);
  const pixels = height * (1 + width * values);
  const colors = chunks.find(({ type }) => type === 'PLTE')?.data.length ?? 0;
  if (color === 3 && (colors === 0 || colors % 3 !== 0)) throw unreadable();
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  if (inflateSync(packed, { maxOutputLength: pixels }).length !== pixels) throw unreadable();
  return Buffer.concat([PNG, ...chunks.map(({ whole }) => whole)]);
}

const START_OF_SCAN = 0xda;
/** Baseline, extended and progressive. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
/** Segments of what is not the picture: places, thumbnails, colour profiles, comments. */
const isExtra = (marker: number) => (marker >= 0xe1 && marker <= 0xef && marker !== 0xee) || marker === 0xfe;

function checkedJpeg(image: Buffer): Buffer {
  const kept = [image.subarray(0, 2)];
  let isFramed = false;
  for (let at = 2; ;) {
    if (image[at] !== 0xff) throw unreadable();
    const marker = image[at + 1]!;
    const end = at + 2 + image.readUInt16BE(at + 2);
    if (end > image.length) throw unreadable();
    if (FRAMES.has(marker)) {
      if (image[at + 4] !== 8 || ![1, 3].includes(image[at + 9]!)) throw unreadable();
      checkPixels(image.readUInt16BE(at + 7), image.readUInt16BE(at + 5));
      isFramed = true;
    }
    if (!isExtra(marker)) kept.push(image.subarray(at, end));
    if (marker === START_OF_SCAN) {
      if (!isFramed) throw unreadable();
      return Buffer.concat([...kept, image.subarray(end)]);
    }
    at = end;
  }
}
