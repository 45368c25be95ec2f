import type { PageQuery } from '@highline/contract';
import { sql, type RawBuilder } from 'kysely';
import { DomainError } from '../../kernel/failure.ts';
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
  throw new DomainError('request.invalid', { message: `${field}: must not contain control characters`, field });
}

/** "The row has this name", as names are compared. */
export function sameName(name: string, column: Fragment = sql`name`): RawBuilder<boolean> {
  return sql<boolean>`name_key(${column}) = name_key(${name})`;
}

/** A text with a complete trigram, so that a trigram index can narrow the search. */
const trigram = /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u;

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
  // A trigram index stores trigrams in lower case, so it serves both comparisons.
  return isIndexed ? sql`${column} ilike ${containsPattern(text)}` : sql`strpos(lower(${column}), lower(${text})) > 0`;
}
