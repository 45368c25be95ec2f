import { esims } from '@highline/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { orders } from './esims.queries.ts';

const app = useTestApp();

/** PostgreSQL's plan of the first page when sorting and sequential scans are disabled. */
async function planOf(sort: (typeof esims.profileSorts)[number], whose: string, direction: 'asc' | 'desc'): Promise<string> {
  return app.database.write(async (tx) => {
    for (const way of ['seqscan', 'sort', 'bitmapscan']) await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(tx);
    const orderBy = sql.join(orders[sort].map(({ column }) => sql`${column} ${sql.raw(direction)}`));
    const { rows } = await sql<Record<string, string>>`explain select p.id from esim_profiles p
      where ${sql.ref(`p.${whose}`)} = ${newId()}::uuid order by ${orderBy} limit 50`.execute(tx);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

test.each(esims.profileSorts)(
  'SIM-01-partial the list is read in the order of %s along an index, of one organization and of all of a main account',
  async (sort) => {
    for (const whose of ['organization_id', 'main_account_id'])
      for (const direction of ['asc', 'desc'] as const) {
        const plan = await planOf(sort, whose, direction);
        expect(plan).toMatch(/Index (Only )?Scan (Backward )?using esims_/u);
        expect(plan).not.toContain('Sort');
      }
  },
);
