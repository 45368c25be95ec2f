// Texts that routers tell: whoever built the router, or got hold of it, chose them.

/** Control characters, which no list can show, and the marks that turn the direction of the text around them. */
const UNSHOWABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * A value as a router told it, made harmless: no control characters (PostgreSQL refuses NUL), no half characters, no more than
 * `longest` code units. Null when nothing is left, since routers send an empty text for what they do not have.
 */
export function cleanText(text: string, longest: number): string | null {
  return bounded(shorten(text, longest).replaceAll(UNSHOWABLE, ''), longest);
}

/** A router's own words, to be shown to a person: the same, on one line. */
export function cleanWords(text: string, longest = 200): string | null {
  const line = shorten(text, longest).replaceAll(UNSHOWABLE, ' ').replaceAll(/\s+/gu, ' ');
  return bounded(line, longest);
}

/** Before anything is looked at: nobody reads a megabyte to show a line. */
function shorten(text: string, longest: number): string {
  return text.slice(0, longest * 4).toWellFormed();
}

function bounded(text: string, longest: number): string | null {
  const clean = text.trim();
  // Cut between characters, not within one.
  const cut = clean.length <= longest ? clean : clean.slice(0, longest).replace(/[\ud800-\udbff]$/u, '');
  return cut === '' ? null : cut;
}
