import { sql, type RawBuilder } from 'kysely';
import { readings } from '../facts.ts';

/**
 * The readings of one row of `telemetry_hours` or `telemetry_days`, for `cross join lateral`: rows of `v (parameter, count, sum, min,
 * max)`, with a count of zero or null where there was no value.
 * @param table its alias in the statement
 */
export function valuesOfRollup(table: string, numbers: readonly number[]): RawBuilder<unknown> {
  const element = (column: string, number: number) => sql`${sql.ref(`${table}.${column}`)}[${sql.lit(number)}]`;
  const rows = numbers.map((number) => {
    const columns = ['counts', 'sums', 'mins', 'maxs'].map((column) => element(column, number));
    return sql`(${sql.lit(number)}, ${sql.join(columns)})`;
  });
  return sql`(values ${sql.join(rows)}) v (parameter, count, sum, min, max)`;
}

/**
 * The values of one row of `telemetry_reports`, for `cross join lateral`: one row of `v (parameter, value)` for each reading that the
 * report has; the value is null for the others.
 * @param table alias of `telemetry_reports` in the statement
 */
export function valuesOfReport(table: string, numbers?: readonly number[]): RawBuilder<unknown> {
  const rows = readings
    .filter(({ number }) => numbers?.includes(number) ?? true)
    .map(({ key, number }) => sql`(${sql.lit(number)}, ${sql.ref(`${table}.${key}`)})`);
  return sql`(values ${sql.join(rows)}) v (parameter, value)`;
}
