import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTelemetry } from '../domains/router-state/index.ts';
import { systemClock } from '../platform/ports/clock.ts';
import { ask, send, until } from '../testing/call.ts';
import { OWNER, SERVE } from '../testing/database.ts';
import { openEventStream } from '../testing/event-stream.ts';
import { silentLog } from '../testing/log.ts';
import { openRolloutFixture, type GroupRouter, type RolloutFixture } from '../testing/rollouts.ts';
import { startTestServer } from '../testing/server.ts';
import { startPostgresPair, type PostgresPair } from '../testing/standby.ts';

// A server with the addresses of both, a synchronous replica, and routers that stay connected through all of it.

const GROUPS = '/data_manager/v1/dm/group';
const WRITERS = 4;

let pair: PostgresPair;
let fixture: RolloutFixture;
let bearer: string;
let routers: GroupRouter[];
const closed: GroupRouter[] = [];

beforeAll(async () => {
  pair = await startPostgresPair();
  const both = (user: string) => `postgresql://${user}@127.0.0.1:${pair.primary.port},127.0.0.1:${pair.replica.port}/highline`;
  fixture = await openRolloutFixture({
    database: pair.database,
    environment: { DATABASE_URL: both(OWNER), DATABASE_SERVE_URL: both(SERVE), DATABASE_READ_URL: both(SERVE) },
    // Presence is not what this test is about, and an outage of the machine must not look like one of a router.
    offlineSeconds: 300,
  });
  fixture.server.owner.on('error', () => {});
  bearer = await fixture.server.seeding.bearer(
    await fixture.server.seeding.account(fixture.scope, 'failover@highline.invalid', 'admin'),
  );
  routers = await fixture.routers(await fixture.group(), 3);
  for (const router of routers) {
    await router.connect();
    void router.closed().then(() => closed.push(router));
  }
  // From here on a commit waits for the replica.
  await pair.primary.run("alter system set synchronous_standby_names = 'replica'", 'select pg_reload_conf()');
  await until(
    async () => (await pair.primary.read("(select count(*)::int from pg_stat_replication where sync_state = 'sync')")) === 1,
  );
});
afterAll(async () => {
  await fixture?.close();
  await pair?.close();
});

const create = (name: string) => send(`${fixture.server.url}${GROUPS}`, { bearer, body: { name } });

async function namesOfGroups(): Promise<string[]> {
  const groups = await ask<{ groupName: string }[]>(`${fixture.server.url}${GROUPS}`, { bearer });
  return groups.map(({ groupName }) => groupName);
}

/** Create groups until stopped. */
function writeAllTheWhile() {
  const acknowledged: string[] = [];
  const others = new Set<number>();
  const enough = new AbortController();
  const one = async (writer: number) => {
    for (let number = 1; !enough.signal.aborted; number += 1) {
      const name = `Written ${writer}-${number}`;
      const { status } = await create(name);
      if (status === 200) acknowledged.push(name);
      else others.add(status);
    }
  };
  const done = Promise.all(Array.from({ length: WRITERS }, (_, writer) => one(writer)));
  return {
    acknowledged,
    /** Statuses of calls that failed. */
    others,
    async stop() {
      enough.abort();
      await done;
    },
  };
}

describe('a failover to the replica', () => {
  test('NOD-02-partial a commit whose wait for the replica is cancelled is not acknowledged', async () => {
    await pair.replica.kill();
    const response = create('Unconfirmed');
    let hasResponse = false;
    void response.finally(() => {
      hasResponse = true;
    });
    const cancel = "(select count(pg_cancel_backend(pid))::int from pg_stat_activity where wait_event = 'SyncRep')";
    await until(async () => (await pair.primary.read<number>(cancel)) > 0);
    await until(async () => (await pair.primary.read<number>(cancel)) >= 0 && hasResponse);
    expect((await response).status).toBe(503);
    await pair.replica.start();
    await until(async () => (await create('Confirmed')).status === 200);
  });

  test('NOD-02-partial the primary is killed under load: no acknowledged write is lost, calls answer 503 meanwhile, routers and consoles stay connected', async () => {
    const stream = await openEventStream(fixture.server.url, bearer);
    const telemetry = createTelemetry({
      database: fixture.server.database,
      clock: systemClock,
      log: silentLog,
      retentionDays: 30,
    });
    await telemetry.start();
    const { rows } = await fixture.server.owner.query<{ id: string }>('select id from routers limit 1');
    const writer = writeAllTheWhile();
    await until(() => writer.acknowledged.length > 20);
    await pair.primary.kill();
    await until(() => writer.others.size > 0);
    // What a router reports meanwhile is acknowledged when it is stored, not before.
    let isStored = false;
    const stored = telemetry.write(rows[0]!.id, [{ parameter: 'rssi', at: Date.now(), value: -70 }]).finally(() => {
      isStored = true;
    });
    await until(async () => (await fetch(`${fixture.server.url}/healthz`)).status === 503);
    expect(isStored).toBe(false);
    await pair.replica.run('select pg_promote()');
    const before = writer.acknowledged.length;
    await until(() => writer.acknowledged.length > before + 20);
    await writer.stop();
    await stored;
    await telemetry.stop();
    expect(await namesOfGroups()).toEqual(expect.arrayContaining(writer.acknowledged));
    expect([...writer.others]).toEqual([503]);
    expect(closed).toEqual([]);
    await create('After the failover');
    for (;;) if ((await stream.next()).data.topic === 'groups') break;
    stream.close();
    // The probe of writes runs every 10 seconds.
    await until(async () => (await fetch(`${fixture.server.url}/healthz`)).status === 200);
  });

  test('NOD-02-partial the former primary that comes back writable is not written to, even while the new one is away', async () => {
    await pair.primary.start();
    await pair.primary.run("alter system set synchronous_standby_names = ''", 'select pg_reload_conf()');
    for (let number = 0; number < 5; number++) expect((await create(`With both ${number}`)).status).toBe(200);
    await pair.replica.kill();
    const rejected = async () => (await create('Lost')).status;
    await until(async () => (await rejected()) === 503);
    for (let number = 0; number < 5; number++) expect(await rejected()).toBe(503);
    await pair.replica.start();
    await until(async () => (await create('With the new one')).status === 200);
    const names = await namesOfGroups();
    expect(names).toEqual(expect.arrayContaining(['With both 0', 'With both 4', 'With the new one']));
    const former = await pair.primary.read<number>("(select count(*)::int from groups where name ~ '^(With|Lost)')", 'highline');
    expect(former).toBe(0);
    expect(closed).toEqual([]);
  });
});

test('NOD-02-partial events of a primary that lacks the last transactions of the former one are delivered, although it uses their ids again', async () => {
  const another = await startPostgresPair();
  const both = (user: string) =>
    `postgresql://${user}@127.0.0.1:${another.primary.port},127.0.0.1:${another.replica.port}/highline`;
  const server = await startTestServer({
    database: another.database,
    environment: { DATABASE_URL: both(OWNER), DATABASE_SERVE_URL: both(SERVE) },
  });
  try {
    server.owner.on('error', () => {});
    const scope = await server.seeding.organization((await server.seeding.mainAccount('Home')).scope, 'North');
    const account = await server.seeding.account(scope, 'events@highline.invalid', 'admin');
    const vap = await server.seeding.bearer(account);
    const call = (name: string) => send(`${server.url}${GROUPS}`, { bearer: vap, body: { name } });
    const [lastPosition, isCaughtUp] = [
      'pg_current_wal_flush_lsn()::text',
      (to: string) => `pg_last_wal_replay_lsn() >= '${to}'`,
    ];
    const position = await another.primary.read<string>(lastPosition);
    await until(() => another.replica.read<boolean>(isCaughtUp(position)));
    await another.replica.kill();
    for (let number = 0; number < 30; number++) expect((await call(`Lost ${number}`)).status).toBe(200);
    const stream = await openEventStream(server.url, vap);
    await call('Lost too');
    for (;;) if ((await stream.next()).data.topic === 'groups') break;
    const former = await another.primary.read<string>('pg_snapshot_xmax(pg_current_snapshot())::text');
    await another.primary.kill();
    await another.replica.start();
    await another.replica.run('select pg_promote()');
    await until(async () => (await call('Kept')).status === 200);
    expect(Number(await another.replica.read<string>('pg_snapshot_xmax(pg_current_snapshot())::text'))).toBeLessThan(
      Number(former),
    );
    for (;;) if ((await stream.next()).data.topic === 'groups') break;
    stream.close();
  } finally {
    await server.close();
    await another.close();
  }
});
