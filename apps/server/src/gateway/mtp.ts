/** Why we end a connection, in words of no transport; each transport has its own code for it. */
export type CloseCause =
  /** What came is no USP. */
  | 'not-usp'
  /** It is USP, but not from whom or as it must be. */
  | 'refused'
  /** A newer connection of the same router took its place. */
  | 'replaced'
  /** It sends more than anybody may. */
  | 'flooding'
  /** The server stops; come back in a moment. */
  | 'restarting'
  /** The other side said goodbye. */
  | 'done';

/**
 * One connection to an agent over some message transfer protocol (TR-369 "MTP"): WebSocket today. It carries whole records and
 * knows nothing of what they mean.
 */
export interface AgentLink {
  /** Where it comes from. */
  readonly address: string;
  /** Bytes that ever arrived: grows also while a long message is still under way. */
  readonly bytesRead: number;
  /** Bytes that the other side has not taken yet. */
  readonly bytesUnsent: number;
  send(record: Uint8Array): void;
  /** Ask for a sign of life. */
  ping(): void;
  /** Stop reading, so that the other side has to wait. */
  pause(): void;
  resume(): void;
  /** Say goodbye with a reason, as much of it as there is room for; if the other side does not answer soon, it is cut. */
  close(cause: CloseCause, reason: string): void;
  /** Cut at once. */
  terminate(): void;
}

/** What a link tells its session. */
export interface LinkEvents {
  record(bytes: Uint8Array): void;
  /** Any other sign of life. */
  alive(): void;
  /** What came cannot be a record at all: text, too long, not even a frame. The link closes by itself. */
  broken(reason: string): void;
  /** It is over. @param isClean the other side took part in the goodbye */
  closed(isClean: boolean): void;
}
