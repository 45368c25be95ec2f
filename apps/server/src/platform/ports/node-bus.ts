/** Answers a message, or takes note of it. A response reaches the sender only if it waits for one. */
export type BusListener = (message: Uint8Array) => Promise<Uint8Array | undefined> | undefined;

/** Why a request got no response. `no-listener`: no process listens. `disconnected`: this process does not reach the others now. */
export type BusFaultKind = 'no-listener' | 'timeout' | 'disconnected';

/** A request without a response. Only after a `timeout` another process may have received it. */
export class BusFault extends Error {
  readonly kind: BusFaultKind;
  constructor(kind: BusFaultKind) {
    super(`No answer of another process: ${kind}.`);
    this.name = 'BusFault';
    this.kind = kind;
  }
}

/**
 * Carries messages between the processes of an installation, at most once, and stores none: what must not be lost is in the
 * database. A process does not receive what it sent itself.
 */
export interface NodeBus {
  /** Whether other processes can be reached at all; without it this must be the only one. */
  readonly isShared: boolean;
  readonly isConnected: boolean;
  /** Send to every process that listens; dropped while disconnected. */
  publish(subject: string, message: Uint8Array): void;
  /** Send to a process that listens, and wait for its response. @throws BusFault */
  request(subject: string, message: Uint8Array, timeoutMs: number): Promise<Uint8Array>;
  /** @returns the end of it */
  subscribe(subject: string, listener: BusListener): () => void;
  /** Called at each connection, also at the first one: messages may have been missed. */
  onConnected(listener: () => void): void;
  close(): Promise<void>;
}
