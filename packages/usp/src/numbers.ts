/**
 * Numbers with check digits, and their common notations. `normalize…` returns the stored form or undefined when the text is not
 * such a number: user input is then rejected, values reported by a device are only flagged.
 */

/** MAC address, with or without separators, to 12 capital hex digits. */
export function normalizeMac(text: string): string | undefined {
  const digits = text
    .trim()
    .toUpperCase()
    .replace(/[:. -]/g, '');
  return /^[0-9A-F]{12}$/.test(digits) ? digits : undefined;
}

/** EID of an eUICC (SGP.02 / ITU-T E.118): 32 digits, modulo 97 = 1. Blanks and dashes between groups are dropped. */
export function normalizeEid(text: string): string | undefined {
  const digits = withoutSeparators(text);
  return /^\d{32}$/.test(digits) && BigInt(digits) % 97n === 1n ? digits : undefined;
}

/** ICCID of a SIM (ITU-T E.118): 89, 19 or 20 digits in all, Luhn; a trailing filler F is dropped. */
export function normalizeIccid(text: string): string | undefined {
  const digits = withoutSeparators(text).replace(/F$/i, '');
  return /^89\d{17,18}$/.test(digits) && passesLuhn(digits) ? digits : undefined;
}

/** IMEI of a modem (3GPP TS 23.003): 15 digits, Luhn. */
export function normalizeImei(text: string): string | undefined {
  const digits = withoutSeparators(text);
  return /^\d{15}$/.test(digits) && passesLuhn(digits) ? digits : undefined;
}

/** IMSI of a subscriber (3GPP TS 23.003): 14 or 15 digits. */
export function normalizeImsi(text: string): string | undefined {
  const digits = withoutSeparators(text);
  return /^\d{14,15}$/.test(digits) ? digits : undefined;
}

/** MSISDN, also called MTN (ITU-T E.164): 7 to 15 digits, the first not 0; `+` and separators are dropped. */
export function normalizeMsisdn(text: string): string | undefined {
  const digits = withoutSeparators(text.trim().replace(/^\+/, '')).replace(/[()]/g, '');
  return /^[1-9]\d{6,14}$/.test(digits) ? digits : undefined;
}

/** Whether the digits end in their Luhn check digit (ISO/IEC 7812-1). */
export function passesLuhn(digits: string): boolean {
  return /^\d+$/.test(digits) && luhnSum(digits) % 10 === 0;
}

/** The Luhn check digit to append to `digits`. */
export function luhnCheckDigit(digits: string): string {
  return String((10 - (luhnSum(`${digits}0`) % 10)) % 10);
}

/** ICCID for tests and demonstrations, 20 digits that pass the check; `n` counts from 0. Country code 999 belongs to no network. */
export function makeIccid(n: number): string {
  const digits = `8999999${serial(n, 12)}`.slice(0, 19);
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

function withoutSeparators(text: string): string {
  return text.trim().replace(/[\s.-]/g, '');
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
