import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKeyPair, parsePrivateKey } from '@highline/image';
import { StartupError } from '../../settings/settings.ts';

/** The installation's key for log exports and checkpoints. */
export interface AuditKey {
  readonly privateKey: KeyObject;
  /** PEM; a verifier needs nothing else. */
  readonly publicPem: string;
}

/**
 * The key in the data folder, generated at the first start. It is stored outside the database: write access to tables is not
 * enough to sign.
 * @throws StartupError when the file is damaged: a new key would make its old signatures indistinguishable from forged ones
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
    throw new StartupError(`${path} no longer contains the audit key. Restore it from a backup.`);
  }
}
