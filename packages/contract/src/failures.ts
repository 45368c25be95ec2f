import { failuresOfPeople } from './errors.ts';
import { failuresOfPrograms } from './program-failures.ts';

/**
 * Every error of the product, by key, with its HTTP status. Complete by type: a service throws a key of this table and nothing
 * else. The messages are shown if the console has no text of its own.
 */
export const failures: typeof failuresOfPeople & typeof failuresOfPrograms = /* @__PURE__ */ Object.assign(
  {},
  failuresOfPeople,
  failuresOfPrograms,
);

export type FailureKey = keyof typeof failures;
