import type { KeyObject } from 'node:crypto';
import { createSealing } from '../../sealing.ts';

// Config files hold passwords and keys of vehicles' networks. In the database, in a backup and in a replica they are sealed
// under a key that lies elsewhere.

const PURPOSE = 'highline config files 1';

/** Which contents these are; contents moved to another place cannot be opened there. */
export interface SealedPlace {
  readonly organizationId: string;
  readonly configId: string;
  /** Of the version. */
  readonly number: number;
}

/** Seals the contents of config files. */
export interface Seal {
  seal(place: SealedPlace, contents: Uint8Array): Buffer;
  /** @throws Error when the bytes were changed, moved, or sealed under another master key */
  open(place: SealedPlace, sealed: Uint8Array): Buffer;
}

/** @param masterKey 32 bytes; the sealing key is derived from it for this purpose alone */
export function createSeal(masterKey: KeyObject): Seal {
  const sealing = createSealing(masterKey, PURPOSE);
  return {
    seal: (place, contents) => sealing.seal(textOf(place), contents),
    open: (place, sealed) => sealing.open(textOf(place), sealed),
  };
}

const textOf = ({ organizationId, configId, number }: SealedPlace) => `${organizationId}/${configId}/${number}`;
