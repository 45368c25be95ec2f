import { sql } from 'kysely';
import type { Database } from '../../platform/ports/database.ts';

/** States of a rollout in force. */
const STATES = ['running', 'paused'] as const;

/** Rollouts in force by state, of the whole installation: for metrics, which name no tenant. */
export async function countRollouts(database: Database): Promise<Readonly<Record<string, number>>> {
  const rows = await database.read
    .selectFrom('bindings')
    .select(['state', sql<number>`count(*)::integer`.as('count')])
    .where('ended_at', 'is', null)
    .groupBy('state')
    .execute();
  return Object.fromEntries(STATES.map((state) => [state, rows.find((row) => row.state === state)?.count ?? 0]));
}
