import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { checkLogo } from './logo.ts';

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};
const END = chunk('IEND', Buffer.alloc(0));

interface Picture {
  readonly width?: number;
  readonly height?: number;
  readonly depth?: number;
  readonly color?: number;
  readonly interlaced?: number;
  readonly pixels?: Buffer;
  readonly extra?: Buffer;
}

/** A PNG, or what seems to be one. */
function png({
  width = 4,
  height = 3,
  depth = 8,
  color = 6,
  interlaced = 0,
  pixels,
  extra = Buffer.alloc(0),
}: Picture = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, color, 0, 0, interlaced], 8);
  const raw = pixels ?? Buffer.alloc(height * (1 + width * 4), 0x7f);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    extra,
    chunk('IDAT', deflateSync(raw)),
    END,
  ]);
}
/** A JPEG of one pixel. */
const jpeg = Buffer.from(
  `/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP${'/'.repeat(86)}wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=`,
  'base64',
);
const keyOf = (image: Buffer): string => {
  try {
    checkLogo(image);
    return '';
  } catch (error) {
    return (error as { key: string }).key;
  }
};

describe('logos of reports', () => {
  test('RPM-02-partial a PNG and a JPEG are kept, without what is not the picture', () => {
    const secret = Buffer.from('taken at 41.88, -87.63');
    const place = Buffer.concat([Buffer.from([0xff, 0xe1, 0, secret.length + 2]), secret]);
    expect(checkLogo(png({ extra: chunk('tEXt', secret) })).equals(png())).toBe(true);
    expect(checkLogo(Buffer.concat([jpeg.subarray(0, 2), place, jpeg.subarray(2)])).equals(jpeg)).toBe(true);
  });

  test.each([
    ['an empty file', Buffer.alloc(0)],
    ['a text', Buffer.from('GIF89a…')],
    ['an SVG with a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a PNG without an end', png().subarray(0, -12)],
    ['a PNG that ends in the middle', png().subarray(0, 40)],
    ['a PNG whose checksum is wrong', Buffer.from(png().map((byte, at) => (at === 20 ? byte ^ 1 : byte)))],
    ['one with fewer pixels than it says', png({ pixels: Buffer.alloc(3) })],
    ['a bomb: 50 MB in 50 kB', png({ pixels: Buffer.alloc(50_000_000) })],
    ['one of 16 bits', png({ depth: 16 })],
    ['an interlaced one', png({ interlaced: 1 })],
    ['colours without a palette', png({ color: 3, pixels: Buffer.alloc(15) })],
    ['no pixel', png({ width: 0 })],
    ['a JPEG without a picture', jpeg.subarray(0, 20)],
    ['a JPEG of nothing', Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
  ])('RPM-02-partial %s is not a logo', (_what, image) => expect(keyOf(image)).toBe('logo.unreadable'));

  test('RPM-02-partial pixels are counted before anything is decompressed', () => {
    for (const [width, height] of [
      [2_001, 1],
      [1_500, 1_500],
      [4_294_967_295, 4_294_967_295],
    ] as const)
      expect(keyOf(png({ width, height, pixels: Buffer.alloc(3) })), `${width} × ${height}`).toBe('logo.too_many_pixels');
  });
});
