import { writeDay, type Language } from '@highline/contract';
import { invalidField } from '../../kernel/failure.ts';

/**
 * Writes instants as `MM/DD/YYYY HH:mm:ss` in a time zone, or with the day in the order of another language.
 * @param zone IANA name, UTC by default
 * @throws DomainError `request.invalid` for a zone that does not exist
 */
export function timeIn(zone = 'UTC', language: Language = 'en-US'): (at: Date) => string {
  const partsOf = zoneParts(zone);
  return (at) => {
    const part = partsOf(at);
    const day = writeDay(part['year']!, part['month']!, part['day']!, language);
    return `${day} ${part['hour']}:${part['minute']}:${part['second']}`;
  };
}

/** The same as `YYYY/MM/DD HH:mm:ss`, as reports write it in every language (RPT-02). */
export const reportTimeIn = (zone = 'UTC'): ((at: Date) => string) => timeIn(zone, 'zh-TW');

function zoneParts(zone: string): (at: Date) => Record<string, string> {
  const format = zoneFormat(zone);
  return (at) => Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
}

function zoneFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  } catch {
    throw invalidField('zone', 'is not a time zone');
  }
}
