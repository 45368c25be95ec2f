import { fahrenheitOf, formatNumber, type Language } from '@highline/contract';
import type { Row } from '../../platform/ports/tables.ts';
import { readings } from '../router-state/index.ts';

/** What an alert measured. */
export type Measured = Row<'alerts', 'kind' | 'value' | 'reading'>;

type ValueText = (value: number) => string;

const shown = (value: number) => formatNumber(Math.round(value));
const counted = (value: number, one: string, many: string) => `${shown(value)} ${Math.round(value) === 1 ? one : many}`;

/** Of kinds whose value is not that of a reading. */
const texts: Readonly<Record<Language, Partial<Record<Measured['kind'], ValueText>>>> = {
  'en-US': {
    'subscription-ends': (days) =>
      days < 0 ? `ended ${counted(-days, 'day', 'days')} ago` : `${counted(days, 'day', 'days')} left`,
    'data-use': (megabytes) => `${shown(megabytes)} MB`,
    'connection-lost': (losses) => counted(losses, 'lost connection', 'lost connections'),
    test: (milliseconds) => `${shown(milliseconds)} ms`,
  },
  'zh-TW': {
    'subscription-ends': (days) => (days < 0 ? `已於 ${shown(-days)} 天前到期` : `剩餘 ${shown(days)} 天`),
    'data-use': (megabytes) => `${shown(megabytes)} MB`,
    'connection-lost': (losses) => `斷線 ${shown(losses)} 次`,
    test: (milliseconds) => `${shown(milliseconds)} 毫秒`,
  },
};

/**
 * What an alert measured, with its unit, in a message: that knows no preference for a unit, so in English a temperature has both, as distances
 * do. @returns '' without a value
 */
export function measuredText(language: Language, { kind, value, reading }: Measured): string {
  if (value === null) return '';
  const textOf = texts[language][kind];
  if (textOf !== undefined) return textOf(value);
  const unit = readings.find(({ key }) => key === reading)?.unit;
  if (unit === undefined) return formatNumber(value);
  const text = `${formatNumber(value)} ${unit}`;
  return unit === '°C' && language === 'en-US' ? `${formatNumber(Math.round(fahrenheitOf(value)))} °F (${text})` : text;
}
