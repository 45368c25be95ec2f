import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM: nonce, ciphertext, tag. `context` identifies the contents and is authenticated; moved elsewhere they cannot be
 * opened.
 */
export interface Sealing {
  seal(context: string, contents: Uint8Array): Buffer;
  /** @throws Error when the bytes were changed, moved, or sealed with another master key or for another purpose */
  open(context: string, sealed: Uint8Array): Buffer;
}

/** @param masterKey 32 bytes; the sealing key is derived from it for this purpose only */
export function createSealing(masterKey: KeyObject, purpose: string): Sealing {
  const key = Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), purpose, 32));
  return {
    seal(context, contents) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context, 'utf8'));
      return Buffer.concat([nonce, cipher.update(contents), cipher.final(), cipher.getAuthTag()]);
    },
    open(context, sealed) {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error('Invalid sealed content.');
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context, 'utf8'));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    },
  };
}
