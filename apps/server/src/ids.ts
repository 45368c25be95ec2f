import { randomBytes } from 'node:crypto';

/**
 * A new id: UUID version 7 (RFC 9562, 5.7), so that ids made later sort later and land at the end of an index.
 * @param now milliseconds since the epoch
 */
export function newId(now = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** Whether a text can be an id at all; what cannot is answered like an id that does not exist. */
export function isId(text: string): boolean {
  return uuid.test(text);
}
