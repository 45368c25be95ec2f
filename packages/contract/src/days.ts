import type { Language } from './conventions.ts';

/** A day for a person to read, in the order of the language: MM/DD/YYYY (NAV-07), or YYYY/MM/DD (SAY-11). Its parts are digits. */
export function writeDay(year: string, month: string, day: string, language: Language): string {
  return language === 'zh-TW' ? `${year}/${month}/${day}` : `${month}/${day}/${year}`;
}

/** The same of an ISO day, `2026-11-27`. */
export const writeIsoDay = (iso: string, language: Language): string =>
  writeDay(iso.slice(0, 4), iso.slice(5, 7), iso.slice(8, 10), language);
