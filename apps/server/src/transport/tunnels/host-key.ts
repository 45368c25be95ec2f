import { createHash } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ssh from 'ssh2';
import { StartupError } from '../../platform/settings/settings.ts';

export interface HostKey {
  /** In OpenSSH's own format. */
  readonly privateKey: string;
  /** As `ssh-keygen -l` prints it: `SHA256:` and base64 without padding. */
  readonly fingerprint: string;
}

/**
 * The key by which routers identify this server, generated at the first start and kept in the data folder, readable for its owner
 * only.
 * @throws StartupError when the file is damaged: routers that know the old key would reject a new one
 */
export function openHostKey(dataDir: string): HostKey {
  const path = join(dataDir, 'ssh-host-key');
  if (!existsSync(path)) keepKey(path, makeKey());
  const privateKey = readFileSync(path, 'utf8');
  const parsed = ssh.utils.parseKey(privateKey);
  if (parsed instanceof Error || !parsed.isPrivateKey())
    throw new StartupError(
      `${path} no longer contains the SSH host key. Restore it from a backup, or remove it to generate a new one.`,
    );
  return { privateKey, fingerprint: fingerprintOf(parsed.getPublicSSH()) };
}

/**
 * A new key. About one in 256 keys of ssh2 1.17 is unreadable (its public half begins with a zero byte, which is cut off):
 * generate another one then.
 */
function makeKey(): string {
  for (;;) {
    const key = ssh.utils.generateKeyPairSync('ed25519').private;
    if (!(ssh.utils.parseKey(key) instanceof Error)) return key;
  }
}

/** Write atomically; the first writer wins. */
function keepKey(path: string, key: string): void {
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, key, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}

/** @param publicKey in SSH's binary format */
function fingerprintOf(publicKey: Buffer): string {
  return `SHA256:${createHash('sha256').update(publicKey).digest('base64').replaceAll('=', '')}`;
}
