import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '../../ports/blobs.ts';
import type { Bucket } from '../s3/bucket.ts';
import { writeWhole } from './folder.ts';

const NAME = /^[0-9a-f]{64}$/u;
const FOLDER = 'blobs/';
/** A sweep runs in a transaction, which PostgreSQL ends after 60 s of silence; it deletes for half of that. */
const SWEEP_MS = 30_000;

/**
 * Blobs as objects `blobs/<sha256>` of a bucket. The name is known only at the end of the content, and objects cannot be renamed:
 * content is first written to a file.
 * @param spoolFolder of uploads; what a crash leaves there is deleted with other uploads
 */
export function createBucketBlobs(bucket: Bucket, spoolFolder: string): BlobStore {
  return {
    location: bucket.location,

    async write(content, maxBytes) {
      await mkdir(spoolFolder, { recursive: true, mode: 0o700 });
      const folder = await mkdtemp(join(spoolFolder, 'upload-'));
      try {
        const path = join(folder, 'blob');
        const written = await writeWhole(path, content, maxBytes);
        if (written !== 'too-large') await bucket.putFile(FOLDER + written.sha256, path, written.size);
        return written;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },

    async open(sha256, range) {
      return NAME.test(sha256) ? bucket.open(FOLDER + sha256, range) : undefined;
    },

    async has(sha256) {
      return NAME.test(sha256) && (await bucket.has(FOLDER + sha256));
    },

    async publicUrl(sha256) {
      return NAME.test(sha256) ? bucket.publicUrl(FOLDER + sha256) : undefined;
    },

    async delete(sha256) {
      if (NAME.test(sha256)) await bucket.delete(FOLDER + sha256);
    },

    async sweep(before, isKept) {
      const end = performance.now() + SWEEP_MS;
      let deleted = 0;
      await bucket.abortUploads(FOLDER, before);
      for await (const { key, modified } of bucket.list(FOLDER)) {
        // The next run continues.
        if (performance.now() > end) break;
        const name = key.slice(FOLDER.length);
        if (!NAME.test(name) || modified >= before || isKept(name)) continue;
        await bucket.delete(key);
        deleted += 1;
      }
      return deleted;
    },
  };
}
