import { createSecretKey, hash, randomBytes, type KeyObject } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { derivePushKey, pushKeyPairOf, type PushKeyPair } from '../domains/webhooks/index.ts';
import { createBucketCheckpoints } from '../platform/adapters/audit/bucket-checkpoints.ts';
import { createFolderCheckpoints } from '../platform/adapters/audit/checkpoints.ts';
import type { AuditKey } from '../platform/adapters/audit/key.ts';
import { createBucketBlobs } from '../platform/adapters/blobs/bucket.ts';
import { createFolderBlobs } from '../platform/adapters/blobs/folder.ts';
import { checkNoBucket, claimBucket, copyDataFolder } from '../platform/adapters/installation/bucket.ts';
import type { Keyring } from '../kernel/sealing.ts';
import { openMasterKeys } from '../platform/adapters/installation/master-keys.ts';
import { LOCK, openAuditKey, openSharedKey, type ProcessKeys, type SharedKind } from '../platform/adapters/installation/keys.ts';
import { takeAdvisoryLock } from '../platform/adapters/postgres/advisory-lock.ts';
import type { OpenedDatabase } from '../platform/adapters/postgres/connect.ts';
import { BlobsUnavailable, type BlobStore, type CheckpointStore, type Clock, type Log } from '../platform/ports/index.ts';
import { StartupError } from '../platform/settings/settings-file.ts';
import { type Settings } from '../platform/settings/settings.ts';
import { generateHostKey, hostKeyOf, type HostKey } from '../transport/tunnels/index.ts';

/** What all processes of an installation share, besides the database itself. */
export interface Installation {
  /** What secrets are sealed with and derived from. */
  readonly masterKeys: ProcessKeys;
  readonly auditKey: AuditKey;
  readonly hostKey: HostKey;
  /** Identifies the installation to push services of browsers. */
  readonly pushKey: PushKeyPair;
  /** Links in mails and addresses that mails are returned to are made with it: they outlive a master key. */
  readonly linkKey: KeyObject;
  readonly blobs: BlobStore;
  readonly checkpoints: CheckpointStore;
  close(): void;
}

export interface InstallationDeps {
  readonly database: Pick<OpenedDatabase, 'withOwner'>;
  readonly settings: Pick<Settings, 'masterKey' | 'previousMasterKey' | 'dataDir' | 'bucket' | 'firmware'>;
  readonly clock: Clock;
  readonly log: Log;
}

const sshHost: SharedKind<HostKey> = {
  purpose: 'ssh-host',
  title: 'SSH host key',
  file: 'ssh-host-key',
  generate: generateHostKey,
  parse: hostKeyOf,
  idOf: ({ fingerprint }) => fingerprint,
};

const webPush = (masterKey: KeyObject): SharedKind<PushKeyPair> => ({
  purpose: 'web-push',
  title: 'key of push messages',
  generate: () => derivePushKey(masterKey),
  parse: pushKeyPairOf,
  idOf: ({ publicKey }) => publicKey,
});

const links: SharedKind<KeyObject> = {
  purpose: 'links',
  title: 'key of links in mails',
  generate: () => randomBytes(32).toString('base64'),
  parse: (text) => createSecretKey(Buffer.from(text, 'base64')),
  idOf: (key) => hash('sha256', key.export()),
};

/** Folder for files until they are processed. */
export const spoolFolderOf = (dataDir: string): string => join(dataDir, 'uploads');

/** What links in mails are made and read with; versions before made them with the master key. */
export function linkKeysOf({ linkKey, masterKeys }: Pick<Installation, 'linkKey' | 'masterKeys'>): Keyring {
  return { active: linkKey, known: [linkKey, ...masterKeys.known] };
}

/**
 * Open the keys and the store of files that every process of this database uses. The first process makes what is missing; a
 * process that has something else, or lacks something, does not start.
 * @throws StartupError that says what to set or to restore
 */
export async function openInstallation({ database, settings, clock, log }: InstallationDeps): Promise<Installation> {
  return database.withOwner(async (client) => {
    // One start at a time; a session that ends unlocks too.
    await takeAdvisoryLock(client, LOCK, log, 'A start waits for another process that opens the keys of the installation.');
    try {
      const masterKeys = await openMasterKeys(client, settings);
      const deps = { client, log, masterKey: masterKeys, dataDir: settings.dataDir };
      const auditKey = await openAuditKey(deps);
      const hostKey = await openSharedKey(sshHost, deps);
      const pushKey = await openSharedKey(webPush(masterKeys.active), deps);
      const linkKey = await openSharedKey(links, deps);
      return { masterKeys, auditKey, hostKey, pushKey, linkKey, ...(await openFiles(client, settings, clock, log)) };
    } finally {
      await client.query(`select pg_advisory_unlock(${LOCK})`);
    }
  });
}

async function openFiles(
  client: Client,
  { bucket: bucketSettings, dataDir, firmware }: InstallationDeps['settings'],
  clock: Clock,
  log: Log,
): Promise<Pick<Installation, 'blobs' | 'checkpoints' | 'close'>> {
  if (bucketSettings === undefined) {
    await checkNoBucket(client);
    const folder = join(dataDir, 'audit');
    // Before the first checkpoint: `backup` knows the data folder by it.
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return { blobs: createFolderBlobs(firmware.folder), checkpoints: createFolderCheckpoints(folder), close: () => {} };
  }
  // Loaded only by those who use it.
  const { createBucket } = await import('../platform/adapters/s3/bucket.ts');
  const bucket = createBucket(bucketSettings, log);
  try {
    const blobs = createBucketBlobs(bucket, spoolFolderOf(dataDir));
    await claimBucket(client, bucket);
    await copyDataFolder(dataDir, bucket, blobs, log);
    return { blobs, checkpoints: createBucketCheckpoints(bucket, clock), close: () => bucket.close() };
  } catch (error) {
    bucket.close();
    if (error instanceof BlobsUnavailable)
      throw new StartupError(
        `BLOBS_URL: ${error.message}. Check the address, the key and the bucket, and whether the store runs.`,
      );
    throw error;
  }
}
