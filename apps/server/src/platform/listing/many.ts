import { sql, type RawBuilder } from 'kysely';

/**
 * Many values as the right side of `in`, joined by index, row by row: `= any($1)` with thousands of values may become a filter
 * that compares every row of the table with every value.
 */
export function manyOf(values: readonly string[], type: 'uuid' | 'text'): RawBuilder<string> {
  return sql<string>`(select unnest(${[...values]}::${sql.raw(type)}[]))`;
}
