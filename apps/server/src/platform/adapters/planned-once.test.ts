import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/database.ts';
import { silentLog } from '../../testing/log.ts';
import { plannedOnce } from '../ports/planned-once.ts';
import { createDatabase } from './database.ts';
import { openDatabase } from './postgres/connect.ts';

test('a statement that is planned once is kept by its connection, with each of its values', async () => {
  const testDatabase = await createTestDatabase();
  const opened = await openDatabase(testDatabase.settings, silentLog);
  const { write } = createDatabase(opened.pool, () => {});
  await write(async (tx) => {
    const doubled = (n: number) => sql<{ n: number }>`${plannedOnce}select ${n}::int * 2 as n`.execute(tx);
    expect((await doubled(2)).rows).toEqual([{ n: 4 }]);
    expect((await doubled(21)).rows).toEqual([{ n: 42 }]);
    const { rows } = await sql<{ kept: number }>`select count(*)::int as kept from pg_prepared_statements
      where statement like '/* planned once */ select $1::int * 2%' and generic_plans + custom_plans = 2`.execute(tx);
    expect(rows).toEqual([{ kept: 1 }]);
  });
  await opened.close();
  await testDatabase.close();
});
