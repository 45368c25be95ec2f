/** What a text has of numbers of SIMs. */
export interface FoundIccids {
  readonly iccids: readonly string[];
  /** What looks like one and is none: too short, too long, or with an exponent. */
  readonly others: readonly string[];
}

/** As a spreadsheet writes long numbers: `8.94E+18`. */
const EXPONENT = /\b\d(?:[.,]\d+)?E\+\d+/giu;
const ICCID = /^89\d{16,18}F?$/iu;
/** Not the 32 digits of an EID. */
const LIKE_ICCID = /^89\d{14,29}F?$/iu;

/** Find the ICCIDs in a text, or in any column of a CSV file. */
export function findIccids(text: string): FoundIccids {
  const numbers = [...new Set(text.replaceAll(EXPONENT, ' ').split(/[^\dA-Fa-f]+/u))];
  const like = numbers.filter((number) => LIKE_ICCID.test(number) && !ICCID.test(number));
  return { iccids: numbers.filter((number) => ICCID.test(number)), others: [...new Set(text.match(EXPONENT)), ...like] };
}
