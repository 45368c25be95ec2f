import type { Selectable } from 'kysely';
import type { Tables } from '../ports/tables.ts';

/** A table whose rows have an owner: an organization or, where that is null, a main account. */
export type OwnedTable = {
  [T in keyof Tables]: Selectable<Tables[T]> extends { id: string; main_account_id: string; organization_id: string | null }
    ? T
    : never;
}[keyof Tables];

/** A row of a table as it is stored. */
export type Stored<T extends keyof Tables> = Selectable<Tables[T]>;

/** `suspendedAt` → `suspended_at`. */
type Snake<Name> = Name extends `${infer Head}${infer Tail}`
  ? Head extends Lowercase<Head>
    ? `${Head}${Snake<Tail>}`
    : `_${Lowercase<Head>}${Snake<Tail>}`
  : '';

/** Both can be null or neither, and one type includes the other: a column of texts can have a field of fewer. */
type Fits<Column, Field> = [null extends Column ? 1 : 0, null extends Field ? 1 : 0] extends [1, 1] | [0, 0]
  ? [NonNullable<Column>] extends [NonNullable<Field>]
    ? true
    : [NonNullable<Field>] extends [NonNullable<Column>]
      ? true
      : false
  : false;

type Returned<Value> = Value extends Date ? string : Value;

type ColumnFor<T extends keyof Tables, Field> = {
  [C in keyof Stored<T>]: Fits<Returned<Stored<T>[C]>, Field> extends true ? C : never;
}[keyof Stored<T>];

/** Fields that every resource has. */
export type OwnField = 'id' | 'org' | 'orgName' | 'version';

/** The columns of fields that are not named like their column: all fields but those that are computed. */
export type Renamed<T extends keyof Tables, Response, Computed> = {
  readonly [
    F in Exclude<keyof Response, Computed | OwnField> as Snake<F> extends ColumnFor<T, Response[F]> ? never : F
  ]: ColumnFor<T, Response[F]>;
};

/** The column of a field. */
export function columnOf(field: string, renamed: Readonly<Record<string, unknown>>): string {
  const column = renamed[field];
  return typeof column === 'string' ? column : field.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}
