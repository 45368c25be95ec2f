import { expect, it } from 'vitest';
import type { RouterChange } from './presence.changes.ts';
import { admitChange } from './presence.ownership.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20) + seconds * 1_000);
const routerId = 'router';

function online(epoch: number, isRestated = false): RouterChange {
  const state = { presence: 'online', since: at(10), reason: 'connected', contact: null, epoch } as const;
  return { routerId, state, events: [{ routerId, at: at(20), kind: 'online', reason: 'connected', isRestated }], waiters: [] };
}
function offline(epoch: number): RouterChange {
  const state = { presence: 'offline', since: at(10), reason: 'no-answer', contact: null, epoch } as const;
  return { routerId, state, events: [{ routerId, at: at(10), kind: 'offline', reason: 'no-answer' }], waiters: [] };
}
/** What is written: the state, the lines, and whether the socket must close. */
function written(stored: Parameters<typeof admitChange>[0], change: RouterChange) {
  const { admitted, isReplaced } = admitChange(stored, change);
  return [admitted.state?.presence, admitted.events.map(({ kind }) => kind), isReplaced];
}

it('NOD-01-partial a newer socket counts whatever is stored, and the end of the newest one too', () => {
  for (const presence of ['online', 'unknown', 'offline'] as const) {
    expect(written({ presence, epoch: 4 }, online(5))).toEqual(['online', ['online'], false]);
    expect(written({ presence, epoch: 4 }, offline(5))).toEqual(['offline', ['offline'], false]);
  }
  expect(written({ presence: 'online', epoch: 5 }, offline(5))).toEqual(['offline', ['offline'], false]);
  expect(written({ presence: 'unknown', epoch: 5 }, offline(5))).toEqual(['offline', ['offline'], false]);
});

it('NOD-01-partial an older socket changes nothing and must close; its end is no outage', () => {
  expect(written({ presence: 'online', epoch: 6 }, online(5))).toEqual([undefined, [], true]);
  expect(written({ presence: 'online', epoch: 6 }, offline(5))).toEqual([undefined, [], false]);
  const boot = { routerId, at: at(1), kind: 'boot', reason: 'LocalReboot' } as const;
  const { events, ...change } = online(5);
  expect(admitChange({ presence: 'online', epoch: 6 }, { ...change, events: [...events, boot] }).admitted.events).toEqual([boot]);
});

it('an end that others have written already has one line', () => {
  expect(written({ presence: 'offline', epoch: 5 }, offline(5))).toEqual([undefined, [], false]);
});

it('NOD-02-partial a connection that is stated again has a line only if it was declared offline, and is online since that line', () => {
  expect(written({ presence: 'unknown', epoch: 5 }, online(5, true))).toEqual(['online', [], false]);
  expect(written({ presence: 'online', epoch: 5 }, online(5, true))).toEqual(['online', [], false]);
  expect(admitChange({ presence: 'unknown', epoch: 5 }, online(5, true)).admitted.state?.since).toEqual(at(10));
  expect(written({ presence: 'offline', epoch: 5 }, online(5, true))).toEqual(['online', ['online'], false]);
  expect(admitChange({ presence: 'offline', epoch: 5 }, online(5, true)).admitted.state?.since).toEqual(at(20));
});

it('a change without a state is written as it is', () => {
  const change: RouterChange = { routerId, reported: { firmware: '2' }, events: [], waiters: [] };
  expect(admitChange({ presence: 'online', epoch: 9 }, change)).toEqual({ admitted: change, isReplaced: false });
});
