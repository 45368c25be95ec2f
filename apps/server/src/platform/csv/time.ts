import { writeDay, type Language } from '@highline/contract';
import { clockIn } from '../../kernel/calendar.ts';

/**
 * Writes instants as `MM/DD/YYYY HH:mm:ss` in a time zone, or with the day in the order of another language.
 * @param zone IANA name, UTC by default
 * @throws DomainError `request.invalid` for a zone that does not exist
 */
export function timeIn(zone = 'UTC', language: Language = 'en-US'): (at: Date) => string {
  const clock = clockIn(zone);
  return (at) => {
    const { year, month, day, hour, minute, second } = clock(at);
    return `${writeDay(year, month, day, language)} ${hour}:${minute}:${second}`;
  };
}

/** The same as `YYYY/MM/DD HH:mm:ss`, as reports write it in every language (RPT-02). */
export const reportTimeIn = (zone = 'UTC'): ((at: Date) => string) => timeIn(zone, 'zh-TW');
