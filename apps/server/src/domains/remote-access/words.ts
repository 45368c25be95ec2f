/** Control characters, and the marks that turn the direction of the text around them. */
const UNSHOWABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const LONGEST = 200;

/** A router's own words, to be shown to a person: one line, bounded, nothing that plays tricks. Undefined when nothing is left. */
export function cleanText(text: string): string | undefined {
  const clean = text
    .slice(0, LONGEST * 4)
    .toWellFormed()
    .replaceAll(UNSHOWABLE, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const cut = clean.length <= LONGEST ? clean : clean.slice(0, LONGEST).replace(/[\ud800-\udbff]$/u, '');
  return cut === '' ? undefined : cut;
}
