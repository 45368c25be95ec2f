// Reads accounts and routers: their names are what the directory knows.
import { sql } from 'kysely';
import type { Queries } from '../../platform/ports/database.ts';
import type { CellName } from './names.ts';

/** A row whose names are sent. */
export interface NamedRow {
  readonly id: string;
  readonly names: readonly CellName[];
}

/** A page of all people or routers of the installation, by id. */
export async function listNames(
  queries: Queries,
  table: 'accounts' | 'routers',
  after: string | null,
  limit: number,
): Promise<NamedRow[]> {
  const names = table === 'accounts' ? sql`jsonb_build_array(jsonb_build_array('email', r.email))` : sql`directory_names_of(r)`;
  const { rows } = await sql<{ id: string; names: [CellName['kind'], string | null][] }>`
    select r.id, ${names} as names from ${sql.ref(table)} r
    where ${after}::uuid is null or r.id > ${after}::uuid order by r.id limit ${limit}`.execute(queries);
  return rows.map(({ id, names: pairs }) => ({
    id,
    names: pairs.flatMap(([kind, name]) => (name === null ? [] : [{ kind, name }])),
  }));
}
