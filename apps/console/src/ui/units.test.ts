import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { celsiusOf, measuredIn, speedIn, temperatureIn, usualSpeedUnit, usualTemperatureUnit } from './units.ts';

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

test.each([
  ['en-US', 'en-US', '°F'],
  ['en-US', 'en-GB', '°C'],
  ['zh-TW', 'en-US', '°C'],
] as const)(
  'SAY-11-partial temperatures in %s with a browser in %s are in %s until the person chooses',
  (language, tag, unit) => {
    expect(usualTemperatureUnit(language, tag)).toBe(unit);
  },
);

test('SAY-11-partial a temperature is converted to a tenth and back to the same; nothing else has two units', () => {
  expect([temperatureIn('°F', 70), temperatureIn('°F', -40), temperatureIn('°C', 70.04)]).toEqual([158, -40, 70.04]);
  const tenths = (from: number, to: number) =>
    Array.from({ length: (to - from) * 10 + 1 }, (_, index) => (from * 10 + index) / 10);
  const [typed, read] = [tenths(-40, 300), tenths(-40, 150)];
  expect(typed.map((one) => String(temperatureIn('°F', celsiusOf('°F', one, 2))))).toEqual(typed.map(String));
  expect(read.map((one) => String(celsiusOf('°F', temperatureIn('°F', one), 1)))).toEqual(read.map(String));
  expect(measuredIn('°F', 12.4, 'V')).toEqual({ value: 12.4, unit: 'V' });
});

test('SAY-11-partial no other file converts a unit, writes one of two, or has limits of a signal', () => {
  const source = path.join(import.meta.dirname, '..');
  const files = globSync('{api,app,domains,entities,routing,ui}/**/*.{ts,tsx}', { cwd: source }).filter(
    (file) => !/\.test\.|^ui\/units\.ts$|\.gallery\./u.test(file),
  );
  expect(files.length).toBeGreaterThan(300);
  const second =
    /(?:\d|\}) ?(?:km\/h|mph|°[CF])|1[._]?609|1_609|\* 1\.8|\/ 1\.8|\b(?:rssi|rsrp|rsrq|sinr|dbm|level)\b.{0,12}[<>]=? ?-\d{2}/iu;
  const found = files.flatMap((file) =>
    readFileSync(path.join(source, file), 'utf8')
      .split('\n')
      .filter((line) => second.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  // The bars of a signal: the only limit that no other screen has.
  expect(found.filter((line) => !line.includes('dbm >= -65 ? 4 : 3'))).toEqual([]);
});
