import { createHash, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { MAX_TRAILER_BYTES, readTrailer, type Trailer } from '@highline/image';
import { CommandFault } from './command.ts';

/** An image on disk. */
export interface ImageFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly trailer: Trailer | 'absent' | 'damaged';
}

/** @throws CommandFault for a file that cannot be read or is empty */
export async function openImage(path: string): Promise<ImageFile> {
  const handle = await readable(path, open(path, 'r'));
  try {
    const { size } = await handle.stat();
    if (size === 0) throw new CommandFault(`${path} is empty.`);
    const length = Math.min(size, MAX_TRAILER_BYTES);
    const { buffer } = await readable(path, handle.read(Buffer.alloc(length), 0, length, size - length));
    return { path, size, trailer: readTrailer(buffer, size) };
  } finally {
    await handle.close();
  }
}

/** SHA-256 of the first bytes of a file, read as a stream. */
export async function hashStart(path: string, bytes: number): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { end: bytes - 1 })) hash.update(chunk as Buffer);
  return hash.digest();
}

/** @throws CommandFault for a file that cannot be read, or holds no such key */
export async function readKeyFile<Key extends KeyObject | KeyObject[]>(path: string, parse: (pem: string) => Key): Promise<Key> {
  const pem = await readable(path, readFile(path, 'utf8'));
  try {
    return parse(pem);
  } catch (error) {
    throw new CommandFault(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

async function readable<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new CommandFault(`${path} cannot be read (${(error as Error).message}).`, { cause: error });
  }
}
