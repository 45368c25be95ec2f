import { createHash, createHmac, hkdfSync, type KeyObject } from 'node:crypto';

const PURPOSE = 'highline downloads 1';

/** How long a step's address opens, from each time it is sent. */
export const ADDRESS_LIVES_MS = 86_400_000;

/** The password of a step's download address and what is kept of it. */
export interface Passwords {
  /** The same for the same step, so that a router that goes on after a crash of ours still gets in. */
  of(stepKey: string): string;
  hash(password: string): Buffer;
}

/** @param masterKey passwords are derived from it for this purpose alone */
export function createDownloadPasswords(masterKey: KeyObject): Passwords {
  const key = Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), PURPOSE, 32));
  return {
    of: (stepKey) => createHmac('sha256', key).update(stepKey).digest('base64url'),
    hash: (password) => createHash('sha256').update(password).digest(),
  };
}
