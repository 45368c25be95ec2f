import { readPastedNumber } from '@highline/usp';
import { sql } from 'kysely';
import { contains, type Fragment } from '../../platform/listing/index.ts';

/** A text to find. */
export interface SearchText {
  readonly text: string;
  /** The text in other cases. An index in the order of the letters finds what begins with one of them. */
  readonly cases: readonly string[];
  /** Long enough for an index of trigrams to find it anywhere in a value. */
  readonly isLong: boolean;
}

const LONG = 3;

/** Prepare a text that a person typed. One or two characters in all their cases, a longer one as it is usually written. */
export function searchTextOf(typed: string): SearchText {
  const text = typed.trim();
  const letters = Array.from(text);
  const [first = '', second = ''] = letters;
  const cases =
    letters.length < LONG
      ? casesOf(first).flatMap((one) => casesOf(second).map((other) => one + other))
      : [text, text.toLowerCase(), text.toUpperCase(), first.toUpperCase() + text.slice(first.length).toLowerCase()];
  // A trigram needs letters or digits; anything else is looked for at the beginning only.
  return { text, cases: [...new Set(cases)], isLong: letters.length >= LONG && /[\p{L}\p{N}]{3}/u.test(text) };
}

const casesOf = (letter: string) => [...new Set([letter, letter.toLowerCase(), letter.toUpperCase()])];

/** The same for the numbers of a device, which are stored without separators and in upper case. */
export function numberTextOf(typed: string): SearchText {
  const number = readPastedNumber(typed);
  if (number === undefined) return searchTextOf(typed.trim().toUpperCase());
  const { cases, ...text } = searchTextOf(number.text);
  return { ...text, cases: [...new Set([...cases, ...number.others])] };
}

/** The last character of Unicode: what begins with a text comes before the text and this. */
const LAST = '\u{10FFFF}';

/** The cases of a text as a table `v (low, high)`, to be joined with an index: what begins with one of them is between both. */
export function casesTable({ cases }: SearchText): Fragment {
  return sql`unnest(${[...cases]}::text[], ${cases.map((text) => text + LAST)}::text[]) as v (low, high)`;
}

/** "The column contains the text", whatever its case; for a long text an index of trigrams finds it. */
export function containsText(column: Fragment, { text }: SearchText): Fragment {
  return contains(column, text, { ignoreCase: 'true' });
}

/** How well a value matches: 0 = it is the text, 1 = it begins with it, 2 = one of its parts between blanks does, 3 = it contains it. */
export function closeness(value: string, text: string): number {
  const [whole, part] = [value.toLowerCase(), text.toLowerCase()];
  if (whole === part) return 0;
  const at = whole.indexOf(part);
  if (at <= 0) return at === 0 ? 1 : 3;
  return /[\p{L}\p{N}]/u.test(whole[at - 1]!) ? 3 : 2;
}
