import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import type { Database } from '../ports/database.ts';
import { nameOfStatement } from '../ports/planned-once.ts';
import type { ReadSource } from '../ports/read-source.ts';

/** A piece of SQL with its parameters; pieces are combined with the `sql` template, never as text. */
export type Fragment = RawBuilder<unknown>;

/** Join pieces with `and`; no pieces mean true. */
export function allOf(conditions: readonly Fragment[]): Fragment {
  return conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `);
}

/** Runs hand-written queries. */
export interface Reader {
  /** @param prepared use a named statement, so that each connection parses and plans it once; for texts that repeat */
  rows<Row>(statement: Fragment, prepared?: boolean): Promise<Row[]>;
  compile(statement: Fragment): CompiledQuery;
  readonly source: ReadSource;
}

/** A reader over the source of lists; the query builder only produces the text. */
export function createReader(database: Pick<Database, 'read' | 'lists'>): Reader {
  const source = database.lists;
  const compile = (statement: Fragment): CompiledQuery => statement.compile(database.read);
  return {
    compile,
    source,
    async rows<Row>(statement: Fragment, prepared = false): Promise<Row[]> {
      const { sql: text, parameters } = compile(statement);
      const query = { text, values: [...parameters], ...(prepared ? { name: nameOfStatement(text) } : {}) };
      return source.run(async (pool) => (await pool.query(query)).rows as Row[]);
    },
  };
}
