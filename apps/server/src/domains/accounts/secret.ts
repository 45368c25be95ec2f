import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, as text that fits an address and a header. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a secret and searched for: SHA-256. Nobody guesses 256 random bits, so it needs no salt and no slowness. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
