/** Text that people type: how long it is, how it is stored, and when two names are the same. */

/** The length of a text as limits count it: in characters (code points), so that 😀 is one. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** The first characters of a text, never half of one. */
export function firstOf(text: string, most: number): string {
  return lengthOf(text) <= most ? text : Array.from(text).slice(0, most).join('');
}

/** More marks than any script has on one letter: to compose more of them takes time by the square of their number. */
const MOST_MARKS = 30;
/** Where marks begin (U+0300): texts before it need no search for them. */
const MAY_HAVE_MARKS = /[\u0300-\u{10ffff}]/u;

/** Letters with more than one encoding in one of them (NFC), in time by the length of the text; marks beyond the 30th on a letter are dropped. */
export function composeText(typed: string): string {
  if (!MAY_HAVE_MARKS.test(typed)) return typed;
  return typed
    .replaceAll(/\p{M}+/gu, (marks) => (marks.length <= MOST_MARKS ? marks : Array.from(marks).slice(0, MOST_MARKS).join('')))
    .normalize('NFC');
}

/**
 * A typed text in its stored form: letters with more than one encoding in one of them (NFC), every kind of blank as the usual one, no blanks
 * around it.
 */
export function tidyText(typed: string): string {
  return composeText(typed)
    .replaceAll(/\p{Zs}/gu, ' ')
    .trim();
}

/**
 * How the character before it is drawn, in color or as text: ❤ with and without one are the same name. Those of Han characters and of
 * Mongolian are invisible characters, and one within a joined picture (❤️‍🔥) belongs to it.
 */
const VARIATION = /[\ufe00-\ufe0f](?!\u200d)/gu;

/** The same of a name, where several blanks look like one, and a variation of a character like the character. */
export function tidyName(typed: string): string {
  return tidyText(typed.replaceAll(VARIATION, '')).replaceAll(/ {2,}/gu, ' ');
}

/**
 * What names are compared by: two with the same key may not stand next to each other. The database computes the same in `name_key` for its
 * unique indexes.
 */
export function nameKey(name: string): string {
  return tidyName(name).toLowerCase();
}

/**
 * Whether a name is that of another one. What has a name since before names were compared like this keeps it.
 * @param former its name until now; left out: it is new
 */
export function isNameTaken(name: string, others: Iterable<{ readonly name: string }>, former?: string): boolean {
  return name !== former && [...others].some((other) => nameKey(other.name) === nameKey(name));
}

/** Invisible characters: formats, directions, fillers. A variation selector is none in a text, and names are stored without. */
const INVISIBLE = /[\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\u{e0000}-\u{e0fff}]/u;

/**
 * Invisible characters that a script or a picture needs: joiners within an emoji or between letters of a script that joins them, and the
 * tags of a regional flag.
 */
const NEEDED = [
  /\u{1f3f4}[\u{e0020}-\u{e007f}]{2,8}/gu,
  /(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})/gu,
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Gujarati}\p{Script=Khmer}\p{Mn}])[\u200c\u200d](?=[\p{L}\p{M}])/gu,
];

/** The first invisible character of a text, as `U+200B`; undefined if there is none. */
export function invisibleIn(text: string): string | undefined {
  if (!INVISIBLE.test(text)) return undefined;
  const found = INVISIBLE.exec(NEEDED.reduce((rest, pattern) => rest.replaceAll(pattern, ''), text))?.[0];
  return found === undefined ? undefined : `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A text to search for: as names are stored, and without invisible characters, which a copy may contain. */
export function tidySearch(typed: string): string {
  return composeText(typed)
    .replaceAll(/\p{Zs}/gu, ' ')
    .replaceAll(VARIATION, '')
    .replaceAll(/[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu, '');
}

/** Natural order of names, the one of the lists of the server: numbers within them by value, without case, umlauts behind their letter. */
export const NAME_ORDER = 'de-AT-u-co-phonebk-kn-true';
let collator: Intl.Collator | undefined;

/** Compare two names for sorting. */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator(NAME_ORDER, { sensitivity: 'accent' });
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
