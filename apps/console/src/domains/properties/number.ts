/** More digits than these are not all kept by a number. */
const MOST_DIGITS = 15;

/** The typed number, with a point as decimal separator; undefined for anything else. */
export function numberOf(text: string): number | undefined {
  const isNumber = /^-?\d+(\.\d+)?$/u.test(text) && text.replaceAll(/\D/gu, '').length <= MOST_DIGITS;
  return isNumber ? Number(text) : undefined;
}
