import { describe, expect, test } from 'vitest';
import { zoneChoices } from './zones.ts';
import { epochOf, halfHours, nextEpoch, slotOf, slotsOf } from './slots.ts';

const seconds = (iso: string) => Date.parse(iso) / 1000;

describe('postponing', () => {
  test('GRP-07-partial slots are the half hours from 00:00 to 23:30', () => {
    expect(halfHours).toHaveLength(48);
    expect([halfHours[0], halfHours[1], halfHours.at(-1)]).toEqual(['00:00', '00:30', '23:30']);
  });

  test.each([
    ['America/New_York', '01/15/2027', '22:30', '2027-01-16T03:30:00Z'],
    ['America/New_York', '07/15/2027', '22:30', '2027-07-16T02:30:00Z'],
    ['Pacific/Pago_Pago', '01/01/2027', '00:00', '2027-01-01T11:00:00Z'],
    ['Pacific/Guam', '01/01/2027', '00:00', '2026-12-31T14:00:00Z'],
    ['Asia/Kathmandu', '01/01/2027', '00:30', '2026-12-31T18:45:00Z'],
    ['UTC', '02/29/2028', '12:00', '2028-02-29T12:00:00Z'],
  ])('GRP-07-partial in %s %s %s is %s', (zone, day, slot, iso) => {
    expect(epochOf({ day, slot }, zone)).toBe(seconds(iso));
    expect(slotOf(seconds(iso), zone)).toEqual({ day, slot });
  });

  test.each(zoneChoices.map(({ zone }) => zone))('GRP-07-partial in %s every slot there is leads back to itself', (zone) => {
    for (const day of ['03/14/2027', '11/07/2027', '06/01/2027'])
      for (const slot of slotsOf(day, zone)) expect(slotOf(epochOf({ day, slot }, zone)!, zone)).toEqual({ day, slot });
  });

  test('a slot that summer time leaves out is no instant, and is not offered', () => {
    expect(epochOf({ day: '03/14/2027', slot: '02:30' }, 'America/New_York')).toBeUndefined();
    expect(slotsOf('03/14/2027', 'America/New_York')).toHaveLength(46);
    expect(slotsOf('03/14/2027', 'Pacific/Honolulu')).toHaveLength(48);
    expect(nextEpoch({ day: '03/14/2027', slot: '02:30' }, 'America/New_York')).toBe(seconds('2027-03-14T07:00:00Z'));
  });

  test('a slot that occurs twice is the first of the two', () => {
    expect(epochOf({ day: '11/07/2027', slot: '01:30' }, 'America/New_York')).toBe(seconds('2027-11-07T05:30:00Z'));
  });

  test.each([
    ['02/30/2027', '00:00'],
    ['', '00:00'],
    ['01/01/2027', '24:00'],
    ['01/01/2027', ''],
  ])('%s %s is no instant', (day, slot) => {
    expect(epochOf({ day, slot }, 'UTC')).toBeUndefined();
  });
});
