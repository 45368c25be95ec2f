import { createHash, randomBytes } from 'node:crypto';
import type { inventory } from '@highline/contract';

/**
 * Create a secret for a router's path: 256 random bits, base64url (DEVICE-PROTOCOL, WebSocket handshake). It begins with a letter or digit: a
 * spreadsheet takes one that begins with `-` for a formula, and a file that guards against that has another text than the secret.
 */
export function mintSecret(): string {
  const secret = randomBytes(32).toString('base64url');
  return /^[A-Za-z0-9]/u.test(secret) ? secret : mintSecret();
}

/** The stored and searched form of a secret: SHA-256 of its text. The secret itself is not stored. */
export function hashRouterSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The server's address and endpoint id for routers. */
export interface AgentAddress {
  /** Public WebSocket address, `wss://host[:port]`, without a path. */
  readonly address: string;
  /** Endpoint id of this controller, `self::highline` by default. */
  readonly controllerId: string;
}

/** Shown instead of the secret, which was only shown when it was minted. */
const SECRET_PLACEHOLDER = '<secret>';

/** The settings of a router's agent, without its secret; with a client certificate alone its path has none. */
export function agentSettings(
  { address, controllerId }: AgentAddress,
  endpointId: string,
  authentication: inventory.Authentication | null,
) {
  const secret = authentication === 'certificate' ? undefined : SECRET_PLACEHOLDER;
  return { url: routerUrl(address, endpointId, secret), endpointId, controllerId };
}

/**
 * The URL that a router connects to.
 * @param address public WebSocket address of this server, `wss://host[:port]`
 */
export function routerUrl(address: string, endpointId: string, secret: string | undefined): string {
  return `${address}/usp${secret === undefined ? '' : `/${secret}`}?eid=${encodeURIComponent(endpointId)}`;
}
