import type { KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Trailer } from '@highline/image';
import { readTrailerOf } from '../platform/files/image-file.ts';
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
  const { size } = await readable(path, stat(path));
  if (size === 0) throw new CommandFault(`${path} is empty.`);
  return { path, size, trailer: await readable(path, readTrailerOf(path, size)) };
}

/** @throws CommandFault for a file that cannot be read, or contains no such key */
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
