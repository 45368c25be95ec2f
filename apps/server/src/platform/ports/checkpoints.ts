/** The state of a log at a given time; its signature covers all fields up to `at`. */
export interface Checkpoint {
  readonly chain: string;
  readonly seq: number;
  /** Lower-case hex of the entry's hash. */
  readonly hash: string;
  /** ISO 8601. */
  readonly at: string;
  /** Ed25519, base64. */
  readonly signature: string;
  /** Which key signed: hex of the SHA-256 of its public half. Missing in checkpoints of 0.1.0; the signature does not cover it. */
  readonly key?: string;
}

/** Storage for log checkpoints: outside the database, so that write access to the database is not enough to change them. */
export interface CheckpointStore {
  /** The last known one of each chain; a chain that is missing here is signed again. */
  newest(): Promise<ReadonlyMap<string, Checkpoint>>;
  /** Durable when it resolves. */
  append(checkpoints: readonly Checkpoint[]): Promise<void>;
}
