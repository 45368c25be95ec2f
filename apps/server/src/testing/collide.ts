import { sql } from 'kysely';
import { until } from './call.ts';
import type { TestApp } from './test-app.ts';

/**
 * Run `first` until it waits for a locked row, then `second` until it waits or is done; then unlock. This makes the two collide.
 * @param row a statement that locks the row
 */
export async function collide<First, Second>(
  { owner, reader }: Pick<TestApp, 'owner' | 'reader'>,
  row: string,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  await owner.query('begin');
  await owner.query(row);
  const waiting = async () =>
    (await reader.rows(sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
      .length;
  const one = first();
  await until(async () => (await waiting()) === 1);
  let isDone = false;
  const two = second().finally(() => {
    isDone = true;
  });
  await until(async () => isDone || (await waiting()) === 2);
  await owner.query('commit');
  return Promise.all([one, two]);
}
