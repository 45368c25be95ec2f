import { expect, test } from 'vitest';
import { reasonOf } from './undelivered-reason.ts';

test.each([
  ["Can't send mail - all recipients were rejected: 550 no such mailbox here", 'noMailbox'],
  ['550 5.1.1 The email account that you tried to reach does not exist', 'noMailbox'],
  ['552 the mailbox is full', 'full'],
  ['452 4.2.2 The recipient is over quota', 'full'],
  ['550 5.7.1 Message rejected as spam', 'rejected'],
  ['554 Transaction failed', 'rejected'],
  ['535 Authentication failed', 'signIn'],
  ['421 Too many connections', 'busy'],
  ['connect ECONNREFUSED 127.0.0.1:25', 'unreachable'],
  ['Greeting never received', 'unreachable'],
  ['', 'other'],
] as const)('the answer %j reads as %s', (response, reason) => {
  expect(reasonOf(response)).toBe(reason);
});
