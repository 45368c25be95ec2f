import { fahrenheitOf, formatNumber, type Language } from '@highline/contract';
import { readings } from '../router-state/index.ts';

/** A value with the unit of its reading, in a message: that knows no preference for a unit, so in English a temperature has both, as distances do. */
export function measuredText(language: Language, value: number, reading: string | null): string {
  const unit = readings.find(({ key }) => key === reading)?.unit;
  if (unit === undefined) return formatNumber(value);
  const text = `${formatNumber(value)} ${unit}`;
  return unit === '°C' && language === 'en-US' ? `${formatNumber(Math.round(fahrenheitOf(value)))} °F (${text})` : text;
}
