import { createHash } from 'node:crypto';

/** The hash before the first chunk: it binds the chain to its recording. */
export function firstHash(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}

/** SHA-256 over the hash before and a chunk as it is stored: one that is changed, missing or moved breaks the chain. */
export function hashChunk(previous: Buffer, contents: Buffer): Buffer {
  return createHash('sha256').update(previous).update(contents).digest();
}
