import { expect, test } from 'vitest';
import { decideActions, type WaitingAction } from './alert-action.ts';

const now = new Date('2026-11-20T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const limits = { cooldownMinutes: 30, atOnce: 5, perDay: 20 };
const none = { today: 0, open: 0 };
const one = (more: Partial<WaitingAction> = {}): WaitingAction => ({
  id: 'a',
  alert_state: 'firing',
  created_at: now,
  is_unreachable: false,
  is_pending: false,
  last_at: null,
  times: 0,
  ...more,
});
const outcomeOf = (more: Partial<WaitingAction>, counts = none) => {
  const [decided] = decideActions([one(more)], limits, counts, now);
  return 'reason' in decided! ? `${decided.state}: ${decided.reason}` : decided!.state;
};

test('WIN-03-partial a rule acts once on each vehicle within its cool-down, and not when the alert is over or acknowledged', () => {
  expect(outcomeOf({})).toBe('started');
  expect(outcomeOf({ alert_state: 'resolved' })).toBe('skipped: resolved');
  expect(outcomeOf({ alert_state: 'acknowledged' })).toBe('skipped: acknowledged');
  expect(outcomeOf({ last_at: minutesAgo(29), times: 1 })).toBe('skipped: cool-down');
  expect(outcomeOf({ last_at: minutesAgo(31), times: 1 })).toBe('started');
  expect(outcomeOf({ last_at: minutesAgo(31), times: 1, is_pending: true })).toBe('skipped: already-waiting');
  expect(outcomeOf({ is_unreachable: true })).toBe('skipped: offline');
});

test('WIN-03-partial an action that raises its own alert ends after three times within a day', () => {
  expect(outcomeOf({ last_at: minutesAgo(60), times: 2 })).toBe('started');
  expect(outcomeOf({ last_at: minutesAgo(60), times: 3 })).toBe('skipped: repeats');
});

test('WIN-03-partial of many vehicles at once only as many as the limits allow are acted on; the others wait for up to an hour', () => {
  const storm = Array.from({ length: 8 }, (_, index) => one({ id: `${index}`, created_at: minutesAgo(index < 6 ? 1 : 61) }));
  const states = decideActions(storm, limits, { today: 0, open: 1 }, now).map(({ state }) => state);
  expect(states).toEqual(['started', 'started', 'started', 'started', 'waiting', 'waiting', 'skipped', 'skipped']);
  const atDayEnd = decideActions(storm, limits, { today: 18, open: 0 }, now).map(({ state }) => state);
  expect(atDayEnd.filter((state) => state === 'started')).toHaveLength(2);
  expect(outcomeOf({}, { today: 20, open: 0 })).toBe('skipped: day-limit');
});
