import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKeyPair, parsePrivateKey } from '@highline/image';
import { StartupError } from '../platform/settings/settings-file.ts';

/** The key pair that signs the demo's images. */
export interface DemoSigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/**
 * The demo's own key pair, made once. A demo needs a key to sign its images; in production the private key is never stored on the
 * server, and only the demo reads this file.
 * @throws StartupError when the file was damaged
 */
export function demoSigningKey(dataDir: string): DemoSigningKey {
  const path = join(dataDir, 'demo-signing-key.pem');
  try {
    writeFileSync(path, generateKeyPair().privateKey, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const privateKey = readKey(path);
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

function readKey(path: string): KeyObject {
  try {
    return parsePrivateKey(readFileSync(path, 'utf8'));
  } catch {
    throw new StartupError(
      `${path} does not contain a signing key any more. Restore it from a backup, or start again in another folder.`,
    );
  }
}
