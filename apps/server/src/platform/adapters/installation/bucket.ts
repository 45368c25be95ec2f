import { createReadStream } from 'node:fs';
import { readdir, readFile, rename } from 'node:fs/promises';
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Client } from 'pg';
import type { BlobStore, Log } from '../../ports/index.ts';
import { StartupError } from '../../settings/settings-file.ts';
import type { Bucket } from '../s3/bucket.ts';
import { findFact, firstOf, storeFact } from './facts.ts';

/** Object that names the installation to which a bucket belongs. */
export const MARK = 'highline-installation';

/**
 * Reject a start without the bucket that holds the files of this installation: what it stored would be missing elsewhere.
 * @throws StartupError that names the bucket
 */
export async function checkNoBucket(client: Client): Promise<void> {
  const noted = await findFact(client, 'bucket');
  if (noted !== undefined)
    throw new StartupError(
      `BLOBS_URL: is missing. The files of this installation are in ${noted}; set BLOBS_URL to that bucket. To keep them in the data folder again, copy the objects of blobs/ and audit/ to these folders of it and run as the owner of the database: delete from installation where key = 'bucket'.`,
    );
}

/**
 * Make the bucket that of this installation, or compare it. The mark in the bucket contains the installation's id, so that a
 * wrong, an emptied or another installation's bucket is noticed whatever its address.
 * @throws StartupError; BlobsUnavailable when the store fails
 */
export async function claimBucket(client: Client, bucket: Bucket): Promise<void> {
  const id = await firstOf(client, 'id', randomUUID());
  const noted = await findFact(client, 'bucket');
  const owner = (await bucket.read(MARK))?.toString('utf8').trim();
  if (owner !== undefined && owner !== id)
    throw new StartupError(
      `BLOBS_URL: ${bucket.location} belongs to another installation of Highline. Give each installation a bucket or a path of its own.`,
    );
  if (owner === undefined && noted !== undefined)
    throw new StartupError(
      `BLOBS_URL: ${bucket.location} does not hold the files of this installation: its object ${MARK} is missing. They were last in ${noted}. Set BLOBS_URL to that bucket, or copy all of its objects first.`,
    );
  if (owner === undefined) await bucket.put(MARK, Buffer.from(`${id}\n`));
  if (noted !== bucket.location) await storeFact(client, 'bucket', bucket.location);
}

/**
 * Copy firmware images and log checkpoints of the data folder to the bucket, then rename their folders, so that this happens once.
 * A crash in between repeats it.
 */
export async function copyDataFolder(dataDir: string, bucket: Bucket, blobs: BlobStore, log: Log): Promise<void> {
  await copyFolder(join(dataDir, 'blobs'), /^[0-9a-f]{64}$/u, log, async (path) => {
    await blobs.write(createReadStream(path), Infinity);
  });
  await copyFolder(join(dataDir, 'audit'), /^checkpoints-\d{4}-\d{2}\.ndjson$/u, log, async (path, name) => {
    const content = await readFile(path);
    // Several data folders have a file of the same month.
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 16);
    await bucket.put(`audit/${name.replace(/\.ndjson$/u, `.${digest}.ndjson`)}`, content);
  });
}

async function copyFolder(
  folder: string,
  isCopied: RegExp,
  log: Log,
  copy: (path: string, name: string) => Promise<void>,
): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (names === undefined) return;
  const copied = names.filter((name) => isCopied.test(name));
  for (const name of copied) await copy(join(folder, name), name);
  const kept = `${folder}-copied-${Date.now()}`;
  await rename(folder, kept);
  log.info(
    { files: copied.length, kept },
    'Copied files of the data folder to the bucket. The renamed folder is not used any more.',
  );
}
