import { normalizeEid, normalizeIccid, normalizeImei, normalizeImsi, normalizeMsisdn } from '@highline/usp';

/** Control characters, which no list can show, and the marks that turn the direction of the text around them. */
const UNSHOWABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * A text as a router told it, made harmless: no control characters (PostgreSQL refuses NUL), no half characters, no more than
 * `longest` code units. Null when nothing is left, since routers send an empty text for what they do not have.
 */
export function cleanText(text: string, longest: number): string | null {
  const clean = text
    .slice(0, longest * 4)
    .toWellFormed()
    .replace(UNSHOWABLE, '')
    .trim();
  // Cut between characters, not within one.
  const cut = clean.length <= longest ? clean : clean.slice(0, longest).replace(/[\ud800-\udbff]$/u, '');
  return cut === '' ? null : cut;
}

/** A boolean as TR-106 lets agents write it; undefined when there is none. */
export function readFlag(text: string | undefined): boolean | undefined {
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}

/** The columns that hold a number with a form of its own, and how that form is checked. */
const checks = {
  imei: normalizeImei,
  imsi: normalizeImsi,
  iccid: normalizeIccid,
  mtn: normalizeMsisdn,
  eid: normalizeEid,
} as const satisfies Record<string, (text: string) => string | undefined>;

export type NumberColumn = keyof typeof checks;

/** A number that a router told: in its stored form when it is right, else as it came and flagged; never refused. */
export function readNumber(column: NumberColumn, text: string): { readonly value: string | null; readonly isValid: boolean } {
  const clean = cleanText(text, 64);
  if (clean === null) return { value: null, isValid: true };
  const normal = checks[column](clean);
  return { value: normal ?? clean, isValid: normal !== undefined };
}
