import type { TFunction } from 'i18next';

/** Properties that have words of their own in each language; others keep the name that the server gives them. */
const named = [
  'rssi',
  'rsrp',
  'rsrq',
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

/** What a property is called: in the person's language where it is one of ours. */
export function propertyName(id: string, reportedName: string, t: TFunction): string {
  return isNamed(id) ? t(`reports.properties.${id}`) : reportedName;
}
