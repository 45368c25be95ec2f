import { fahrenheitOf, formatNumber, isNumeric } from '@highline/contract';
import { type Language, useLanguage } from './language.ts';
import { readOwn, useOwnChanges, writeOwn } from './preferences.ts';

// The units of everything on the screen (SAY-11): no other file converts, and the API is metric.

export const speedUnits = ['km/h', 'mph'] as const;
export type SpeedUnit = (typeof speedUnits)[number];
export const temperatureUnits = ['°C', '°F'] as const;
export type TemperatureUnit = (typeof temperatureUnits)[number];

/** Countries whose roads have speeds in miles per hour. */
const MILES = new Set(['US', 'GB', 'LR', 'PR', 'VI', 'GU', 'AS', 'MP']);
/** Countries whose weather is in degrees Fahrenheit. */
const FAHRENHEIT = new Set(['US', 'LR', 'PR', 'VI', 'GU', 'AS', 'MP', 'BS', 'BZ', 'KY', 'FM', 'MH', 'PW']);
const KM_OF_MILE = 1.609344;
const FEET_OF_METRE = 3.280_84;
const NAMES = { speed: 'speed-unit', temperature: 'temperature-unit' } as const;

/** The country of a language; none is named in Chinese, which is of Taiwan here. @param tag BCP 47, e.g. 'en-US' */
function countryOf(language: Language, tag: string): string | undefined {
  if (language === 'zh-TW') return 'TW';
  return /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})\b/iu.exec(tag)?.[1]?.toUpperCase();
}

/** The unit without a choice: that of the country of the browser's language. @param tag BCP 47, e.g. 'en-US' */
export function usualSpeedUnit(language: Language, tag: string): SpeedUnit {
  return MILES.has(countryOf(language, tag) ?? '') ? 'mph' : 'km/h';
}

/** As `usualSpeedUnit`, of temperatures. */
export function usualTemperatureUnit(language: Language, tag: string): TemperatureUnit {
  return FAHRENHEIT.has(countryOf(language, tag) ?? '') ? '°F' : '°C';
}

/** A speed in a unit, in whole numbers. @param kmh km/h, as everything else has it */
export function speedIn(unit: SpeedUnit, kmh: number): number {
  return Math.round(unit === 'mph' ? kmh / KM_OF_MILE : kmh);
}

/** A temperature in a unit, to a tenth. @param celsius °C, as everything else has it */
export function temperatureIn(unit: TemperatureUnit, celsius: number): number {
  return unit === '°F' ? Math.round(fahrenheitOf(celsius) * 10) / 10 : celsius;
}

/**
 * The °C of a temperature that was typed in a unit.
 * @param digits decimals: with two, a tenth of °F comes back as the same; with one, a reading of a tenth of °C as it is shown does
 */
export function celsiusOf(unit: TemperatureUnit, value: number, digits: 1 | 2): number {
  return unit === '°F' ? Number(((value - 32) / 1.8).toFixed(digits)) : value;
}

/** Use this unit for speeds, and for lengths, from now on. */
export function chooseSpeedUnit(unit: SpeedUnit): void {
  writeOwn(NAMES.speed, unit);
}

/** Use this unit for temperatures from now on. */
export function chooseTemperatureUnit(unit: TemperatureUnit): void {
  writeOwn(NAMES.temperature, unit);
}

/** The unit of all speeds on the screen: what the person chose in this browser, else the usual one. */
export function useSpeedUnit(): SpeedUnit {
  useOwnChanges();
  const language = useLanguage();
  const stored = readOwn(NAMES.speed);
  return speedUnits.find((unit) => unit === stored) ?? usualSpeedUnit(language, navigator.language);
}

/** The unit of all temperatures on the screen. */
export function useTemperatureUnit(): TemperatureUnit {
  useOwnChanges();
  const language = useLanguage();
  const stored = readOwn(NAMES.temperature);
  return temperatureUnits.find((unit) => unit === stored) ?? usualTemperatureUnit(language, navigator.language);
}

/** A value of a reading with its unit, in the person's units: only temperatures have two. */
export interface Measured {
  readonly value: number;
  readonly unit: string;
}

export function measuredIn(temperatures: TemperatureUnit, value: number, unit: string): Measured {
  return unit === '°C' ? { value: temperatureIn(temperatures, value), unit: temperatures } : { value, unit };
}

const BYTES_OF_MEGABYTE = 1_000_000;

/** The unit of a chart and of the value that is typed for it: bytes in MB, temperatures in the person's. */
export function chartUnit(temperatures: TemperatureUnit, unit: string): string {
  return unit === 'B' ? 'MB' : measuredIn(temperatures, 0, unit).unit;
}

/** A stored value in the unit of its chart. Text that is no number stays. @param unit as it is stored */
export function chartText(temperatures: TemperatureUnit, stored: string, unit: string): string {
  if (!isNumeric(stored) || chartUnit(temperatures, unit) === unit) return stored;
  const value = Number(stored);
  return String(unit === 'B' ? value / BYTES_OF_MEGABYTE : temperatureIn(temperatures, value));
}

/** The stored value of one that was typed in the unit of its chart. @param unit as it is stored @param digits as in `celsiusOf` */
export function storedText(temperatures: TemperatureUnit, typed: string, unit: string, digits: 1 | 2): string {
  if (!isNumeric(typed) || chartUnit(temperatures, unit) === unit) return typed;
  const value = Number(typed);
  return String(unit === 'B' ? Math.round(value * BYTES_OF_MEGABYTE) : celsiusOf(temperatures, value, digits));
}

/** A speed as text, for example '31 mph'. */
export function useSpeedText(): (kmh: number) => string {
  const unit = useSpeedUnit();
  return (kmh) => `${formatNumber(speedIn(unit, kmh))}\u00A0${unit}`;
}

/** A distance in the person's units, rounded as one says it. @param metres metres */
export function useDistanceText(): (metres: number) => string {
  const isMiles = useSpeedUnit() === 'mph';
  return (metres) => {
    const large = metres / 1_000 / (isMiles ? KM_OF_MILE : 1);
    const unit = isMiles ? 'mi' : 'km';
    if (large >= 10) return `${formatNumber(Math.round(large))}\u00A0${unit}`;
    if (large >= 0.3) return `${formatNumber(Math.round(large * 10) / 10)}\u00A0${unit}`;
    const exact = isMiles ? metres * FEET_OF_METRE : metres;
    const step = exact < 100 ? 1 : isMiles ? 50 : 10;
    const small = Math.round(exact / step) * step;
    return `${formatNumber(small)}\u00A0${isMiles ? 'ft' : 'm'}`;
  };
}
