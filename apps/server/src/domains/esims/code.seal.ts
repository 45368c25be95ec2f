import type { KeyObject } from 'node:crypto';
import { createSealing } from '../../sealing.ts';

// Whoever holds an activation code can download the profile it stands for: in the database, in a backup and in a replica it is
// sealed under a key that lies elsewhere.

const PURPOSE = 'highline eSIM activation codes 1';

/** Seals activation codes, each for its profile. */
export interface CodeSeal {
  seal(profileId: string, code: string): Buffer;
  /** @throws Error when the bytes were changed, moved to another profile, or sealed under another master key */
  open(profileId: string, sealed: Uint8Array): string;
}

/** @param masterKey 32 bytes; the sealing key is derived from it for this purpose alone */
export function createCodeSeal(masterKey: KeyObject): CodeSeal {
  const sealing = createSealing(masterKey, PURPOSE);
  return {
    seal: (profileId, code) => sealing.seal(profileId, Buffer.from(code, 'utf8')),
    open: (profileId, sealed) => sealing.open(profileId, sealed).toString('utf8'),
  };
}
