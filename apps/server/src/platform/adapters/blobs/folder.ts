import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore, StoredBlob } from '../../ports/blobs.ts';

const NAME = /^[0-9a-f]{64}$/u;
const UNFINISHED = /^\.[0-9a-f]{32}\.part$/u;

/** Blobs as files of a folder, created when missing and private to the user of the server. */
export function createFolderBlobs(folder: string): BlobStore {
  return {
    location: folder,

    async write(content, maxBytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const unfinished = join(folder, `.${randomBytes(16).toString('hex')}.part`);
      try {
        const written = await writeWhole(unfinished, content, maxBytes);
        if (written === 'too-large') return written;
        await rename(unfinished, join(folder, written.sha256));
        await syncFolder(folder);
        return written;
      } finally {
        // Missing after a successful rename.
        await rm(unfinished, { force: true });
      }
    },

    async open(sha256, range = { start: 0 }) {
      if (!NAME.test(sha256)) return undefined;
      const handle = await ifThere(open(join(folder, sha256), 'r'));
      if (handle === undefined) return undefined;
      const { size } = await handle.stat();
      return { size, stream: handle.createReadStream(range) };
    },

    async has(sha256) {
      return NAME.test(sha256) && (await ifThere(stat(join(folder, sha256)))) !== undefined;
    },

    async publicUrl() {
      return undefined;
    },

    async delete(sha256) {
      if (NAME.test(sha256)) await rm(join(folder, sha256), { force: true });
    },

    async sweep(before, isKept) {
      let deleted = 0;
      for (const name of (await ifThere(readdir(folder))) ?? []) {
        const isBlob = NAME.test(name);
        if (!(isBlob ? !isKept(name) : UNFINISHED.test(name))) continue;
        // A running write touches its file regularly, also when another process writes it.
        const found = await ifThere(stat(join(folder, name)));
        if (found === undefined || found.mtime >= before) continue;
        await rm(join(folder, name), { force: true });
        if (isBlob) deleted += 1;
      }
      return deleted;
    },
  };
}

/** Write a new file and hash it; durable when this returns. The caller deletes it when this fails or the content is too large. */
export async function writeWhole(
  path: string,
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<StoredBlob | 'too-large'> {
  const hash = createHash('sha256');
  let size = 0;
  const handle = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of content) {
      size += chunk.byteLength;
      if (size > maxBytes) return 'too-large';
      hash.update(chunk);
      await writeFully(handle, chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { sha256: hash.digest('hex'), size };
}

/** The system may write only a part of the chunk. */
async function writeFully(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.byteLength;) done += (await handle.write(chunk, done, chunk.byteLength - done)).bytesWritten;
}

/** Make a rename durable by syncing its folder. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
