import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/ports/database.ts';
import { openHome, type Home } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createOutageJobs } from './outages.job.ts';

const NOW = '2026-11-20T12:00:00Z';
const app = useTestApp(NOW);
const FLEET = 2_300;
let home: Home;

const run = (at: string) => createOutageJobs(app.database, 124)[0]!.run(new Date(at));
const totalOf = async (kind: string): Promise<number> => {
  const query = { from: '2026-11-20', until: '2026-11-20', kind, limit: '1' };
  return (await app.call('GET', '/data_manager/v1/dm/outages', { as: home.user, query })).json.total;
};
const connected = (at: string, kind: 'online' | 'offline', reason: string) =>
  app.owner.query(
    `insert into connectivity (router_id, at, kind, reason) select router_id, $1, $2, $3 from router_ownership where organization_id = $4`,
    [at, kind, reason, home.own.organizationId],
  );
/** How many rows of outages each transaction wrote last. */
const rowsByTransaction = async (): Promise<number[]> =>
  (await app.owner.query(`select count(*)::int as rows from outages group by xmin order by 1`)).rows.map(({ rows }) => rows);
const progress = async (): Promise<string> =>
  (await app.owner.query(`select until from outage_progress`)).rows[0].until.toISOString();

beforeAll(async () => {
  await app.owner.query(`select ensure_partitions('2026-11-19', '2026-11-22')`);
  home = await openHome(app);
  await app.owner.query(
    `insert into router_ownership (router_id, organization_id, device_id, owned_from, owned_until)
       select gen_random_uuid(), case when n <= $2 then $1::uuid else gen_random_uuid() end, gen_random_uuid(), '2026-11-01',
         case when n > $2 then '2026-11-02'::timestamptz end from generate_series(1, 3 * $2) n`,
    [home.own.organizationId, FLEET],
  );
  await app.owner.query('analyze router_ownership');
});

/** The database for a process that dies after so many transactions. */
const endingAfter = (most: number): Database => {
  let count = 0;
  const write: Database['write'] = async (work) => {
    if (++count > most) throw new Error('killed');
    return app.database.write(work);
  };
  return { read: app.database.read, pool: app.database.pool, lists: app.database.lists, write };
};

test('RPM-04-partial a fleet that loses its connections at one instant, and is back at another, has all of its outages, of at most 1,000 routers a transaction, also after a process was killed in between', async () => {
  await connected('2026-11-20T11:00:00Z', 'online', 'connected');
  await connected('2026-11-20T11:50:00.000250Z', 'offline', 'no-answer');
  await app.owner.query(`update outage_progress set until = '2026-11-20T11:40:00Z'`);
  await expect(createOutageJobs(endingAfter(3), 124)[0]!.run(new Date(NOW))).rejects.toThrow('killed');
  expect(await totalOf('lost')).toBe(1_000);
  await run(NOW);
  expect(await totalOf('lost')).toBe(FLEET);
  expect(await rowsByTransaction()).toEqual([300, 1_000, 1_000]);
  await connected('2026-11-20T12:00:10Z', 'online', 'connected');
  await run('2026-11-20T12:00:30Z');
  expect(await totalOf('lost')).toBe(FLEET);
  const { rows } = await app.owner.query(`select distinct ended_at::text as ended from outages`);
  expect(rows).toEqual([{ ended: expect.stringContaining('12:00:10') }]);
  expect((await rowsByTransaction()).at(-1)).toBeLessThanOrEqual(1_000);
});

test('RPM-04-partial what is stored is neither written nor locked again, unless the vehicle was parked; and another process does not read what was just read', async () => {
  const { rows } = await app.owner.query(`select router_id from outages limit 1`);
  await app.owner.query(
    `insert into router_facts (router_id, at, fact, value) values ($1, '2026-11-20T11:50:30Z', 'ignition', 'off')`,
    [rows[0].router_id],
  );
  await run('2026-11-20T12:00:40Z');
  expect(await progress()).toBe('2026-11-20T12:00:30.000Z');
  await run('2026-11-20T12:01:00Z');
  expect(await progress()).toBe('2026-11-20T12:01:00.000Z');
  expect([await totalOf('parked'), await totalOf('lost')]).toEqual([1, FLEET - 1]);
  expect(
    (await app.owner.query(`select count(*)::int as locked from outages where xmax <> 0 and kind <> 'parked'`)).rows,
  ).toEqual([{ locked: 0 }]);
});

test('RPM-04-partial what left its vehicle lately is found by an index', async () => {
  const { rows } = await app.owner.query<Record<string, string>>(
    `explain select w.router_id from router_ownership w where w.owned_until >= '2026-11-20T11:45:00Z'`,
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('router_ownership_by_end');
});
