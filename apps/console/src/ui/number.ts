/** More digits than these are not all kept by a number. */
const MOST_DIGITS = 15;

/** Digits, also in groups of three with commas as numbers are shown, and a point as decimal separator. */
const NUMBER = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/u;

/** The typed number, also with a minus sign of typography; undefined for anything else, such as a comma as decimal separator. */
export function numberOf(text: string): number | undefined {
  const plain = text.trim().replace('−', '-');
  const isNumber = NUMBER.test(plain) && plain.replaceAll(/\D/gu, '').length <= MOST_DIGITS;
  return isNumber ? Number(plain.replaceAll(',', '')) : undefined;
}
