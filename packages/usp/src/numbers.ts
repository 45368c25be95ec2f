/**
 * Numbers of routers and SIMs in all their notations, one function for each kind. `normalize…` returns the stored form or undefined when
 * the text is not such a number: user input is then rejected, values reported by a device are only flagged.
 */

/**
 * A number without what people and programs write between its characters: blanks, dashes, dots, colons, brackets, a plus sign, and
 * characters that cannot be seen. In capitals; full-width digits become plain ones. At most 200 characters are read.
 */
export function compactNumber(text: string): string {
  return text
    .slice(0, 200)
    .normalize('NFKC')
    .replace(/[\s\p{Z}\p{Cf}\p{Pd}\u2212.:()+/_]/gu, '')
    .toUpperCase();
}

/** MAC address, with or without separators, to 12 capital hex digits. */
export function normalizeMac(text: string): string | undefined {
  return matching(/^[0-9A-F]{12}$/, compactNumber(text));
}

/** EID of an eUICC (SGP.02 / ITU-T E.118): 32 digits, modulo 97 = 1. */
export function normalizeEid(text: string): string | undefined {
  const digits = compactNumber(text);
  return /^\d{32}$/.test(digits) && BigInt(digits) % 97n === 1n ? digits : undefined;
}

/**
 * ICCID of a SIM (ITU-T E.118): 89, then 18 to 20 characters in all. Fillers F at the end are dropped. Not every carrier prints a
 * check digit, and some use letters, so that a number need not pass the check: see `readIccid`.
 */
export function normalizeIccid(text: string): string | undefined {
  return matching(/^89[0-9A-F]{16,18}$/, compactNumber(text).replace(/F{1,4}$/, ''));
}

/** A typed ICCID. */
export type TypedIccid =
  /** Sound: its check digit is right. */
  | { readonly iccid: string }
  /** To be confirmed: the number that is probably meant, and the one that was typed. */
  | { readonly doubt: 'check-digit' | 'digit-too-many'; readonly meant: string; readonly typed: string }
  /** No ICCID: changed by a spreadsheet, or of another form. */
  | { readonly fault: 'spreadsheet' | 'form' };

/** A number with more digits than the 15 that a spreadsheet keeps, or in its notation with an exponent. */
const EXPONENT = /^\s*\d+(?:[.,]\d+)?E\+?\d+\s*$/i;

/** Read a typed ICCID; one with a wrong check digit, and one of 20 digits whose first 19 pass the check, are doubtful. */
export function readIccid(text: string): TypedIccid {
  if (EXPONENT.test(text)) return { fault: 'spreadsheet' };
  const typed = normalizeIccid(text);
  if (typed === undefined) return { fault: 'form' };
  if (isCutBySpreadsheet(typed)) return { fault: 'spreadsheet' };
  const first = typed.slice(0, 19);
  if (typed.length === 20 && passesLuhn(first)) return { doubt: 'digit-too-many', meant: first, typed };
  return passesLuhn(typed) ? { iccid: typed } : { doubt: 'check-digit', meant: typed, typed };
}

/** Whether every digit behind the 15th is 0. Up to four of them prove nothing if the check digit is right. */
function isCutBySpreadsheet(digits: string): boolean {
  if (/0{5}$/.test(digits)) return true;
  return /^0+$/.test(digits.slice(15)) && !passesLuhn(digits);
}

/**
 * IMEI of a modem (3GPP TS 23.003): 15 digits, Luhn. Of an IMEISV, which has the version of the software in place of the check digit and
 * so 16 digits, it is the IMEI.
 */
export function normalizeImei(text: string): string | undefined {
  const digits = compactNumber(text);
  if (/^\d{16}$/.test(digits)) return digits.slice(0, 14) + luhnCheckDigit(digits.slice(0, 14));
  return /^\d{15}$/.test(digits) && passesLuhn(digits) ? digits : undefined;
}

/** IMSI of a subscriber (3GPP TS 23.003): 14 or 15 digits. */
export function normalizeImsi(text: string): string | undefined {
  return matching(/^\d{14,15}$/, compactNumber(text));
}

/** MSISDN, also called MTN (ITU-T E.164): 7 to 15 digits, the first not 0. */
export function normalizeMsisdn(text: string): string | undefined {
  return matching(/^[1-9]\d{6,14}$/, compactNumber(text));
}

/** A pasted text as a number of a router or a SIM to search for. */
export interface PastedNumber {
  /** As such numbers are stored; what is searched for may be a part of it. */
  readonly text: string;
  /** Other numbers that it may stand for. */
  readonly others: readonly string[];
}

/**
 * Read a pasted text in any notation as a MAC address, ICCID, IMEI or MTN, or a part of one, from six digits on; undefined when it is none.
 * A number may have a digit more than the stored one: a check digit, the version of an IMEISV; or a prefix for calls abroad.
 */
export function readPastedNumber(pasted: string): PastedNumber | undefined {
  const whole = compactNumber(pasted.replace('(0)', '')).replace(/^(\d{17,20})F{1,4}$/, '$1');
  if (!/^[0-9A-F]{6,40}$/.test(whole) || !/\d/.test(whole)) return undefined;
  const text = /^0\d{6,}$/.test(whole) ? whole.replace(/^0{1,2}/, '') : whole;
  const imei = normalizeImei(whole);
  const shorter = /^\d{16,}$/.test(whole) ? [whole.slice(0, -1)] : [];
  const others = [whole, ...(imei === undefined ? [] : [imei]), ...shorter];
  return { text, others: [...new Set(others)].filter((other) => other !== text) };
}

/** Whether the digits end in their Luhn check digit (ISO/IEC 7812-1). */
export function passesLuhn(digits: string): boolean {
  return /^\d+$/.test(digits) && luhnSum(digits) % 10 === 0;
}

/** The Luhn check digit to append to `digits`. */
export function luhnCheckDigit(digits: string): string {
  return String((10 - (luhnSum(`${digits}0`) % 10)) % 10);
}

/**
 * ICCID for tests and demonstrations, 20 digits that pass the check, while the first 19 do not; `n` counts from 0. Country code 999
 * belongs to no network.
 */
export function makeIccid(n: number): string {
  const digits = ['8999999', '8999998'].map((prefix) => prefix + serial(n, 12)).find((each) => !passesLuhn(each))!;
  return digits + luhnCheckDigit(digits);
}

/** IMEI with a test TAC (01 is a test prefix of 3GPP TS 23.003); `n` counts from 0 to 999,999. */
export function makeImei(n: number): string {
  const digits = `01234500${serial(n, 6)}`;
  return digits + luhnCheckDigit(digits);
}

/** EID with its two check digits; `n` counts from 0. */
export function makeEid(n: number): string {
  const digits = `8904909999${serial(n, 20)}`;
  const check = 98n - ((BigInt(digits) * 100n) % 97n);
  return digits + String(check).padStart(2, '0');
}

/** IMSI in the network `mccMnc` (5 or 6 digits, by default 999 70, reserved for internal networks); `n` counts from 0. */
export function makeImsi(n: number, mccMnc = '99970'): string {
  return mccMnc + serial(n, 15 - mccMnc.length);
}

/** MSISDN in the North American range reserved for fiction: area, 555, 0100 to 0199; `n` counts from 0 over all its areas. */
export function makeMsisdn(n: number): string {
  const area = 201 + (Math.floor(n / 100) % 799);
  return `1${area}5550${String(100 + (n % 100))}`;
}

/** MAC under an OUI of 6 hex digits (00B2D0 by default); `n` counts from 0 to 16,777,215. */
export function makeMac(n: number, oui = '00B2D0'): string {
  return oui + n.toString(16).toUpperCase().padStart(6, '0');
}

function serial(n: number, width: number): string {
  return String(n).padStart(width, '0');
}

function matching(pattern: RegExp, text: string): string | undefined {
  return pattern.test(text) ? text : undefined;
}

function luhnSum(digits: string): number {
  let sum = 0;
  for (let fromRight = 0; fromRight < digits.length; fromRight++) {
    const digit = Number(digits[digits.length - 1 - fromRight]);
    const doubled = fromRight % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum;
}
