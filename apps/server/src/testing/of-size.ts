import { test } from 'vitest';

/**
 * `test` for what takes tens of thousands of rows. Such a test shows that a limit holds and that memory does not grow, which is the same
 * on every PostgreSQL: it belongs to the run on the embedded one alone.
 */
export const testOfSize: typeof test =
  process.env['HIGHLINE_TEST_DATABASE_URL'] === undefined ? test : (Object.assign(() => {}, test) as typeof test);
