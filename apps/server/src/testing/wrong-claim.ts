import { sql } from 'kysely';
import type { Queries } from '../platform/ports/database.ts';

/** A statement whose rows are not what it claims, for the test of the check. */
export async function readWrongly(queries: Queries): Promise<unknown> {
  const { rows } = await sql<{ id: string; total: string; at: Date }>`
    select 'a' as id, 1::bigint as total, null::timestamptz as at`.execute(queries);
  return rows;
}
