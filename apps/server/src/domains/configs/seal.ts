import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';

// Config files hold passwords and keys of vehicles' networks. In the database, in a backup and in a replica they are sealed
// under a key that lies elsewhere.

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'highline config files 1';

/** Which contents these are; contents moved to another place cannot be opened there. */
export interface SealedPlace {
  readonly organizationId: string;
  readonly configId: string;
  /** Of the version. */
  readonly number: number;
}

/** AES-256-GCM: nonce, ciphertext, tag. */
export interface Seal {
  seal(place: SealedPlace, contents: Uint8Array): Buffer;
  /** @throws Error when the bytes were changed, moved, or sealed under another master key */
  open(place: SealedPlace, sealed: Uint8Array): Buffer;
}

/** @param masterKey 32 bytes; the sealing key is derived from it for this purpose alone */
export function createSeal(masterKey: KeyObject): Seal {
  const key = Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), PURPOSE, 32));
  return {
    seal(place, contents) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(placeBytes(place));
      return Buffer.concat([nonce, cipher.update(contents), cipher.final(), cipher.getAuthTag()]);
    },
    open(place, sealed) {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error('These are no sealed contents.');
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(placeBytes(place));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    },
  };
}

function placeBytes({ organizationId, configId, number }: SealedPlace): Buffer {
  return Buffer.from(`${organizationId}/${configId}/${number}`, 'utf8');
}
