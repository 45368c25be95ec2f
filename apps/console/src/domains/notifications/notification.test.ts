import { notifications } from '@highline/contract';
import { describe, expect, test } from 'vitest';
import { happeningKinds, happeningsOf, isSameWanted, newRecipient, periodsOf, wantedOf, withEvent } from './notification.ts';

describe('what somebody is to be told', () => {
  test('every event but the expiring periods stands in exactly one kind', () => {
    expect(Object.values(happeningKinds).flat().toSorted()).toEqual([...notifications.happenings].toSorted());
  });

  test('SVC-02-partial a new recipient is told of all three periods, of nothing else, and of all groups', () => {
    expect(periodsOf(newRecipient.events)).toEqual(notifications.expiryEvents);
    expect(happeningsOf(newRecipient.events)).toEqual([]);
    expect(newRecipient.groups).toEqual([]);
  });

  test('two forms are the same in whatever order things were ticked, and differ in any part', () => {
    const wanted = wantedOf({
      mail: 'a@b.example',
      recipient: 'Kim',
      gids: ['north', 'south'],
      types: ['BATTERY_LOW', 'DEVICE_ADDED'],
      role: null,
      version: '1',
    });
    const again = withEvent(withEvent(wanted.events, 'BATTERY_LOW', false), 'BATTERY_LOW', true);
    expect(isSameWanted(wanted, { ...wanted, groups: ['south', 'north'], events: again })).toBe(true);
    expect(isSameWanted(wanted, { ...wanted, groups: ['south'] })).toBe(false);
    expect(isSameWanted(wanted, { ...wanted, recipient: 'Lee' })).toBe(false);
    expect(isSameWanted(wanted, { ...wanted, events: ['BATTERY_LOW'] })).toBe(false);
    expect(wantedOf({ mail: 'a@b.example', recipient: '', gids: ['all'], types: [], role: null, version: '1' }).groups).toEqual(
      [],
    );
  });
});
