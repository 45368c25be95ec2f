import { createHash, createHmac, hkdfSync, type KeyObject } from 'node:crypto';

const PURPOSE = 'highline downloads 1';

/** How long the address of a step is valid, from each time the step is sent. */
export const ADDRESS_LIVES_MS = 86_400_000;

/** The password of a step's download address and its stored hash. */
export interface DownloadPasswords {
  /** The same password for the same step, so that a router can continue its download after our restart. */
  of(stepKey: string): string;
  hash(password: string): Buffer;
}

/** @param masterKey passwords are derived from it, with a label used for nothing else */
export function createDownloadPasswords(masterKey: KeyObject): DownloadPasswords {
  const key = Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), PURPOSE, 32));
  return {
    of: (stepKey) => createHmac('sha256', key).update(stepKey).digest('base64url'),
    hash: (password) => createHash('sha256').update(password).digest(),
  };
}
