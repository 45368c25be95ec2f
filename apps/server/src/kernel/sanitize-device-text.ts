// Texts reported by routers are untrusted: their maker, or an attacker, chose them.

/** Control characters, which no list can show, and marks that change the direction of surrounding text. */
const UNSHOWABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * A reported value, sanitized: no control characters (PostgreSQL rejects NUL), no half characters, no more than `longest` code
 * units. Null when nothing is left, since routers send an empty text for missing values.
 */
export function sanitizeText(text: string, longest: number): string | null {
  return bounded(shorten(text, longest).replaceAll(UNSHOWABLE, ''), longest);
}

/** A router's own message for display: sanitized as a value, on one line. */
export function sanitizeLine(text: string, longest = 200): string | null {
  const line = shorten(text, longest).replaceAll(UNSHOWABLE, ' ').replaceAll(/\s+/gu, ' ');
  return bounded(line, longest);
}

/** Shorten first: a long text must not cost time just to show one line. */
function shorten(text: string, longest: number): string {
  return text.slice(0, longest * 4).toWellFormed();
}

function bounded(text: string, longest: number): string | null {
  const clean = text.trim();
  // Cut between characters, not within one.
  const cut = clean.length <= longest ? clean : clean.slice(0, longest).replace(/[\ud800-\udbff]$/u, '');
  return cut === '' ? null : cut;
}
