import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, as text that is safe in URLs and headers. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored and searched form of a secret: SHA-256. 256 random bits cannot be guessed, so it needs no salt and no slow hash. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
