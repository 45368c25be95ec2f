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
      const newest = new Map<string, number>();
      for await (const { chain, seq } of readCheckpoints(folder)) newest.set(chain, Math.max(seq, newest.get(chain) ?? 0));
      return newest;
    },
    async append(checkpoints) {
      const [first] = checkpoints;
      if (first === undefined) return;
      const file = await open(join(folder, `checkpoints-${first.at.slice(0, 7)}.ndjson`), 'a', 0o600);
      try {
        // Start with a line break to end a line that a crash left incomplete; empty lines mean nothing.
        await file.write(`\n${checkpoints.map((each) => JSON.stringify(each)).join('\n')}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}

/**
 * The checkpoints of a file, one per line, or of all months in a folder; invalid lines (torn by a crash, added by hand) are
 * skipped.
 */
export async function* readCheckpoints(path: string): AsyncGenerator<Checkpoint> {
  const isFolder = (await stat(path)).isDirectory();
  const months = isFolder ? (await readdir(path)).filter((name) => /^checkpoints-\d{4}-\d{2}\.ndjson$/u.test(name)).sort() : [];
  for (const file of isFolder ? months.map((name) => join(path, name)) : [path]) yield* checkpointsIn(file);
}

async function* checkpointsIn(path: string): AsyncGenerator<Checkpoint> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    try {
      const { chain, seq, hash, at, signature } = JSON.parse(line) as Partial<Checkpoint>;
      if (chain !== undefined && seq !== undefined && hash !== undefined && at !== undefined && signature !== undefined)
        yield { chain, seq, hash, at, signature };
    } catch {
      continue;
    }
  }
}
