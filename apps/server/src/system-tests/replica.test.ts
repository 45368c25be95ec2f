import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeMac } from '@highline/usp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MainScope, OrganizationScope } from '../kernel/scope.ts';
import { ask, send, until, type Responded, type Sent } from '../testing/call.ts';
import { SERVE } from '../testing/database.ts';
import { openEventStream } from '../testing/event-stream.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { startPostgresPair, type PostgresPair } from '../testing/standby.ts';
import { readMetrics } from '../testing/metrics.ts';

// Two servers on a primary and its streaming replica, all of them real.

/** A replica that is further behind is not used. */
const MOST_AGE_SECONDS = 8;
const GROUPS = '/data_manager/v1/dm/group';

let pair: PostgresPair;
let folder: string;
let a: TestServer;
let b: TestServer;
let main: MainScope;
let north: OrganizationScope;

beforeAll(async () => {
  pair = await startPostgresPair();
  const masterKey = randomBytes(32).toString('hex');
  const environment = {
    DATABASE_READ_URL: pair.replica.url(SERVE, 'highline'),
    DATABASE_READ_MAX_AGE_SECONDS: String(MOST_AGE_SECONDS),
  };
  const options = { database: pair.database, masterKey, environment, metrics: true };
  folder = mkdtempSync(join(tmpdir(), 'highline-replica-'));
  a = await startTestServer({ ...options, folder: join(folder, 'a') });
  // Its totals do not become old by themselves.
  const at = new Date();
  b = await startTestServer({ ...options, folder: join(folder, 'b'), clock: { now: () => at } });
  main = (await a.seeding.mainAccount('Home')).scope;
  north = await a.seeding.organization(main, 'North');
});
afterAll(async () => {
  await a.close();
  await b.close();
  await pair.close();
  rmSync(folder, { recursive: true, force: true });
});

let people = 0;
async function person(): Promise<string> {
  people += 1;
  return a.seeding.bearer(await a.seeding.account(north, `replica-${people}@highline.invalid`, 'admin'));
}

const createGroup = (server: TestServer, bearer: string, name: string): Promise<Responded> =>
  send(`${server.url}${GROUPS}`, { bearer, body: { name, org: north.organizationId } });

async function groupsAt(server: TestServer, sent: Sent): Promise<string[]> {
  const url = `${server.url}${GROUPS}?limit=50&org=${north.organizationId}`;
  return (await ask<{ groupName: string }[]>(url, sent)).map(({ groupName }) => groupName);
}

/** Lists read so far at a server, by database. */
async function readsAt(server: TestServer): Promise<{ primary: number; replica: number }> {
  const text = await readMetrics(server.metricsPort);
  const value = (database: string) =>
    Number(new RegExp(`highline_list_reads\\{database="${database}"\\} (\\d+)`, 'u').exec(text)?.[1]);
  return { primary: value('primary'), replica: value('replica') };
}

/** Wait until a server reads lists of an unconcerned person from the replica. */
async function untilReplicaIsUsed(...servers: TestServer[]): Promise<void> {
  const bearer = await person();
  for (const server of servers)
    await until(async () => {
      const before = await readsAt(server);
      await groupsAt(server, { bearer });
      return (await readsAt(server)).replica > before.replica;
    });
}

const pause = () => runOnReplica('select pg_wal_replay_pause()');
const resume = () => runOnReplica('select pg_wal_replay_resume()');
async function runOnReplica(statement: string): Promise<void> {
  await pair.replica.run(statement);
  const paused = statement.includes('pause');
  await until(
    async () => (await pair.replica.read<string>('pg_get_wal_replay_pause_state()')) === (paused ? 'paused' : 'not paused'),
  );
}

describe('lists on a replica', () => {
  test('NOD-04 everyone reads own writes at every node, others what is at most the set time old, and an older replica is not used', async () => {
    const [writer, other] = [await person(), await person()];
    await untilReplicaIsUsed(a, b);
    await pause();
    const written = await createGroup(a, writer, 'Depot');
    const position = written.headers.get('highline-position')!;
    expect(written.headers.get('set-cookie')).toContain(`highline-position=${position}`);
    expect(await groupsAt(a, { bearer: writer })).toContain('Depot');
    expect(await groupsAt(b, { bearer: writer, cookie: `highline-position=${position}` })).toContain('Depot');
    expect(await groupsAt(b, { bearer: writer, headers: { 'highline-position': position } })).toContain('Depot');
    expect(await groupsAt(a, { bearer: other })).not.toContain('Depot');
    expect(await groupsAt(b, { bearer: other })).not.toContain('Depot');
    // Anything but a position is ignored, not an error.
    expect(await groupsAt(b, { bearer: other, cookie: 'highline-position=zz/1' })).not.toContain('Depot');
    const url = `${b.url}${GROUPS}?limit=50&org=${north.organizationId}`;
    await until(async () => {
      const age = Number((await send(url, { bearer: other })).headers.get('highline-data-age') ?? 0);
      expect(age).toBeLessThanOrEqual(MOST_AGE_SECONDS);
      return age > 5;
    });
    await until(async () => (await groupsAt(b, { bearer: other })).includes('Depot'));
    expect((await send(url, { bearer: other })).headers.get('highline-data-age')).toBeNull();
    await resume();
    await untilReplicaIsUsed(a, b);
  });

  test('NOD-04-partial an event arrives when the replica shows what it is about', async () => {
    const [writer, other] = [await person(), await person()];
    await untilReplicaIsUsed(a, b);
    const stream = await openEventStream(b.url, other);
    await pause();
    await createGroup(a, writer, 'Harbour');
    expect(await groupsAt(b, { bearer: other })).not.toContain('Harbour');
    await resume();
    for (;;) if ((await stream.next()).data.topic === 'groups') break;
    expect(await groupsAt(b, { bearer: other })).toContain('Harbour');
    stream.close();
  });

  test('NOD-04-partial a total that was read while the replica lacked a change is read again when its event arrives', async () => {
    const [current, other] = [await person(), await person()];
    const router = { serial: 'RPL0001', mac: makeMac(0x4e_00_01) };
    await a.seeding.routers(main, [router]);
    await untilReplicaIsUsed(b);
    const url = `${b.url}/data_manager/v1/dm/devices?limit=1&org=${north.organizationId}`;
    const totalFor = async (sent: Sent) => (await send(url, sent)).json<{ total: number }>().total;
    // Of a position that no replica has reached.
    const atPrimary = { bearer: current, headers: { 'highline-position': 'f'.repeat(16) } };
    const before = await totalFor(atPrimary);
    const stream = await openEventStream(b.url, other);
    await pause();
    await a.seeding.devices(north, [router]);
    // The server has received the event.
    await until(async () => (await totalFor(atPrimary)) === before + 1);
    expect(await totalFor({ bearer: other })).toBe(before);
    await resume();
    for (;;) if ((await stream.next()).data.topic === 'devices') break;
    expect(await totalFor({ bearer: other })).toBe(before + 1);
    stream.close();
  });

  test('NOD-04-partial whole lists, statistics and records are read from the replica; changes are not', async () => {
    const bearer = await person();
    const org = `org=${north.organizationId}`;
    await untilReplicaIsUsed(a);
    for (const path of [`/data_manager/v1/dm/devices?${org}`, `/data_manager/v1/dm/devices/export?${org}`, `${GROUPS}?${org}`]) {
      const before = await readsAt(a);
      expect((await send(`${a.url}${path}`, { bearer })).status).toBe(200);
      expect((await readsAt(a)).replica, path).toBeGreaterThan(before.replica);
    }
    const before = await readsAt(a);
    expect((await createGroup(a, bearer, 'Yard')).status).toBe(200);
    expect((await readsAt(a)).replica).toBe(before.replica);
  });

  test('NOD-04-partial lists answer after the replica was killed, and read from it again when it is back', async () => {
    const bearer = await person();
    await untilReplicaIsUsed(a, b);
    await pair.replica.kill();
    for (const server of [a, b])
      for (let round = 0; round < 3; round++) expect(await groupsAt(server, { bearer })).toContain('Depot');
    await pair.replica.start();
    await untilReplicaIsUsed(a, b);
  });
});

test('a replica of another database is rejected at the start', async () => {
  const other = await startTestServer({
    database: pair.database,
    environment: { DATABASE_READ_URL: pair.replica.url(SERVE, 'postgres') },
  }).catch((error: unknown) => String(error));
  expect(other).toContain('DATABASE_READ_URL points to a database that is no replica of DATABASE_URL.');
});
