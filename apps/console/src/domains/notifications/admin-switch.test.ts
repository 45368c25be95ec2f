import { notifications } from '@highline/contract';
import { describe, expect, test } from 'vitest';
import { eventsOf, switchedOff, switchFault, switchOf } from './admin-switch.ts';

const { expiryEvents } = notifications;
const stateOf = (types: notifications.NotificationEvent[]) =>
  switchOf({ mail: 'a@b.example', recipient: '', gids: ['all'], types, role: 'admin', version: '1' });

describe("the switch of an admin's account", () => {
  test('USR-05-partial is off without a notification, and has all three periods when turned on', () => {
    expect(switchOf(null)).toEqual(switchedOff);
    expect(eventsOf(switchedOff, ['BATTERY_LOW'])).toEqual([]);
    expect(eventsOf({ ...switchedOff, on: true }, [])).toEqual([...expiryEvents]);
  });

  test('USR-05-partial shows the selected periods, and keeps the other events while it is on', () => {
    const state = stateOf(['MONTH_NOTIFY_SUBSCRIPTION', 'BATTERY_LOW']);
    expect(state).toEqual({ on: true, expiry: true, periods: ['MONTH_NOTIFY_SUBSCRIPTION'] });
    expect(eventsOf(state, ['BATTERY_LOW'])).toEqual(['MONTH_NOTIFY_SUBSCRIPTION', 'BATTERY_LOW']);
    expect(eventsOf({ ...state, expiry: false }, ['BATTERY_LOW'])).toEqual(['BATTERY_LOW']);
    expect(stateOf(['BATTERY_LOW'])).toEqual({ on: true, expiry: false, periods: expiryEvents });
  });

  test('USR-05-partial cannot be saved while it is on without any event', () => {
    const on = { ...switchedOff, on: true };
    expect(switchFault(switchedOff, [])).toBeUndefined();
    expect(switchFault(on, [])).toBeUndefined();
    expect(switchFault({ ...on, periods: [] }, ['BATTERY_LOW'])).toBe('periodFirst');
    expect(switchFault({ ...on, expiry: false }, [])).toBe('nothing');
    expect(switchFault({ ...on, expiry: false }, ['BATTERY_LOW'])).toBeUndefined();
  });
});
