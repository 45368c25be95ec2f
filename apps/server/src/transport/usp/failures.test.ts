import { expect, test } from 'vitest';
import { toFailure } from './failures.ts';

test.each([
  [7026, 'no such command', 'unsupported'],
  [7008, '', 'unsupported'],
  [7016, '', 'unsupported'],
  [7005, 'too many requests', 'busy'],
  [7006, 'permission denied', 'rejected'],
  [7012, 'Host: not a name', 'rejected'],
  [7022, 'no flash', 'failed'],
  [7022, 'the agent was\nrestarted', 'interrupted'],
  [7023, 'canceled by a re-boot', 'interrupted'],
  [7023, 'canceled', 'failed'],
  [7899, 'of a vendor', 'rejected'],
  [0, '', 'rejected'],
])('LIV-12 the USP error %i "%s" is %s, and keeps its number and message', (code, message, cause) => {
  expect(toFailure(code, message)).toEqual({ cause, code, message });
});
