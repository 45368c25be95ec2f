/** What a text has of numbers of SIMs. */
export interface FoundIccids {
  readonly iccids: readonly string[];
  /** What looks like one and is none: too short, too long, or with an exponent. */
  readonly others: readonly string[];
}

/** As a spreadsheet or a program writes long numbers: `8.94E+18`, `8.94E18`. */
const EXPONENT = /\b(?:\d(?:[.,]\d+)?E\+\d+|[89](?:[.,]\d+)?E(?:1[5-9]|2\d|30)\b)/giu;
/** Groups of digits with a blank or a dash between them, as numbers of SIMs are printed; letters up to F make a hexadecimal number of a group. */
const GROUPS = /[\dA-F]+(?:[ \u00A0\u202F\u2010-\u2015-][\dA-F]+)*/giu;
const ICCID = /^89\d{16,18}F?$/iu;
/** Not the 32 digits of an EID. */
const LIKE_ICCID = /^89\d{14,29}F?$/iu;
const EID = /^89\d{30}$/u;
const DIGITS = /^\d+F?$/iu;
/** Digits of an EID, and so the most groups of a number. */
const LONGEST = 32;

/** Find the ICCIDs in a text, or in any column of a CSV file. */
export function findIccids(text: string): FoundIccids {
  const numbers = (text.replaceAll(EXPONENT, '\n').match(GROUPS) ?? []).flatMap((run) => numbersOf(run.split(/[^\dA-F]/iu)));
  const others = numbers.filter((number) => !ICCID.test(number));
  return {
    iccids: [...new Set(numbers.filter((number) => ICCID.test(number)))],
    others: [...new Set([...(text.match(EXPONENT) ?? []), ...others])],
  };
}

/** The ICCIDs of several texts, each once. */
export function mergeIccids(found: readonly FoundIccids[]): FoundIccids {
  return {
    iccids: [...new Set(found.flatMap(({ iccids }) => iccids))],
    others: [...new Set(found.flatMap(({ others }) => others))],
  };
}

/** What is, or looks like, an ICCID among groups: one of them, or several that follow each other. */
function numbersOf(groups: readonly string[]): string[] {
  const numbers: string[] = [];
  for (let at = 0; at < groups.length;) {
    const { number, length } = groups[at]!.startsWith('89')
      ? firstOf(groups.slice(at, at + LONGEST))
      : { number: undefined, length: 1 };
    if (number !== undefined) numbers.push(number);
    at += length;
  }
  return numbers;
}

/** The number that begins with the first of these groups, and of how many of them it is. */
function firstOf(groups: readonly string[]): { readonly number: string | undefined; readonly length: number } {
  const [first = ''] = groups;
  if (ICCID.test(first)) return { number: first, length: 1 };
  const next = groups.findIndex((group) => ICCID.test(group) || !DIGITS.test(group));
  const own = next === -1 ? groups : groups.slice(0, next);
  const all = own.join('');
  if (EID.test(all)) return { number: undefined, length: own.length };
  const joined = own.map((_, index) => own.slice(0, index + 1).join(''));
  const length = joined.findLastIndex((number) => ICCID.test(number)) + 1;
  if (length > 0) return { number: joined[length - 1], length };
  if (LIKE_ICCID.test(all)) return { number: all, length: own.length };
  return { number: LIKE_ICCID.test(first) ? first : undefined, length: 1 };
}
