import type { ColumnType } from 'kysely';

/** A column with JSON: read as its value, written as text. */
export type Json<T> = ColumnType<T, string | undefined, string>;

/**
 * Types that PostgreSQL does not know: values in json columns, and texts that no constraint limits. Each domain adds those of its
 * tables, as `'table.column': Type`; schema.generated.ts uses them.
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface ColumnTypes {}

/** The declared type of a column; `unknown` in a program without its domain. */
export type Declared<Column extends string> = Column extends keyof ColumnTypes ? ColumnTypes[Column] : unknown;
