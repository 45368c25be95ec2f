import { createQueryId, PostgresQueryCompiler } from 'kysely';
import { escapeLiteral } from 'pg';
import { DomainError } from '../../kernel/failure.ts';
import type { Fragment } from './fragment.ts';

/**
 * The text of a statement with its values as literals, for commands that take no parameters (`COPY`). Each value is a literal without a
 * type, which PostgreSQL infers where it stands, as it does for a parameter.
 * @throws DomainError `request.invalid` for a text with a NUL character, which PostgreSQL does not store
 */
export function literalSql(statement: Fragment): string {
  return new LiteralCompiler().compileQuery(statement.toOperationNode(), createQueryId()).sql;
}

class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append(literal(value));
  }
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const text = textOf(value);
  if (text.includes('\0')) throw new DomainError('request.invalid', { message: 'A text contains a NUL character.' });
  return escapeLiteral(text);
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return arrayText(value);
  return value instanceof Date ? value.toISOString() : String(value);
}

/** `{"a","b"}`: an array as PostgreSQL reads it. */
function arrayText(values: readonly unknown[]): string {
  const elements = values.map((value) => {
    if (value === null || value === undefined) return 'NULL';
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return `"${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
    throw new TypeError('Only texts, numbers and booleans are written as elements of an array.');
  });
  return `{${elements.join(',')}}`;
}
