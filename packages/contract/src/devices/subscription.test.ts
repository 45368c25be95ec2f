import { describe, expect, test } from 'vitest';
import { daysUntilEnd, EXPIRING_DAYS, subscriptionState, subscriptionLabels } from './subscription.ts';

const at = (text: string) => new Date(text);

describe('DEV-02-partial a subscription', () => {
  test.each([
    ['not begun yet', '2026-03-01', '2027-02-28', '2026-02-28T23:59:59.999Z', 'not-subscribed'],
    ['begun this instant', '2026-03-01', '2027-02-28', '2026-03-01T00:00:00Z', 'subscribed'],
    ['just more than the days of warning left', '2026-03-01', '2026-12-31', '2026-12-01T23:59:59.999Z', 'subscribed'],
    ['exactly the days of warning left', '2026-03-01', '2026-12-31', '2026-12-02T00:00:00Z', 'expiring'],
    ['in the last instant of its last day', '2026-03-01', '2026-12-31', '2026-12-31T23:59:59.999Z', 'expiring'],
    ['over', '2026-03-01', '2026-12-31', '2027-01-01T00:00:00Z', 'not-subscribed'],
    ['of one day', '2026-03-01', '2026-03-01', '2026-03-01T12:00:00Z', 'expiring'],
    ['ending on a leap day', '2026-03-01', '2028-02-29', '2028-02-29T23:00:00Z', 'expiring'],
    ['that ends before it begins', '2026-03-02', '2026-03-01', '2026-03-01T12:00:00Z', 'not-subscribed'],
  ] as const)('%s', (_, started, expires, now, state) => {
    expect(subscriptionState(started, expires, at(now))).toBe(state);
  });

  test('without both of its dates does not exist', () => {
    for (const [started, expires] of [
      [null, null],
      ['2026-01-01', null],
      [null, '2027-01-01'],
    ] as const)
      expect(subscriptionState(started, expires, at('2026-06-01T00:00:00Z'))).toBe('not-subscribed');
  });

  test('warns as many days ahead as a deployment sets', () => {
    const state = (days?: number) => subscriptionState('2026-01-01', '2026-12-31', at('2026-12-20T00:00:00Z'), days);
    expect([EXPIRING_DAYS, state(), state(12), state(11), state(0)]).toEqual([
      30,
      'expiring',
      'expiring',
      'subscribed',
      'subscribed',
    ]);
  });

  test('has as many days left as there are days until its last one', () => {
    const left = (now: string) => daysUntilEnd('2028-02-29', at(now));
    expect([left('2028-02-20T00:00:00Z'), left('2028-02-20T23:59:59.999Z')]).toEqual([9, 9]);
    expect([left('2028-02-29T00:00:00Z'), left('2028-02-29T23:59:59.999Z'), left('2028-03-01T00:00:00Z')]).toEqual([0, 0, -1]);
  });

  test('has its three names in the API', () => {
    expect(subscriptionLabels).toEqual({ subscribed: 'In Warranty', expiring: 'Expiring', 'not-subscribed': 'Not subscribed' });
  });
});
