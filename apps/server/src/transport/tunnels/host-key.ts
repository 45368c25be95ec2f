import { createHash } from 'node:crypto';
import ssh from 'ssh2';

/** The key by which routers identify this installation. */
export interface HostKey {
  /** In OpenSSH's own format. */
  readonly privateKey: string;
  /** As `ssh-keygen -l` prints it: `SHA256:` and base64 without padding. */
  readonly fingerprint: string;
}

/** @param privateKey in OpenSSH's own format @throws TypeError for anything else */
export function hostKeyOf(privateKey: string): HostKey {
  const parsed = ssh.utils.parseKey(privateKey);
  if (parsed instanceof Error || !parsed.isPrivateKey()) throw new TypeError('This is not an SSH private key.');
  return { privateKey, fingerprint: fingerprintOf(parsed.getPublicSSH()) };
}

/**
 * A new key. About one in 256 keys of ssh2 1.17 is unreadable (its public half begins with a zero byte, which is cut off):
 * generate another one then.
 */
export function generateHostKey(): string {
  for (;;) {
    const key = ssh.utils.generateKeyPairSync('ed25519').private;
    if (!(ssh.utils.parseKey(key) instanceof Error)) return key;
  }
}

/** @param publicKey in SSH's binary format */
function fingerprintOf(publicKey: Buffer): string {
  return `SHA256:${createHash('sha256').update(publicKey).digest('base64').replaceAll('=', '')}`;
}
