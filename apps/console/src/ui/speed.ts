import { formatNumber } from '@highline/contract';
import { type Language, useLanguage } from './language.ts';
import { readOwn, useOwnChanges, writeOwn } from './preferences.ts';

export const speedUnits = ['km/h', 'mph'] as const;
export type SpeedUnit = (typeof speedUnits)[number];

/** Countries whose roads have speeds in miles per hour. */
const MILES = new Set(['US', 'GB', 'LR', 'PR', 'VI', 'GU', 'AS', 'MP']);
const KM_OF_MILE = 1.609344;
const NAME = 'speed-unit';

/** The unit without a choice: that of the country of the browser's language; in Chinese km/h. @param tag BCP 47, e.g. 'en-US' */
export function usualSpeedUnit(language: Language, tag: string): SpeedUnit {
  if (language === 'zh-TW') return 'km/h';
  const region = /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})\b/iu.exec(tag)?.[1]?.toUpperCase();
  return region !== undefined && MILES.has(region) ? 'mph' : 'km/h';
}

/** A speed in a unit, in whole numbers. @param kmh km/h, as everything else has it */
export function speedIn(unit: SpeedUnit, kmh: number): number {
  return Math.round(unit === 'mph' ? kmh / KM_OF_MILE : kmh);
}

/** Use this unit for speeds from now on. */
export function chooseSpeedUnit(unit: SpeedUnit): void {
  writeOwn(NAME, unit);
}

/** The unit of all speeds on the screen: what the person chose in this browser, else the usual one. */
export function useSpeedUnit(): SpeedUnit {
  useOwnChanges();
  const language = useLanguage();
  const stored = readOwn(NAME);
  return speedUnits.find((unit) => unit === stored) ?? usualSpeedUnit(language, navigator.language);
}

/** A speed as text, for example '31 mph'. */
export function useSpeedText(): (kmh: number) => string {
  const unit = useSpeedUnit();
  return (kmh) => `${formatNumber(speedIn(unit, kmh))}\u00A0${unit}`;
}
