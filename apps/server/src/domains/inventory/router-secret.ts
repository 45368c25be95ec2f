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

/** Where routers connect to, and what they call us. */
export interface AgentAddress {
  /** Public WebSocket address, `wss://host[:port]`, without a path. */
  readonly address: string;
  /** Endpoint id of this controller, `self::highline` by default. */
  readonly controllerId: string;
}

/** Stands where the secret belongs, which was shown once, when it was minted. */
const SECRET_PLACEHOLDER = '<secret>';

/** What a router's agent is given, its secret left out. */
export function agentSettings({ address, controllerId }: AgentAddress, endpointId: string) {
  return { url: routerUrl(address, endpointId, SECRET_PLACEHOLDER), endpointId, controllerId };
}

/**
 * Where a router connects to.
 * @param address public WebSocket address of this server, `wss://host[:port]`
 */
export function routerUrl(address: string, endpointId: string, secret: string): string {
  return `${address}/usp/${secret}?eid=${encodeURIComponent(endpointId)}`;
}
