import type { Selectable } from 'kysely';
import type { Tables } from './schema.generated.ts';

export type { Tables };

/** These columns of a table, as a query reads them. */
export type Row<Table extends keyof Tables, Column extends keyof Selectable<Tables[Table]>> = Pick<
  Selectable<Tables[Table]>,
  Column
>;
