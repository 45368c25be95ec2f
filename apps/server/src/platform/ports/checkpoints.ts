/** The state of a log at a given time; its signature covers all fields. */
export interface Checkpoint {
  readonly chain: string;
  readonly seq: number;
  /** Lower-case hex of the entry's hash. */
  readonly hash: string;
  /** ISO 8601. */
  readonly at: string;
  /** Ed25519, base64. */
  readonly signature: string;
}

/** Storage for log checkpoints: outside the database, so that write access to the database is not enough to change them. */
export interface CheckpointStore {
  /** The newest number of each chain with a checkpoint. */
  newest(): Promise<ReadonlyMap<string, number>>;
  /** Durable when it resolves. */
  append(checkpoints: readonly Checkpoint[]): Promise<void>;
}
