import type { UspMessage } from '@highline/usp';

/** Code units of a path, a name or a key. */
export const LONGEST_NAME = 1_024;
/** Code units of a value: a list of references of a large model is a few thousand. */
export const LONGEST_VALUE = 16_384;
/** Values, names and list entries per message; a router with every table read here sends some hundred. */
export const MOST_TEXTS = 20_000;

/** Characters removed from values: control characters except line breaks, and bidirectional marks. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
/** ASCII without control characters. */
const PRINTABLE = /^[\u0020-\u007e]*$/u;
const LINE_CHARACTERS = new Set(['\t', '\n', '\r']);

/**
 * Bound every text in a router's message and strip control characters, before any other code reads it. Texts above `MOST_TEXTS`
 * are dropped. Only the data of a BulkData push is kept whole, since truncated JSON is invalid; the record limit bounds it (1
 * MiB).
 */
export function sanitizeMessage(message: UspMessage): UspMessage {
  const budget: Budget = { texts: MOST_TEXTS };
  return sanitizeValue(message, budget, undefined) as UspMessage;
}

interface Budget {
  texts: number;
}

function sanitizeValue(value: unknown, budget: Budget, name: string | undefined): unknown {
  if (typeof value === 'string') {
    budget.texts -= 1;
    return sanitizeText(value, NAMES.has(name ?? '') ? LONGEST_NAME : LONGEST_VALUE);
  }
  if (value instanceof Map) return sanitizeMap(value as ReadonlyMap<string, string>, budget);
  if (value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return sanitizeList(value, budget, name);
  if (typeof value !== 'object' || value === null) return value;
  const clean: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value)) clean[key] = sanitizeValue(each, budget, key);
  return clean;
}

/** Message fields that hold names; every other text is a value. */
const NAMES: ReadonlySet<string> = new Set(['msgId', 'requestedPath', 'resolvedPath', 'objPath', 'paramPath', 'eventName', 'commandName', 'commandKey', 'subscriptionId']); // prettier-ignore

function sanitizeList(values: readonly unknown[], budget: Budget, name: string | undefined): unknown[] {
  const clean: unknown[] = [];
  for (const value of values) {
    if (budget.texts <= 0) break;
    clean.push(sanitizeValue(value, budget, name));
  }
  return clean;
}

function sanitizeMap(values: ReadonlyMap<string, string>, budget: Budget): ReadonlyMap<string, string> {
  const clean = new Map<string, string>();
  for (const [key, value] of values) {
    if (budget.texts <= 0) break;
    budget.texts -= 2;
    // A longer name cannot be one that we know.
    if (key.length > LONGEST_NAME) continue;
    clean.set(sanitizeText(key, LONGEST_NAME), key === BULK_DATA ? value.toWellFormed() : sanitizeText(value, LONGEST_VALUE));
  }
  return clean;
}

/** The parameter of `Push!` that holds the report (TR-181 Device.BulkData.Profile.{i}.Push!). */
const BULK_DATA = 'Data';

function sanitizeText(text: string, longest: number): string {
  const cut = text.length <= longest ? text : text.slice(0, longest);
  // Nearly every text of a router: there is nothing to remove.
  if (PRINTABLE.test(cut)) return cut;
  return cut.toWellFormed().replaceAll(UNPRINTABLE, (character) => (LINE_CHARACTERS.has(character) ? character : ''));
}
