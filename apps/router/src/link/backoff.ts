/** Delay before the next connection attempt. All in milliseconds. */
export type BackoffOptions = {
  /** Minimum delay (default 1 s). */
  minMs: number;
  /** Maximum delay (default 60 s). */
  maxMs: number;
  /** Maximum after a rejection (401, 403): keep trying, since the secret may be corrected, but slowly. */
  rejectedMs: number;
  /**
   * Maximum after the server requested to reconnect (close code 1012, 1013): a restart takes seconds, and a fleet must not reconnect
   * at once.
   */
  serverRestartMs: number;
};

export const DEFAULT_BACKOFF: BackoffOptions = { minMs: 1_000, maxMs: 60_000, rejectedMs: 300_000, serverRestartMs: 15_000 };

/** Why the last connection or attempt ended. */
export type EndReason = { kind: 'lost' } | { kind: 'rejected' } | { kind: 'server-restart'; afterMs?: number };

/**
 * Exponential backoff with full jitter: uniform between the minimum and a ceiling that doubles with each failure.
 * @param failures consecutive failures, 0 after a working connection
 * @param random a number in [0, 1)
 */
export function reconnectDelay(options: BackoffOptions, reason: EndReason, failures: number, random: number): number {
  const spread = (floor: number, ceiling: number) => Math.round(floor + random * Math.max(0, ceiling - floor));
  switch (reason.kind) {
    case 'rejected':
      return spread(Math.max(options.minMs, options.rejectedMs / 2), options.rejectedMs);
    case 'server-restart':
      return (reason.afterMs ?? 0) + spread(options.minMs, Math.max(options.minMs, options.serverRestartMs));
    case 'lost':
      return spread(options.minMs, Math.min(options.maxMs, options.minMs * 2 ** Math.min(failures + 1, 30)));
  }
}
