import { notifications } from '@highline/contract';
import { describe, expect, test } from 'vitest';
import {
  happeningKinds,
  happeningsOf,
  isSameRecipient,
  newRecipient,
  periodsOf,
  recipientInputOf,
  withEvent,
} from './notification.ts';

describe('the notifications of a recipient', () => {
  test('every event except the expiring periods belongs to exactly one topic', () => {
    expect(Object.values(happeningKinds).flat().toSorted()).toEqual([...notifications.happenings].toSorted());
  });

  test('SVC-02-partial a new recipient gets all three periods, no other events, and all groups', () => {
    expect(periodsOf(newRecipient.events)).toEqual(notifications.expiryEvents);
    expect(happeningsOf(newRecipient.events)).toEqual([]);
    expect(newRecipient.groups).toEqual([]);
  });

  test('two forms are the same in whatever order things were ticked, and differ in any part', () => {
    const input = recipientInputOf({
      mail: 'a@b.example',
      recipient: 'Kim',
      gids: ['north', 'south'],
      types: ['BATTERY_LOW', 'DEVICE_ADDED'],
      role: null,
      version: '1',
    });
    const again = withEvent(withEvent(input.events, 'BATTERY_LOW', false), 'BATTERY_LOW', true);
    expect(isSameRecipient(input, { ...input, groups: ['south', 'north'], events: again })).toBe(true);
    expect(isSameRecipient(input, { ...input, groups: ['south'] })).toBe(false);
    expect(isSameRecipient(input, { ...input, recipient: 'Lee' })).toBe(false);
    expect(isSameRecipient(input, { ...input, events: ['BATTERY_LOW'] })).toBe(false);
    expect(
      recipientInputOf({ mail: 'a@b.example', recipient: '', gids: ['all'], types: [], role: null, version: '1' }).groups,
    ).toEqual([]);
  });
});
