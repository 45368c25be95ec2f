/** Smaller numbers are epoch seconds, others epoch milliseconds: this number is 1973 in milliseconds, and the year 5138 in seconds. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** ISO 8601 only: other formats that `Date.parse` accepts depend on the machine's zone. */
const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/u;

/** An end of a time range as calls take it, in epoch milliseconds: ISO 8601, epoch seconds or epoch milliseconds; NaN for anything else. */
export function parseInstant(text: string): number {
  const given = text.trim();
  if (!/^\d{1,16}(?:\.\d+)?$/u.test(given)) return ISO.test(given) ? Date.parse(given) : Number.NaN;
  const number = Number(given);
  return number < FIRST_MILLISECONDS ? number * 1_000 : number;
}
