import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import { runAs } from '../../testing/database.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase } from '../../testing/routers.ts';
import type { Database } from '../../platform/ports/database.ts';
import { historyBegins } from '../router-state/index.ts';
import { organizationRetentionJob } from './organization.retention.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const INSTALLATION_DAYS = 30;
let fleet: RouterDatabase;
/** Keeps 7 days. */
let short: string;
/** Keeps 14 days. */
let medium: string;
/** Keeps as much as the installation. */
let long: string;

beforeAll(async () => {
  fleet = await openRouterDatabase();
  [short, medium, long] = [fleet.organizationId, newId(), newId()];
  await fleet.pool.query('insert into organizations (id, main_account_id, name) select unnest($1::uuid[]), $2, $3', [
    [medium, long],
    fleet.mainAccountId,
    'Other',
  ]);
  await fleet.pool.query('insert into groups (organization_id, key, name) select unnest($1::uuid[]), $2, $2', [
    [medium, long],
    DEFAULT_GROUP_KEY,
  ]);
  await keep(short, 7);
  await keep(medium, 14);
  await fleet.pool.query("select ensure_partitions('2026-10-20'::date, '2026-11-21'::date)");
  await fleet.pool.query("select ensure_position_partitions('2026-10-20'::date, '2026-11-21'::date)");
});
afterAll(() => fleet.close());

const keep = (organization: string, days: number | null) =>
  fleet.pool.query('update organizations set retention_days = $2 where id = $1', [organization, days]);
const run = (now = NOW) => organizationRetentionJob(fleet.database, INSTALLATION_DAYS).run(now);

/** The database, of which one write fails. */
function failingAt(count: number): Database {
  const { write } = fleet.database;
  let writes = 0;
  return { ...fleet.database, write: (work) => (++writes === count ? Promise.reject(new Error('killed')) : write(work)) };
}

/** A router with history at noon of each day from 1 November on, and its device. */
async function addRouter() {
  const [router] = await addTestRouters(fleet, 1);
  const { id } = router!;
  await fleet.pool.query(
    `with days as (select d as at from generate_series('2026-11-01T12:00Z'::timestamptz, '2026-11-20T12:00Z', '1 day') d),
      reports as (insert into telemetry_reports (router_id, at, rssi) select $1, at, -70 from days),
      old as (insert into telemetry (router_id, at, parameter, value) select $1, at, 1, -70 from days),
      hours as (insert into telemetry_hours select $1, at, '{1}', '{-70}', '{-70}', '{-70}' from days),
      rolled as (insert into telemetry_days select $1, date_trunc('day', at, 'UTC'), '{1}', '{-70}', '{-70}', '{-70}' from days),
      connections as (insert into connectivity (router_id, at, kind, reason) select $1, at, 'online', '' from days),
      places as (insert into positions (router_id, at, latitude, longitude, is_jump) select $1, at, 41, -87, false from days),
      facts as (insert into router_facts (router_id, at, fact, value) select $1, at, 'carrier', '' from days)
    insert into router_events (router_id, at, kind, subject, label, state, reason) select $1, at, 'alarm', 'battery', '', 'raised', '' from days`,
    [id],
  );
  return router!;
}

/** The intervals in which organizations had the router, each until the next begins. */
async function owners(router: { id: string; deviceId: string }, ...intervals: readonly (readonly [string, string])[]) {
  await fleet.pool.query('delete from router_ownership where router_id = $1', [router.id]);
  for (const [index, [organization, from]] of intervals.entries())
    await fleet.pool.query(
      'insert into router_ownership (router_id, owned_from, owned_until, organization_id, device_id) values ($1, $2, $3, $4, $5)',
      [router.id, from, intervals[index + 1]?.[1] ?? null, organization, router.deviceId],
    );
  await fleet.pool.query('update devices set organization_id = $2 where id = $1', [router.deviceId, intervals.at(-1)![0]]);
}

const histories = [
  'telemetry_reports',
  'telemetry',
  'telemetry_hours',
  'connectivity',
  'router_facts',
  'router_events',
  'positions',
];

/** The first day of each history that is left, which is complete from there on; one element if it is the same for all. */
async function leftOf({ id }: { id: string }) {
  const found = new Set<string>();
  for (const table of [...histories, 'telemetry_days']) {
    const { rows } = await fleet.pool.query<{ days: string[] }>(
      `select coalesce(array_agg(to_char(at at time zone 'UTC', 'MM-DD') order by at), '{}') as days from ${table} where router_id = $1`,
      [id],
    );
    const days = rows[0]!.days;
    found.add(`${days[0]} … ${days.at(-1)} (${days.length})`);
  }
  return [...found];
}

describe('retention of organizations', () => {
  it('deletes what is older than an organization keeps, in every table, and nothing of others', async () => {
    const [own, other] = [await addRouter(), await addRouter()];
    await owners(own, [short, '2026-01-01Z']);
    await owners(other, [long, '2026-01-01Z']);
    await run();
    expect(await leftOf(own)).toEqual(['11-13 … 11-20 (8)']);
    expect(await leftOf(other)).toEqual(['11-01 … 11-20 (20)']);
    // Deleted for this day already: the next run does nothing before a day has passed, or fewer days are kept.
    await fleet.pool.query("insert into connectivity (router_id, at, kind, reason) values ($1, '2026-11-01Z', 'online', '')", [
      own.id,
    ]);
    await run();
    expect(await leftOf(own)).toEqual(['11-13 … 11-20 (8)', '11-01 … 11-20 (9)']);
    await keep(short, 6);
    await run();
    expect(await leftOf(own)).toEqual(['11-14 … 11-20 (7)']);
    await keep(short, 7);
  });

  it('is that of the owner of the time, and of the owner of now after a transfer', async () => {
    const [moved, returned] = [await addRouter(), await addRouter()];
    // 14 days before the transfer, and no more than 7 for the device where it is now.
    await owners(moved, [medium, '2026-01-01Z'], [short, '2026-11-18T00:00Z']);
    // What was the first organization's is deleted after 7 days, though the device has moved to one that keeps everything.
    await owners(returned, [short, '2026-01-01Z'], [long, '2026-11-10T12:00Z']);
    await fleet.pool.query('delete from organization_retention');
    await run();
    expect(await leftOf(moved)).toEqual(['11-13 … 11-20 (8)']);
    const left = await leftOf(returned);
    // The rollup of the day of the transfer has values of both owners; readers use the hours or reports of that day.
    expect(left).toEqual(['11-10 … 11-20 (11)', '11-11 … 11-20 (10)']);
  });

  it('finishes after an interruption, and deletes large days in several transactions', async () => {
    const router = await addRouter();
    await owners(router, [medium, '2026-01-01Z']);
    await fleet.pool.query(
      `insert into telemetry_reports (router_id, at, rssi) select $1, '2026-11-02Z'::timestamptz + n * interval '5 seconds', -70
       from generate_series(1, 12000) n`,
      [router.id],
    );
    await fleet.pool.query('delete from organization_retention');
    await expect(organizationRetentionJob(failingAt(4), INSTALLATION_DAYS).run(NOW)).rejects.toThrow(medium);
    await run();
    expect(await leftOf(router)).toEqual(['11-06 … 11-20 (15)']);
  });

  it('finds rows of a router by an index, and deletes them by their place', async () => {
    await fleet.pool.query(
      `insert into telemetry_reports (router_id, at, rssi) select gen_random_uuid(), '2026-11-02Z'::timestamptz + n * interval '1 second', -70
       from generate_series(1, 20000) n`,
    );
    await runAs(fleet.test.ownerUrl, 'analyze telemetry_reports_20261102');
    const { rows } = await fleet.pool.query<{ 'QUERY PLAN': string }>(`explain delete from telemetry_reports t
      where t.at >= '2026-11-02Z' and t.at < '2026-11-03Z' and t.ctid = any (array(
        select f.place from unnest(array[gen_random_uuid()]) o (router_id) cross join lateral (
          select t.ctid as place from telemetry_reports t where t.router_id = o.router_id and t.at >= '2026-11-02Z' and t.at < '2026-11-03Z'
          limit 5000) f limit 5000))`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Tid Scan');
    expect(plan).not.toContain('Seq Scan');
    expect(new Set(plan.match(/telemetry_reports_\d+/gu))).toEqual(new Set(['telemetry_reports_20261102']));
  });

  it('of an organization where it fails keeps no other from its own', async () => {
    const later = new Date(NOW.getTime() + 2 * 86_400_000);
    await expect(organizationRetentionJob(failingAt(1), INSTALLATION_DAYS).run(later)).rejects.toThrow(short);
    const { rows } = await fleet.pool.query('select deleted_until from organization_retention where organization_id = $1', [
      medium,
    ]);
    expect(rows).toEqual([{ deleted_until: historyBegins(later, 14) }]);
  });
});
