import { isNumeric, type reports } from '@highline/contract';
import type { TFunction } from 'i18next';
import { reasonOf } from '../../entities/devices/device.ts';
import { numberOf } from '../../ui/number.ts';
import { formatNumber } from '../../ui/time/format.ts';
import type { CollectedRecord } from './reports.api.ts';

/** Properties with a translation; others keep the server's name. */
const named = [
  'rssi',
  'rsrp',
  'rsrq',
  'sinr',
  'temperature',
  'voltage',
  'bytes_sent',
  'bytes_received',
  'battery',
  'online',
  'event',
  'carrier',
  'technology',
  'firmware',
  'config',
  'iccid',
] as const;
type NamedProperty = (typeof named)[number];

function isNamed(id: string): id is NamedProperty {
  return (named as readonly string[]).includes(id);
}

/** The name of a property, translated if it is a built-in one. */
export function propertyName(id: string, reportedName: string, t: TFunction): string {
  return isNamed(id) ? t(`reports.properties.${id}`) : reportedName;
}

/** The text of a reason; undefined for one that has none. */
function reasonText(reason: string, t: TFunction): string | undefined {
  const known = reasonOf(reason);
  return known && t(`devices.reason.${known}`);
}

/** 'Offline: Connection lost' of `offline: connection-lost`; undefined for any other text. */
function eventText(value: string, t: TFunction): string | undefined {
  const [kind, reason = ''] = value.split(': ', 2);
  if (kind !== 'online' && kind !== 'offline') return undefined;
  const text = reasonText(reason, t);
  return text && t('reports.event', { kind: t(`devices.presence.${kind}`), reason: text });
}

/**
 * The value of a filter as records have it, which are compared as text: a number in its canonical form, also one that was copied from
 * the screen. Texts stay as they are.
 * @param type of the property; undefined = of all together, where only the minus sign of the screen says that it is a number
 */
export function comparedValue(type: reports.PropertyType | undefined, typed: string): string {
  const isNumber = type === undefined ? typed.trimStart().startsWith('−') : type === 'number';
  const number = isNumber ? (numberOf(typed) ?? (isNumeric(typed) ? Number(typed) : undefined)) : undefined;
  return number === undefined ? typed : String(number);
}

const MEGABYTE = 1_000_000;

/**
 * A reported value as a person reads it: with its unit, bytes in MB, Yes or No, the reason of a connection event as a text. Files and
 * calls have the value itself.
 * @param unit of the property; empty if it has none
 */
export function valueText(
  { field, field_value: value }: Pick<CollectedRecord, 'field' | 'field_value'>,
  unit: string,
  t: TFunction,
) {
  if (field === 'online' || typeof value === 'boolean') return t(String(value) === 'true' ? 'reports.yes' : 'reports.no');
  if (typeof value === 'string') return (field === 'event' ? eventText(value, t) : undefined) ?? value;
  if (unit === 'B' && Math.abs(value) >= MEGABYTE)
    return t('reports.withPlainUnit', { value: formatNumber(Math.round(value / (MEGABYTE / 10)) / 10), unit: 'MB' });
  return unit === '' ? formatNumber(value) : t('reports.withPlainUnit', { value: formatNumber(value), unit });
}
