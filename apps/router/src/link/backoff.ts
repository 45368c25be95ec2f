/** How long to wait before the next try to connect. All in milliseconds. */
export type BackoffOptions = {
  /** No wait is shorter than this (default 1 s). */
  minMs: number;
  /** No wait is drawn from beyond this (default 60 s). */
  maxMs: number;
  /** Upper end after the server said who we are not (401, 403): keep trying, since a secret may be put right, but slowly. */
  rejectedMs: number;
  /** Upper end after the server asked to come back (close code 1012, 1013): a restart takes seconds, a fleet must not come at once. */
  serverRestartMs: number;
};

export const DEFAULT_BACKOFF: BackoffOptions = { minMs: 1_000, maxMs: 60_000, rejectedMs: 300_000, serverRestartMs: 15_000 };

/** Why the last connection, or the try to make one, ended. */
export type EndReason = { kind: 'lost' } | { kind: 'rejected' } | { kind: 'server-restart'; afterMs?: number };

/**
 * Exponential backoff with full jitter: uniform between the minimum and a ceiling that doubles with each failed try.
 * @param failures tries that failed in a row, 0 after a connection that worked
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
