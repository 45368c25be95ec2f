import type { Log } from '../ports/log.ts';

/** Says which calls and statements took long. Nothing that a caller sent is in its lines. */
export interface SlowLog {
  /** @param operation id of the call */
  call(operation: string, milliseconds: number): void;
  /** @param sql with placeholders */
  statement(sql: string, milliseconds: number, operation: string | undefined): void;
}

/** Lines of each kind in a minute, so that a slow database does not fill the log. */
const MOST_LINES = 30;
const MINUTE_MS = 60_000;
/** Enough to find a statement in the code. */
const SQL_CHARACTERS = 300;

/** @param slowMs what takes longer is logged; 0 = nothing */
export function createSlowLog(log: Log, slowMs: number, monotonic: () => number = () => performance.now()): SlowLog {
  const isSlow = (milliseconds: number) => slowMs > 0 && milliseconds >= slowMs;
  const [calls, statements] = [createBudget(monotonic), createBudget(monotonic)];
  return {
    call(operation, milliseconds) {
      if (!isSlow(milliseconds)) return;
      const omitted = calls.spend();
      if (omitted !== undefined) log.warn({ operation, ms: Math.round(milliseconds), ...omitted }, 'A call took long.');
    },
    statement(sql, milliseconds, operation) {
      if (!isSlow(milliseconds)) return;
      const omitted = statements.spend();
      if (omitted === undefined) return;
      log.warn({ statement: shapeOf(sql), operation, ms: Math.round(milliseconds), ...omitted }, 'A statement took long.');
    },
  };
}

/** The lines of a minute. */
function createBudget(monotonic: () => number) {
  let since = Number.NEGATIVE_INFINITY;
  let used = 0;
  let omitted = 0;
  return {
    /** @returns undefined = no line; else how many were left out since the last one, if any */
    spend(): { readonly omitted?: number } | undefined {
      const now = monotonic();
      if (now - since >= MINUTE_MS) [since, used] = [now, 0];
      if (used >= MOST_LINES) {
        omitted += 1;
        return undefined;
      }
      used += 1;
      const before = omitted;
      omitted = 0;
      return before === 0 ? {} : { omitted: before };
    },
  };
}

/** A statement without its literals. */
function shapeOf(sql: string): string {
  return sql
    .slice(0, 4_000)
    .replaceAll(/'[^']*'/gu, "'…'")
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .slice(0, SQL_CHARACTERS);
}
