import { createHash } from 'node:crypto';

// The limits of an entry. An entry is never changed, so anything that cannot be stored or shown must be replaced before it is
// written.

const LONGEST = { action: 1_000, email: 320, role: 40, key: 200, address: 100, kind: 60, id: 200 } as const;
/** The largest detail as JSON, in bytes. */
const LARGEST_DETAIL = 65_536;
/** How many characters of a larger detail are stored. */
const KEPT = 1_000;

/** Controls, line separators, and marks that change the direction of text: one line must show exactly its content. */
const UNSHOWABLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** One line of text for a field of an entry: no controls, no split characters, cut to its length. */
export function boundedLine(text: string, field: keyof typeof LONGEST): string {
  const longest = LONGEST[field];
  // Twice as many code units contain at least that many characters; the rest of a very long text is not read.
  const line = text
    .slice(0, longest * 2 + 2)
    .toWellFormed()
    .replace(UNSHOWABLE, ' ')
    .trim();
  const characters = Array.from(line);
  const isCut = characters.length > longest || text.length > longest * 2 + 2;
  return isCut ? `${characters.slice(0, longest - 1).join('')}…` : line;
}

/**
 * A detail that the database can store.
 * @param write its canonical JSON
 * @returns the detail itself, or, if it is too large, its start with its size and SHA-256
 */
export function boundedDetail(
  detail: Readonly<Record<string, unknown>>,
  write: (value: unknown) => string,
): Readonly<Record<string, unknown>> {
  const storable = storableOf(detail) as Readonly<Record<string, unknown>>;
  const text = write(storable);
  const bytes = Buffer.byteLength(text);
  if (bytes <= LARGEST_DETAIL) return storable;
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { tooLarge: { bytes, sha256, start: text.slice(0, KEPT).toWellFormed() } };
}

/** The same without NUL and split characters, which jsonb rejects; line breaks and other controls are data, and stay. */
function storableOf(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableOf);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [storableText(key), storableOf(field)]));
}

function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}');
}
