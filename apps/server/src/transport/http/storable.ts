/** No call of ours nests deeper than a few levels; a deeper one is an attempt to overflow the stack. */
const MAX_DEPTH = 50;

/**
 * Whether every text within a value can be stored: PostgreSQL accepts neither NUL nor half of a surrogate pair, and would fail in
 * the middle of a call. Keys count too, and so does excessive nesting.
 */
export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !value.includes('\u0000') && value.isWellFormed();
  if (value === null || typeof value !== 'object') return true;
  if (depth >= MAX_DEPTH) return false;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item, depth + 1));
}

/** One list of 10,000 devices, the longest that a body of usual size holds, and fields of its rows. */
export const MAX_VALUES = 25_000;
/** Two lists of 50,000 devices, the longest that a call with a larger body takes. */
export const MAX_VALUES_OF_LARGE = 110_000;

/**
 * Whether a body has more texts, numbers, lists and objects than its call takes. A megabyte holds half a million of them, and each
 * that is wrong would become an entry of the answer before a schema sees that they are too many.
 */
export function hasTooManyValues(body: unknown, most: number): boolean {
  let count = 0;
  const open: unknown[] = [body];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    count += items.length;
    if (count > most) return true;
    for (const item of items) if (typeof item === 'object' && item !== null) open.push(item);
  }
  return false;
}
