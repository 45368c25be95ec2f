import type { IncomingMessage } from 'node:http';

const EXTENSION = 'bbf-usp-protocol';
/** Routers kept; the one whose last handshake is the longest ago is dropped first. */
const MOST = 50_000;
/** How long a router gets no extension after its last handshake without. */
const KEPT_MS = 7 * 86_400_000;

/**
 * The extension by which an agent and a controller name themselves in the handshake (TR-369 "WebSocket Binding", R-WS.11a: SHOULD).
 * Agents send it as a plain header, so their WebSocket library does not know it, and some libraries end a handshake whose answer
 * contains it. A router that ended such a handshake without a record is answered without the extension.
 */
export class UspExtension {
  readonly #value: string;
  readonly #now: () => number;
  /** Milliseconds until which a router is answered without, by router. A Map keeps insertion order. */
  readonly #left = new Map<string, number>();

  constructor(controllerId: string, now: () => number = () => performance.now()) {
    this.#value = `${EXTENSION}; eid="${controllerId}"`;
    this.#now = now;
  }

  /** The header's value in the answer to this router; undefined = leave it out. */
  respond(routerId: string, request: IncomingMessage): string | undefined {
    if (!isOffered(request)) return undefined;
    if ((this.#left.get(routerId) ?? 0) < this.#now()) return this.#value;
    this.leaveOut(routerId);
    return undefined;
  }

  /** The router ended a handshake that was answered with the extension. */
  leaveOut(routerId: string): void {
    this.#left.delete(routerId);
    this.#left.set(routerId, this.#now() + KEPT_MS);
    const [oldest] = this.#left.keys();
    if (this.#left.size > MOST && oldest !== undefined) this.#left.delete(oldest);
  }
}

function isOffered({ headers }: IncomingMessage): boolean {
  const offered = headers['sec-websocket-extensions'] ?? '';
  return offered.split(',').some((extension) => extension.split(';', 1)[0]?.trim() === EXTENSION);
}
