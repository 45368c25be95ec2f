import { expect, test } from 'vitest';
import { createOwnChanges } from './own-changes.ts';

test('TPL-05 what was just sent to a router is no news from it, until it reports another value or a minute has passed', () => {
  let now = 0;
  const own = createOwnChanges({ clock: { now: () => new Date(now) } });
  const NTP = 'Device.Time.NTPServer1';
  const set = {
    type: 'set',
    path: 'Time.NTPServer1',
    object: 'Device.Time.',
    parameter: 'NTPServer1',
    value: 'a',
    isSecret: false,
  } as const;
  const reports = (value: string, path = NTP, router = 'r') => own.isOwn(router, { path, value });
  own.note('r', [set, { ...set, parameter: 'Password', isSecret: true }]);
  expect([reports('a'), reports('a'), reports('a', NTP, 'other')]).toEqual([true, true, false]);
  expect([reports('b'), reports('a')]).toEqual([false, false]);
  own.note('r', [set]);
  now = 59_999;
  expect(reports('a')).toBe(true);
  now = 60_000;
  expect(reports('a')).toBe(false);
  own.note('r', [{ ...set, parameter: 'Password', isSecret: true }]);
  expect(reports('a', 'Device.Time.Password')).toBe(false);
});
