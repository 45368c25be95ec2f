import type { properties } from '@highline/contract';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * The type of a file by its first bytes; undefined for anything but a supported picture. Its name and declared type are ignored.
 */
export function pictureTypeOf(contents: Buffer): properties.PictureType | undefined {
  if (startsWith(contents, PNG)) return 'image/png';
  if (startsWith(contents, JPEG)) return 'image/jpeg';
  const isWebp = contents.toString('latin1', 0, 4) === 'RIFF' && contents.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'image/webp' : undefined;
}

function startsWith(contents: Buffer, sign: Buffer): boolean {
  return contents.subarray(0, sign.length).equals(sign);
}
