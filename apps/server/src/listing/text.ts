import { DomainError } from '../failure.ts';

/** The LIKE pattern of "contains this text", case-sensitive (SHR-05); `%`, `_` and `\` stand for themselves. */
export function containsPattern(text: string): string {
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
