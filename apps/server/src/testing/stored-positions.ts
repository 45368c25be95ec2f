import { sql } from 'kysely';
import type { Queries } from '../platform/ports/database.ts';

/** A position of a router as readers get it. */
export interface StoredPosition {
  readonly at: Date;
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy: number | null;
  readonly speed: number | null;
  readonly heading: number | null;
  readonly is_jump: boolean;
}

/** All positions of a router, in order of time. */
export async function readStoredPositions(queries: Queries, routerId: string): Promise<StoredPosition[]> {
  const { rows } = await sql<StoredPosition>`select p.* from positions_between(${routerId}::uuid, '-infinity', 'infinity') p
    order by p.at`.execute(queries);
  return rows;
}
