import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Transform, Writable, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** What a written file has to be when it is read again. */
export interface Stored {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** Hashes and counts what passes. */
function createMeter() {
  const hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { through, read: (): Stored => ({ bytes, sha256: hash.digest('hex') }) };
}

/** Write a new file, private to this user and durable, through the given steps. */
export async function store(path: string, source: Readable, steps: readonly Transform[] = []): Promise<Stored> {
  const { through, read } = createMeter();
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline([source, ...steps, through, file]);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return read();
}

/** Read a file to its end. */
export async function measure(path: string): Promise<Stored> {
  const { through, read } = createMeter();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(createReadStream(path), through, nowhere);
  return read();
}
