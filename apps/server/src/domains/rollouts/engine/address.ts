import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { derivedFrom, type MasterKey } from '../../../kernel/sealing.ts';

const PURPOSE = 'highline downloads 1';

/** How long the address of a step is valid while its router is connected, from each time the step is sent or the router connects. */
export const ADDRESS_LIVES_MS = 86_400_000;

/** The password of a step's download address and its stored hash. */
export interface DownloadPasswords {
  /** The same password for the same step, so that a router can continue its download after our restart. */
  of(stepKey: string): string;
  hash(password: string): Buffer;
  /** Whether it is the password of this step, by any master key that is known: the stored hash may be by another one than the router's. */
  isOf(stepKey: string, password: string): boolean;
}

/** @param masterKey passwords are derived from it, with a label used for nothing else */
export function createDownloadPasswords(masterKey: MasterKey): DownloadPasswords {
  const keys = derivedFrom(masterKey, (key) => Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), PURPOSE, 32)));
  const passwordOf = (key: Buffer, stepKey: string) => createHmac('sha256', key).update(stepKey).digest('base64url');
  const hash = (password: string) => createHash('sha256').update(password).digest();
  return {
    of: (stepKey) => passwordOf(keys.active(), stepKey),
    hash,
    isOf: (stepKey, password) => keys.all().some((key) => timingSafeEqual(hash(password), hash(passwordOf(key, stepKey)))),
  };
}
