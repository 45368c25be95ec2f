import { describe, expect, test } from 'vitest';
import { chosenZone, offsetHours, wallTime, zoneChoices } from './zones.ts';

const winter = new Date('2026-01-15T12:00:00Z');
const summer = new Date('2026-07-15T12:00:00Z');

describe('time zones', () => {
  test('NAV-06-partial the labels name the zones with their standard offsets', () => {
    expect(zoneChoices.map(({ label }) => label)).toEqual([
      'Eastern -5',
      'Central -6',
      'Mountain -7',
      'Pacific -8',
      'Alaska -9',
      'Hawaii-Aleutian -10',
      'Atlantic -4',
      'Samoa -11',
      'Chamorro +10',
    ]);
  });

  test.each(zoneChoices.map((choice) => [choice.label, choice] as const))(
    'NAV-06-partial in winter %s is at the offset of its label',
    (_label, { zone, offset }) => {
      expect(offsetHours(zone, winter)).toBe(Number(offset));
    },
  );

  test('NAV-06-partial summer time is right where it is kept, and only there', () => {
    expect(offsetHours('America/New_York', summer)).toBe(-4);
    expect(offsetHours('Pacific/Honolulu', summer)).toBe(-10);
    expect(offsetHours('America/Puerto_Rico', summer)).toBe(-4);
  });

  test('a zone off the whole hour keeps its fraction', () => {
    expect(offsetHours('Asia/Kolkata', winter)).toBe(5.5);
    expect(offsetHours('Asia/Kathmandu', winter)).toBe(5.75);
  });

  test('the wall clock changes day with the zone', () => {
    expect(wallTime(new Date('2026-11-21T02:03:04Z'), 'America/New_York')).toEqual({
      year: '2026',
      month: '11',
      day: '20',
      hour: '21',
      minute: '03',
      second: '04',
    });
  });

  test('midnight is 00, never 24', () => {
    expect(wallTime(new Date('2026-11-21T05:00:00Z'), 'America/New_York').hour).toBe('00');
  });

  test('NAV-06-partial a stored name that is not one of the nine zones selects nothing', () => {
    expect(chosenZone('America/Denver')).toBe('America/Denver');
    expect(chosenZone('Europe/Berlin')).toBeUndefined();
    expect(chosenZone('<script>')).toBeUndefined();
    expect(chosenZone(undefined)).toBeUndefined();
  });
});
