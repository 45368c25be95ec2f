import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKeyPair, parsePrivateKey } from '@highline/image';
import { StartRefused } from '../../settings.ts';

/** The installation's key for exported logs and checkpoints. */
export interface AuditKey {
  readonly privateKey: KeyObject;
  /** PEM; whoever verifies needs this and nothing else of us. */
  readonly publicPem: string;
}

/**
 * The key in the data folder, made at the first start. It lies beside the database and not in it: a person who may write tables
 * cannot sign.
 * @throws StartRefused when the file was damaged: what it signed could not be told from what somebody else signs with a new one
 */
export function openAuditKey(dataDir: string): AuditKey {
  const path = join(dataDir, 'audit-key.pem');
  try {
    writeFileSync(path, generateKeyPair().privateKey, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const privateKey = readKey(path);
  return { privateKey, publicPem: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString() };
}

function readKey(path: string): KeyObject {
  try {
    return parsePrivateKey(readFileSync(path, 'utf8'));
  } catch {
    throw new StartRefused(`${path} does not hold the audit key any more. Put it back from a backup.`);
  }
}
