import { sql } from 'kysely';
import type { Queries } from '../ports/database.ts';
import type { Log } from '../ports/log.ts';
import { StartupError } from '../settings/settings-file.ts';

/** Clocks that differ by more are wrong: days and hours by which data is deleted are no longer those that people see. */
const MOST_MS = 60_000;

/** The clock of this machine against that of PostgreSQL. */
export interface ClockComparison {
  /** Compare them now, and log when they begin or cease to differ. @returns whether they agree to a minute */
  agree(): Promise<boolean>;
  /** @throws StartupError when they differ by more than a minute */
  assertAgree(): Promise<void>;
  /** By how much the clock of this machine was ahead at the last comparison, milliseconds; negative = behind. */
  aheadMs(): number;
}

/** @param systemNow milliseconds since 1970 by the clock of this machine, which is not the one that tests move */
export function createClockComparison(queries: Queries, log: Log, systemNow: () => number): ClockComparison {
  let aheadMs = 0;
  let isWrong = false;

  const compare = async () => {
    const sentAt = systemNow();
    const { rows } = await sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(
      queries,
    );
    const receivedAt = systemNow();
    const { ms } = rows[0]!;
    // Somewhere between the two it was read: a slow response is no difference.
    aheadMs = Math.max(sentAt - ms, 0) + Math.min(receivedAt - ms, 0);
    return {
      own: new Date(receivedAt).toISOString(),
      database: new Date(ms).toISOString(),
      differ: Math.abs(aheadMs) > MOST_MS,
    };
  };

  return {
    async agree() {
      const { own, database, differ } = await compare();
      const fields = { own, database };
      if (differ && !isWrong)
        log.error(
          fields,
          'The clocks of this machine and of PostgreSQL are more than a minute apart. Correct the wrong one; until then this process deletes nothing that is old.',
        );
      if (!differ && isWrong) log.info(fields, 'The clocks of this machine and of PostgreSQL agree again.');
      isWrong = differ;
      return !differ;
    },
    async assertAgree() {
      const { own, database, differ } = await compare();
      if (differ)
        throw new StartupError(
          `The clock of this machine shows ${own}, and that of PostgreSQL ${database}. They may be a minute apart: data is deleted by its age. Correct the wrong one, then start again.`,
        );
    },
    aheadMs: () => aheadMs,
  };
}
