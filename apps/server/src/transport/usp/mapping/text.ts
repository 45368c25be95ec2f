import { normalizeEid, normalizeIccid, normalizeImei, normalizeImsi, normalizeMsisdn } from '@highline/usp';
import { sanitizeText } from '../../../kernel/sanitize-device-text.ts';

/** A boolean as TR-106 lets agents write it; undefined for anything else. */
export function readFlag(text: string | undefined): boolean | undefined {
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}

/** Columns that hold a number with its own format, and the check of that format. */
const checks = {
  imei: normalizeImei,
  imsi: normalizeImsi,
  iccid: normalizeIccid,
  mtn: normalizeMsisdn,
  eid: normalizeEid,
} as const satisfies Record<string, (text: string) => string | undefined>;

export type NumberColumn = keyof typeof checks;

/** A reported number: normalized when valid, else as it came with a flag; never rejected. */
export function readNumber(column: NumberColumn, text: string): { readonly value: string | null; readonly isValid: boolean } {
  const clean = sanitizeText(text, 64);
  if (clean === null) return { value: null, isValid: true };
  const normal = checks[column](clean);
  return { value: normal ?? clean, isValid: normal !== undefined };
}
