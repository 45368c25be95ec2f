import type { KeyObject } from 'node:crypto';
import { createSealing } from '../../kernel/sealing.ts';

// Config files contain passwords and keys of vehicle networks. In the database, in a backup and in a replica they are encrypted
// under a key that is stored elsewhere.

const PURPOSE = 'highline config files 1';

/** Identifies the contents as additional authenticated data: contents moved to another row cannot be decrypted there. */
export interface SealedPlace {
  readonly organizationId: string;
  readonly configId: string;
  /** Number of the version. */
  readonly number: number;
}

/** Encrypts the contents of config files. */
export interface Seal {
  seal(place: SealedPlace, contents: Uint8Array): Buffer;
  /** @throws Error when the bytes were changed, moved, or encrypted under another master key */
  open(place: SealedPlace, sealed: Uint8Array): Buffer;
}

/** @param masterKey 32 bytes; the encryption key is derived from it, with a label used for nothing else */
export function createSeal(masterKey: KeyObject): Seal {
  const sealing = createSealing(masterKey, PURPOSE);
  return {
    seal: (place, contents) => sealing.seal(textOf(place), contents),
    open: (place, sealed) => sealing.open(textOf(place), sealed),
  };
}

const textOf = ({ organizationId, configId, number }: SealedPlace) => `${organizationId}/${configId}/${number}`;
