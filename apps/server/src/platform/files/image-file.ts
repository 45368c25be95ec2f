import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { MAX_TRAILER_BYTES, readTrailer, type Trailer } from '@highline/image';

/** Read the trailer of an image on disk. @param size bytes of the whole file, at least one */
export async function readTrailerOf(path: string, size: number): Promise<Trailer | 'absent' | 'damaged'> {
  const length = Math.min(size, MAX_TRAILER_BYTES);
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return readTrailer(buffer.subarray(0, bytesRead), size);
  } finally {
    await handle.close();
  }
}

/** SHA-256 of the first bytes of a file, at least one, read as a stream. */
export async function hashStart(path: string, bytes: number): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { end: bytes - 1 })) hash.update(chunk as Buffer);
  return hash.digest();
}
