/** Why we close a connection, independent of the transport; each transport maps it to its own code. */
export type CloseCause =
  /** The data is not USP. */
  | 'not-usp'
  /** It is USP, but from the wrong endpoint or in the wrong order. */
  | 'rejected'
  /** A newer connection of the same router replaced it. */
  | 'replaced'
  /** It exceeds the rate limit. */
  | 'flooding'
  /** The server stops; reconnect shortly. */
  | 'restarting'
  /** The other side closed properly. */
  | 'done';

/**
 * One connection to an agent over a message transfer protocol (TR-369 "MTP"): WebSocket today. It carries whole records and does
 * not interpret them.
 */
export interface AgentLink {
  /** Address of the client. */
  readonly address: string;
  /** Bytes received so far; grows also while a long message is still arriving. */
  readonly bytesRead: number;
  /** Bytes the other side has not received yet. */
  readonly bytesUnsent: number;
  send(record: Uint8Array): void;
  /** Send a ping. @param number 1 to 255, which its pong brings back */
  ping(number?: number): void;
  /** Stop reading, so that the sender is slowed down. */
  pause(): void;
  resume(): void;
  /** Close with a reason, shortened if needed; cut the connection if the other side does not answer soon. */
  close(cause: CloseCause, reason: string): void;
  /** Cut the connection immediately. */
  terminate(): void;
}

/** Events of a link, handled by its session. */
export interface LinkEvents {
  /** It waits for a record, which must not wait for others. */
  readonly isAwaited: boolean;
  record(bytes: Uint8Array): void;
  /** Any other sign of activity, for example a pong. */
  alive(): void;
  /** The other side has received all that was sent before the ping with this number, and what it had sent before its pong was delivered. */
  echoed(number: number): void;
  /** The data cannot be a record: text, too long or no valid frame. The link closes by itself. */
  broken(reason: string): void;
  /** The link has ended. @param isClean the other side took part in the closing handshake */
  closed(isClean: boolean): void;
}
