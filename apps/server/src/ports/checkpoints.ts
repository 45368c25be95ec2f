/** What a log was at a moment; its signature covers all fields. */
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

/** Where checkpoints of the logs are kept: outside the database, so that whoever rewrites that cannot rewrite these with it. */
export interface CheckpointStore {
  /** The newest number of each chain that has a checkpoint. */
  newest(): Promise<ReadonlyMap<string, number>>;
  /** Durable when it resolves. */
  append(checkpoints: readonly Checkpoint[]): Promise<void>;
}
