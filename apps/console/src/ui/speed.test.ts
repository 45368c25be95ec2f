import { expect, test } from 'vitest';
import { speedIn, usualSpeedUnit } from './speed.ts';

test.each([
  ['en-US', 'en-US', 'mph'],
  ['en-US', 'en-GB', 'mph'],
  ['en-US', 'en', 'km/h'],
  ['en-US', 'en-CA', 'km/h'],
  ['en-US', 'zh-Hant-TW', 'km/h'],
  ['zh-TW', 'en-US', 'km/h'],
] as const)('speeds in %s with a browser in %s are in %s until the person chooses', (language, tag, unit) => {
  expect(usualSpeedUnit(language, tag)).toBe(unit);
});

test('a speed is converted to whole numbers', () => {
  expect([speedIn('mph', 50), speedIn('mph', 100), speedIn('km/h', 49.6)]).toEqual([31, 62, 50]);
});
