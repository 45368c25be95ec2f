import type { PageQuery } from '@highline/contract';
import { sql } from 'kysely';
import { DomainError } from '../failure.ts';
import type { Fragment } from './fragment.ts';

/** The LIKE pattern of "contains this text", case-sensitive (SHR-05); `%`, `_` and `\` stand for themselves. */
function containsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
}

/**
 * A text that may travel to the database: PostgreSQL has no NUL character.
 * @throws DomainError `request.invalid`
 */
export function searchable(text: string, field: string): string {
  if (!text.includes('\0')) return text;
  throw new DomainError('request.invalid', { message: `${field}: must not contain control characters`, field });
}

/** A text that holds a whole trigram, so that a trigram index narrows a search for it down. */
const trigram = /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u;

/** How a search compares letters: upper and lower case count as different unless `ignoreCase` is given. */
export type CaseOption = Pick<PageQuery, 'ignoreCase'>;

/**
 * "The column contains this text" (SHR-05). No trigram serves one or two characters, and asked all the same the index would be read
 * from end to end with the table behind it: such a search is written so that only the column's own ordered index can answer it.
 */
export function contains(column: Fragment, text: string, { ignoreCase }: CaseOption = {}): Fragment {
  const isIndexed = text.length >= 3 && trigram.test(text);
  if (ignoreCase === undefined)
    return isIndexed ? sql`${column} like ${containsPattern(text)}` : sql`strpos(${column}, ${text}) > 0`;
  // A trigram index holds its trigrams in lower case, so that it serves both kinds of comparison.
  return isIndexed ? sql`${column} ilike ${containsPattern(text)}` : sql`strpos(lower(${column}), lower(${text})) > 0`;
}
