import { createHash } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ssh from 'ssh2';
import { StartRefused } from '../settings.ts';

export interface HostKey {
  /** OpenSSH's own format. */
  readonly privateKey: string;
  /** As `ssh-keygen -l` writes it: `SHA256:` and base64 without padding. */
  readonly fingerprint: string;
}

/**
 * The key by which routers know this server, made at the first start and kept in the data folder, for its owner alone.
 * @throws StartRefused when the file was damaged: a new key is somebody else to every router that holds us to the old one
 */
export function openHostKey(dataDir: string): HostKey {
  const path = join(dataDir, 'ssh-host-key');
  if (!existsSync(path)) keepKey(path, makeKey());
  const privateKey = readFileSync(path, 'utf8');
  const parsed = ssh.utils.parseKey(privateKey);
  if (parsed instanceof Error || !parsed.isPrivateKey())
    throw new StartRefused(
      `${path} does not hold the SSH host key any more. Put it back from a backup, or remove it to have a new one.`,
    );
  return { privateKey, fingerprint: fingerprintOf(parsed.getPublicSSH()) };
}

/** A new key. About one in 256 that ssh2 1.17 makes cannot be read (its public half begins with a zero byte, which is cut off): the next one is taken. */
function makeKey(): string {
  for (;;) {
    const key = ssh.utils.generateKeyPairSync('ed25519').private;
    if (!(ssh.utils.parseKey(key) instanceof Error)) return key;
  }
}

/** Whole or not at all, wherever the process dies; whoever was first keeps the name. */
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

/** @param publicKey in SSH's wire format */
function fingerprintOf(publicKey: Buffer): string {
  return `SHA256:${createHash('sha256').update(publicKey).digest('base64').replaceAll('=', '')}`;
}
