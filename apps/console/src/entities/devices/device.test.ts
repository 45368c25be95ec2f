import { expect, test } from 'vitest';
import { propertyOf, signalBars, subscriptionOf, subscriptionIcons, uptimeOf } from './device.ts';
import type { Device } from './devices.api.ts';

const device = (properties: Device['properties']) => ({ properties }) as Device;

test("DEV-02-partial the provider's states become the product's", () => {
  expect(subscriptionOf('In Warranty')).toBe('subscribed');
  expect(subscriptionOf('Expiring')).toBe('expiring');
  expect(subscriptionOf('Not subscribed')).toBe('not-subscribed');
  expect(subscriptionOf('a word of tomorrow')).toBe('not-subscribed');
});

test('DEV-02-partial Subscribed has the online icon, the others have the expired icon', () => {
  expect(subscriptionIcons).toEqual({ subscribed: 'online', expiring: 'expired', 'not-subscribed': 'expired' });
});

test('DEV-09-partial a value the router never reported reads --', () => {
  expect(propertyOf(device([]), 'model')).toBe('--');
  expect(propertyOf(device([{ id: 'model', value: '' }]), 'model')).toBe('--');
  expect(propertyOf(device([{ id: 'model', value: 'HL-R320' }]), 'model')).toBe('HL-R320');
  expect(uptimeOf(device([]))).toBeUndefined();
  expect(uptimeOf(device([{ id: 'uptime', value: 'soon' }]))).toBeUndefined();
  expect(uptimeOf(device([{ id: 'uptime', value: '61' }]))).toBe(61);
});

test.each([
  [-50, 4],
  [-65, 4],
  [-66, 3],
  [-76, 2],
  [-95, 2],
  [-96, 1],
] as const)('a signal of %d dBm has %d bars', (dbm, bars) => {
  expect(signalBars(dbm)).toBe(bars);
});
