import { test } from 'vitest';

/**
 * `test` for tests with tens of thousands of rows. They show that a limit holds and that memory does not grow, which is the same
 * on every PostgreSQL: run them only on the embedded one.
 */
export const testOfSize: typeof test =
  process.env['HIGHLINE_TEST_DATABASE_URL'] === undefined ? test : (Object.assign(() => {}, test) as typeof test);
