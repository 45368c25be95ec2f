import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readdir, rename, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { CHECKPOINT_FILE } from '../../platform/adapters/audit/checkpoints.ts';
import { createBucketBlobs } from '../../platform/adapters/blobs/bucket.ts';
import { createFolderBlobs } from '../../platform/adapters/blobs/folder.ts';
import { MARK } from '../../platform/adapters/installation/bucket.ts';
import type { Bucket } from '../../platform/adapters/s3/bucket.ts';
import type { BlobStore, Log } from '../../platform/ports/index.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { CommandFault } from '../command.ts';
import { measure, type Stored } from './stored-file.ts';

/** The files of an installation outside of its database: in the data folder or in a bucket. */
export interface InstallationFiles {
  readonly blobs: BlobStore;
  /**
   * Files of log checkpoints. Those in a folder grow: they are read up to the size that they have now. Throws a CommandFault when that
   * folder does not exist: a server makes it at its start.
   */
  checkpoints(): AsyncGenerator<{ readonly name: string; open(): Promise<Readable> }>;
  /** Throws a CommandFault when the place holds another installation's files; writes nothing. */
  checkFree(installation: string | null, checkpoints: readonly (Stored & { readonly file: string })[]): Promise<void>;
  /** Put a file of checkpoints where it was; does nothing when it is there. */
  putCheckpoint(name: string, path: string, size: number): Promise<void>;
  close(): void;
}

export type FileSettings = Pick<Settings, 'bucket' | 'dataDir' | 'firmware'>;

/** Open the place of these settings. */
export async function openFiles(settings: FileSettings, log: Log): Promise<InstallationFiles> {
  if (settings.bucket === undefined) return folderFiles(settings);
  // Loaded only by those who use it.
  const { createBucket } = await import('../../platform/adapters/s3/bucket.ts');
  return bucketFiles(createBucket(settings.bucket, log));
}

function folderFiles({ dataDir, firmware }: FileSettings): InstallationFiles {
  const folder = join(dataDir, 'audit');
  const names = async (whenMissing: () => string[]) => {
    const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return whenMissing();
      throw error;
    });
    return found.filter((name) => CHECKPOINT_FILE.test(name)).sort();
  };
  const rejectMissing = () => {
    throw new CommandFault(
      `${folder} does not exist, so ${dataDir} is not the data folder of this server. Set HIGHLINE_DATA_DIR to it; of an earlier version, start the server once more.`,
    );
  };
  return {
    blobs: createFolderBlobs(firmware.folder),
    async *checkpoints() {
      for (const name of await names(rejectMissing)) {
        const path = join(folder, name);
        const { size } = await stat(path);
        yield { name, open: async () => (size === 0 ? Readable.from([]) : createReadStream(path, { end: size - 1 })) };
      }
    },
    async checkFree(_installation, checkpoints) {
      const ours = new Map(checkpoints.map((each) => [each.file, each.sha256]));
      for (const name of await names(() => []))
        if (ours.get(name) !== (await measure(join(folder, name))).sha256)
          throw new CommandFault(
            `${join(folder, name)} contains log checkpoints that are not in this backup. Restore into an empty data folder, or move that file elsewhere; it can still prove what the restored log lacks.`,
          );
    },
    async putCheckpoint(name, path) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const unfinished = join(folder, `.${name}.part`);
      await copyFile(path, unfinished);
      await rename(unfinished, join(folder, name));
    },
    close() {},
  };
}

function bucketFiles(bucket: Bucket): InstallationFiles {
  return {
    // Not in the data folder, which a command with a bucket may not have.
    blobs: createBucketBlobs(bucket, tmpdir()),
    async *checkpoints() {
      for await (const { key } of bucket.list('audit/')) {
        const name = key.slice('audit/'.length);
        if (CHECKPOINT_FILE.test(name)) yield { name, open: async () => (await bucket.open(key))?.stream ?? Readable.from([]) };
      }
    },
    async checkFree(installation) {
      const owner = (await bucket.read(MARK))?.toString('utf8').trim();
      if (owner !== undefined && owner !== installation)
        throw new CommandFault(
          `BLOBS_URL: ${bucket.location} belongs to another installation of Highline. Restore into an empty bucket or path, or into the one of the backup's installation.`,
        );
    },
    async putCheckpoint(name, path, size) {
      const key = `audit/${name}`;
      if (!(await bucket.has(key))) await bucket.putFile(key, path, size);
    },
    close: () => bucket.close(),
  };
}
