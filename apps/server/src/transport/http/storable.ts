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
  if (Array.isArray(value)) return value.every((item) => isStorable(item, depth + 1));
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item, depth + 1));
}
