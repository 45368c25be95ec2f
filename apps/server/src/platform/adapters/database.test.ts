import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLog } from '../process/log.ts';
import { createTestDatabase, testCluster, type TestDatabase } from '../../testing/database.ts';
import { noteAnnounced } from '../outbox/announced.ts';
import { createDatabase } from './database.ts';
import { openDatabase, type OpenedDatabase } from './postgres/connect.ts';

let database: TestDatabase;
let opened: OpenedDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  opened = await openDatabase(database.settings, createLog('silent'));
});
afterAll(async () => {
  await opened.close();
  await database.close();
});

test('two writes that deadlock both complete, and each that announces something wakes the outbox once', async () => {
  const woken = vi.fn<() => void>();
  const { write } = createDatabase(opened.pool, woken);
  await opened.pool.query("insert into rate_windows values ('a', 0, now()), ('b', 0, now())");
  const arrived: (() => void)[] = [];
  /** Wait, the first time, until both hold the lock that the other one needs. */
  const meet = async () => {
    if (arrived.length === 2) return;
    const met = new Promise<void>((resolve) => arrived.push(resolve));
    if (arrived.length === 2) for (const go of arrived) go();
    await met;
  };
  const count = (first: string, second: string) =>
    write(async (tx) => {
      noteAnnounced(tx);
      await sql`update rate_windows set hits = hits + 1 where key = ${first}`.execute(tx);
      await meet();
      await sql`update rate_windows set hits = hits + 1 where key = ${second}`.execute(tx);
    });
  await Promise.all([count('a', 'b'), count('b', 'a')]);
  const { rows } = await opened.pool.query('select key, hits from rate_windows order by key');
  expect(rows).toEqual([
    { key: 'a', hits: 2 },
    { key: 'b', hits: 2 },
  ]);
  await write((tx) => sql`update rate_windows set hits = 0`.execute(tx));
  expect(woken).toHaveBeenCalledTimes(2);
});

test('a write that fails for another reason is not repeated', async () => {
  const work = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('wrong')));
  await expect(createDatabase(opened.pool, () => {}).write(work)).rejects.toThrow('wrong');
  expect(work).toHaveBeenCalledTimes(1);
});

test('a report that loses a deadlock to a change of its tables is read again, and answers', async () => {
  const { lists } = createDatabase(opened.pool, () => {});
  const [name = ''] = /highline_test_\w+/u.exec(database.ownerUrl) ?? [];
  const change = new Client(testCluster().superuser.replace(/\/postgres(?=\?|$)/u, `/${name}`));
  await change.connect();
  // PostgreSQL ends the one that looks for a deadlock first; that is not the change.
  await change.query("set deadlock_timeout = '1min'; begin; lock table telemetry_hours");
  const changed: Promise<unknown>[] = [];
  const count = lists.run(async (pool) => {
    const client = await pool.connect();
    try {
      await client.query('begin transaction isolation level repeatable read read only');
      await client.query('select count(*) from telemetry_days');
      if (changed.length === 0) {
        changed.push(change.query('lock table telemetry_days').then(() => change.query('commit')));
        await expect
          .poll(
            async () => (await client.query("select from pg_locks where not granted and mode = 'AccessExclusiveLock'")).rowCount,
          )
          .toBe(1);
      } else changed.push(Promise.resolve());
      return (await client.query<{ count: number }>('select count(*) from telemetry_hours')).rows[0]!.count;
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
  expect(await count).toBe(0);
  expect(changed).toHaveLength(2);
  await Promise.all(changed);
  await change.end();
});
