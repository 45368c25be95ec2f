import type { TFunction } from 'i18next';

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
