/** After this long without a fault of its kind an outage is over. */
const QUIET_MS = 15_000;
/** Kinds that are kept at once. */
const MOST_KINDS = 100;

export interface OutagesDeps {
  /** Whether something outside could not be reached, which everything that needs it notices at each try. */
  readonly isOutage: (error: unknown) => boolean;
  /** Called when an outage is over that lines were left out of. */
  readonly ended: (fields: { readonly omitted: number; readonly seconds: number }) => void;
  /** Milliseconds that do not jump; for tests. */
  readonly monotonic?: () => number;
}

/** Decides which of the equal lines of an outage are written: the first. */
export function createOutages({ isOutage, ended, monotonic = () => performance.now() }: OutagesDeps) {
  const kinds = new Map<string, number>();
  let since = 0;
  let omitted = 0;
  let timer: NodeJS.Timeout | undefined;

  const look = () => {
    const now = monotonic();
    for (const [kind, at] of kinds) if (now - at >= QUIET_MS) kinds.delete(kind);
    if (kinds.size > 0) timer = setTimeout(look, QUIET_MS / 3).unref();
    else {
      timer = undefined;
      if (omitted > 0) ended({ omitted, seconds: Math.round((now - since - QUIET_MS) / 1_000) });
    }
  };

  return {
    /** @param fields of a line; @returns whether it says again what was said of this outage */
    isRepeated(fields: unknown): boolean {
      const error = fields instanceof Error ? fields : (fields as { err?: unknown } | null)?.err;
      if (error === undefined || !isOutage(error)) return false;
      const { message, code } = error as NodeJS.ErrnoException;
      const kind = message || String(code);
      const isRepeated = kinds.has(kind);
      const now = monotonic();
      if (timer === undefined) {
        [since, omitted] = [now, 0];
        timer = setTimeout(look, QUIET_MS / 3).unref();
      }
      if (isRepeated || kinds.size < MOST_KINDS) kinds.set(kind, now);
      if (isRepeated) omitted += 1;
      return isRepeated;
    },
  };
}
