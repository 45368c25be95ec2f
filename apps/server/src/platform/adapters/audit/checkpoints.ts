import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Checkpoint, CheckpointStore } from '../../ports/checkpoints.ts';

/** One append-only file a month, `checkpoints-2026-11.ndjson`: copy the files off the machine as they grow. */
export function createFolderCheckpoints(folder: string): CheckpointStore {
  return {
    async newest() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const newest = new Map<string, Checkpoint>();
      for await (const checkpoint of readCheckpoints(folder)) newest.set(checkpoint.chain, checkpoint);
      return newest;
    },
    async append(checkpoints) {
      const [first] = checkpoints;
      if (first === undefined) return;
      const file = await open(join(folder, `checkpoints-${first.at.slice(0, 7)}.ndjson`), 'a', 0o600);
      try {
        // Start with a line break to end a line that a crash left incomplete; empty lines mean nothing.
        // Unlike write, which may write a part only, it writes everything or throws.
        await file.writeFile(`\n${linesOf(checkpoints)}`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}

/** One line each. */
export function linesOf(checkpoints: readonly Checkpoint[]): string {
  return checkpoints.map((each) => `${JSON.stringify(each)}\n`).join('');
}

/** Files of a month, and objects of a bucket. */
export const CHECKPOINT_FILE = /^checkpoints-\d{4}-\d{2}[\w.-]*\.ndjson$/u;

/**
 * The checkpoints of a file, one per line, or of all files in a folder; invalid lines (torn by a crash, added by hand) are
 * skipped.
 */
export async function* readCheckpoints(path: string): AsyncGenerator<Checkpoint> {
  const isFolder = (await stat(path)).isDirectory();
  const names = isFolder ? (await readdir(path)).filter((name) => CHECKPOINT_FILE.test(name)).sort() : [];
  for (const file of isFolder ? names.map((name) => join(path, name)) : [path]) yield* checkpointsIn(file);
}

async function* checkpointsIn(path: string): AsyncGenerator<Checkpoint> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const checkpoint = parseCheckpoint(line);
    if (checkpoint !== undefined) yield checkpoint;
  }
}

/** Undefined for anything else. */
export function parseCheckpoint(line: string): Checkpoint | undefined {
  try {
    const { chain, seq, hash, at, signature, key } = JSON.parse(line) as Partial<Checkpoint>;
    if (chain === undefined || seq === undefined || hash === undefined || at === undefined || signature === undefined)
      return undefined;
    return { chain, seq, hash, at, signature, ...(key === undefined ? {} : { key }) };
  } catch {
    return undefined;
  }
}
