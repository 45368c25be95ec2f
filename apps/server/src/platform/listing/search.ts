import type { PageQuery } from '@highline/contract';
import { sql, type RawBuilder } from 'kysely';
import { invalidField } from '../../kernel/failure.ts';
import type { Fragment } from './fragment.ts';

/** The LIKE pattern of "contains this text", case-sensitive (SHR-05); `%`, `_` and `\` stand for themselves. */
function containsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
}

/**
 * A text that may be sent to the database: PostgreSQL has no NUL character.
 * @throws DomainError `request.invalid`
 */
export function searchable(text: string, field: string): string {
  if (!text.includes('\0')) return text;
  throw invalidField(field, 'must not contain control characters');
}

/** "The row has this name", as names are compared. */
export function sameName(name: string): RawBuilder<boolean> {
  return sql<boolean>`name_key(name) = name_key(${name})`;
}

/** A text with a complete trigram, so that a trigram index can narrow the search. */
const trigram = /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u;

/** Blanks of every kind, as in names. */
const BLANKS = String.raw`[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]`;
const otherBlanks = /[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]{2}|[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u;
const letters = /[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+|./gsu;

/** Whether `ilike` finds a text as names are compared: columns have the collation C, in which only ASCII letters have a case. */
const isFoldedByIlike = (text: string) =>
  !/(?![a-z])\p{L}/iu.test(text.normalize('NFC').replaceAll(/\p{Lo}/gu, '')) && !otherBlanks.test(text);

/**
 * A regular expression of a text in every case, in which each run of blanks stands for any other. It has a class of letters for each
 * letter, so that an index of trigrams with the collation C serves it, and PostgreSQL matches it without going back.
 */
function foldedExpression(text: string): string {
  return text.normalize('NFC').replaceAll(letters, (letter) => {
    if (/^[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u.test(letter)) return `${BLANKS}+`;
    const cases = casesOf(letter);
    return cases.length > 1
      ? `[${cases.join('')}]`
      : letter.replace(/[^\p{L}\p{N}]/u, (sign) => (sign < '\u0080' ? `\\${sign}` : sign));
  });
}

function casesOf(letter: string): string[] {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
  // At the end of a word σ is written ς.
  const last = lower === 'σ' ? ['ς'] : [];
  return [...new Set([letter, lower, upper, upper.toLowerCase(), ...last])].filter((one) => Array.from(one).length === 1);
}

/** "The column begins with this text", whatever its case; an index of trigrams finds even one letter at the beginning of a word. */
export function beginsWith(column: Fragment, text: string): Fragment {
  if (!isFoldedByIlike(text)) return sql`${column} ~ ${`^${foldedExpression(text)}`}`;
  return sql`${column} ilike ${containsPattern(text).slice(1)}`;
}

/** A search is case-sensitive unless `ignoreCase` is given. */
export type CaseOption = Pick<PageQuery, 'ignoreCase'>;

/**
 * "The column contains this text" (SHR-05). One or two characters have no trigram, and PostgreSQL would scan the whole trigram
 * index and the table: write such a search so that only the column's ordered index can answer it.
 */
export function contains(column: Fragment, text: string, { ignoreCase }: CaseOption = {}): Fragment {
  const isIndexed = text.length >= 3 && trigram.test(text);
  if (ignoreCase === undefined)
    return isIndexed ? sql`${column} like ${containsPattern(text)}` : sql`strpos(${column}, ${text}) > 0`;
  if (!isFoldedByIlike(text)) {
    const expression = foldedExpression(text);
    return isIndexed ? sql`${column} ~ ${expression}` : sql`regexp_like(${column}, ${expression})`;
  }
  // A trigram index stores trigrams in lower case, so it serves all these comparisons.
  return isIndexed ? sql`${column} ilike ${containsPattern(text)}` : sql`strpos(lower(${column}), lower(${text})) > 0`;
}
