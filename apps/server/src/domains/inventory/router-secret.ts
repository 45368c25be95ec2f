import { createHash, randomBytes } from 'node:crypto';

/** A new secret for a router's path: 256 random bits, base64url (DEVICE-PROTOCOL, WebSocket handshake). */
export function mintSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** How a secret is stored and looked up: SHA-256 of its text. The secret itself is kept nowhere. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** How long the secret before a rotation still opens connections. */
export const OVERLAP_MS = 24 * 3_600_000;

/**
 * Where a router connects to.
 * @param address public WebSocket address of this server, `wss://host[:port]`
 */
export function routerUrl(address: string, endpointId: string, secret: string): string {
  return `${address}/usp/${secret}?eid=${encodeURIComponent(endpointId)}`;
}
