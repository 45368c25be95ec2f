import { normalizeEid, normalizeIccid, normalizeImei, normalizeImsi, normalizeMsisdn } from '@highline/usp';
import { cleanText } from '../../told-text.ts';

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
