import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../adapters/database.ts';
import { openDatabase, type OpenedDatabase } from '../adapters/postgres/connect.ts';
import { newId } from '../../kernel/ids.ts';
import type { Database, Queries } from '../ports/database.ts';
import type { Log } from '../ports/log.ts';
import { silentLog } from '../../testing/log.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { until } from '../../testing/call.ts';
import { announce } from './announce.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import { purgeOutbox, type Interest, type OutboxEvent } from './outbox.ts';

const scope: OrganizationScope = { kind: 'organization', mainAccountId: newId(), organizationId: newId() };

let testDatabase: TestDatabase;
let opened: OpenedDatabase;
let database: Database;
const started: Dispatcher[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  opened = await openDatabase(testDatabase.settings, silentLog);
  database = createDatabase(opened.pool, () => {
    for (const dispatcher of started) dispatcher.wake();
  });
});
afterEach(async () => {
  for (const dispatcher of started.splice(0)) await dispatcher.stop();
});
afterAll(async () => {
  await opened.close();
  await testDatabase.close();
});

/** A dispatcher with an empty outbox. */
async function start(
  on: Database = database,
  log: Log = silentLog,
  interest?: () => Interest,
): Promise<{ dispatcher: Dispatcher; received: string[] }> {
  await database.write((tx) => tx.deleteFrom('outbox').execute());
  const dispatcher = createDispatcher(on, log, interest);
  dispatcher.start();
  started.push(dispatcher);
  const received: string[] = [];
  dispatcher.subscribe((events: readonly OutboxEvent[]) => received.push(...events.flatMap(({ ids }) => ids)));
  await until(() => dispatcher.readUpTo() !== undefined);
  return { dispatcher, received };
}

const publish = (...ids: string[]) =>
  database.write(async (tx) => {
    for (const id of ids) await announce(tx, scope, 'devices', [id]);
  });

test('every event is received once, in whatever order transactions begin and commit', async () => {
  const { received } = await start();
  const clients = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const client = new Client(testDatabase.ownerUrl);
      await client.connect();
      return client;
    }),
  );
  const expected: string[] = [];
  try {
    for (const [round, order] of [
      [0, [5, 4, 3, 2, 1, 0]],
      [1, [2, 0, 5, 1, 4, 3]],
      [2, [0, 3, 1, 4, 2, 5]],
    ] as const) {
      for (const [index, client] of clients.entries()) {
        await client.query('begin');
        await client.query(`insert into outbox (main_account_id, organization_id, topic, ids) values ($1, $2, 'devices', $3)`, [
          scope.mainAccountId,
          scope.organizationId,
          [`${round}-${index}`],
        ]);
      }
      for (const index of order) {
        await clients[index]!.query(index === 4 ? 'rollback' : 'commit');
        if (index !== 4) expected.push(`${round}-${index}`);
        await publish(`${round}-after-${index}`);
        expected.push(`${round}-after-${index}`);
      }
    }
    await publish('last');
    await until(() => received.includes('last'));
    await until(() => received.length >= expected.length + 1);
    expect([...received].sort()).toEqual([...expected, 'last'].sort());
  } finally {
    for (const client of clients) await client.end();
  }
});

test('many events at once are received in the order they were written', async () => {
  const { received } = await start();
  const ids = Array.from({ length: 1_300 }, (_, index) => String(index));
  await publish(...ids);
  await until(() => received.length >= ids.length);
  expect(received).toEqual(ids);
});

test('a later subscriber receives what is committed from then on, and an unsubscribed one nothing more', async () => {
  const { dispatcher, received } = await start();
  await publish('early');
  await until(() => received.includes('early'));
  const late: string[] = [];
  const leave = dispatcher.subscribe((events) => late.push(...events.flatMap(({ ids }) => ids)));
  await publish('both');
  await until(() => received.includes('both'));
  leave();
  await publish('first alone');
  await until(() => received.includes('first alone'));
  expect(late).toEqual(['both']);
});

test('NOD-05-partial only events of tenants in use and of topics of the engines are read; of a tenant that comes meanwhile none is missed', async () => {
  const other: OrganizationScope = { kind: 'organization', mainAccountId: newId(), organizationId: newId() };
  let mainAccounts: string[] = [];
  /** Called when a reading begins. */
  let atReading = () => {};
  const { received } = await start(database, silentLog, () => {
    const now = [...mainAccounts];
    atReading();
    return { mainAccounts: now, topics: ['esims'] };
  });
  const publishTo = (to: OrganizationScope, topic: 'devices' | 'esims', id: string) =>
    database.write((tx) => announce(tx, to, topic, [id]));
  await publishTo(other, 'devices', 'of no one here');
  await publishTo(other, 'esims', 'for an engine');
  await until(() => received.includes('for an engine'));
  // It comes after the reading began with the tenants of before, and what it reads at once may lack the event.
  atReading = () => {
    mainAccounts = [scope.mainAccountId];
  };
  await database.write(async (tx) => {
    await announce(tx, scope, 'devices', ['for the newcomer']);
    await announce(tx, other, 'esims', ['with it']);
    await announce(tx, scope, 'esims', ['both']);
  });
  await until(() => received.includes('for the newcomer') && received.includes('both'));
  await publishTo(other, 'devices', 'of no one again');
  await publishTo(scope, 'devices', 'last');
  await until(() => received.includes('last'));
  expect(received).toEqual(['for an engine', 'with it', 'both', 'for the newcomer', 'last']);
});

test('an outage of the database is logged once and skips nothing', async () => {
  let isAway = false;
  let failed = 0;
  const lines: string[] = [];
  const log: Log = {
    ...silentLog,
    info: (_, sentence) => lines.push(sentence),
    warn: (_, sentence) => lines.push(sentence),
  };
  const flaky: Database = {
    ...database,
    get read(): Queries {
      if (!isAway) return database.read;
      failed += 1;
      throw new Error('connection lost');
    },
  };
  const { dispatcher, received } = await start(flaky, log);
  const before = dispatcher.readUpTo()!;
  isAway = true;
  await publish('during');
  for (let time = 1; time <= 3; time += 1) {
    dispatcher.wake();
    await until(() => failed >= time);
  }
  expect(received).toEqual([]);
  expect(dispatcher.readUpTo()!.xid).toBe(before.xid);
  expect(dispatcher.readUpTo()!.ageMs).toBeGreaterThan(before.ageMs);
  isAway = false;
  await publish('after');
  await until(() => received.includes('after'));
  expect(received).toEqual(['during', 'after']);
  expect(lines).toEqual(['Failed to read the outbox; retrying.', 'Outbox readable again.']);
});

test('a long transaction delays no events of others, however many follow, and its age is shown', async () => {
  const { dispatcher, received } = await start();
  const open = new Client(testDatabase.ownerUrl);
  await open.connect();
  try {
    await open.query('begin');
    await open.query(
      `insert into outbox (main_account_id, organization_id, topic, ids) values ($1, $2, 'devices', '{of the open one}')`,
      [scope.mainAccountId, scope.organizationId],
    );
    const expected = Array.from({ length: 5_600 }, (_, index) => String(index));
    for (let first = 0; first < expected.length; first += 700) await publish(...expected.slice(first, first + 700));
    await publish('after all of them');
    await until(() => received.includes('after all of them'));
    expect(received).toEqual([...expected, 'after all of them']);
    expect(dispatcher.readUpTo()!.horizonAgeMs).toBeGreaterThan(0);
    await open.query('commit');
    dispatcher.wake();
    await until(() => received.includes('of the open one'));
    await publish('last');
    await until(() => received.includes('last'));
    expect(received).toEqual([...expected, 'after all of them', 'of the open one', 'last']);
    await until(() => dispatcher.readUpTo()!.horizonAgeMs === 0);
  } finally {
    await open.end();
  }
});

test('rows with transaction ids that this cluster has not reached, as in a restored backup, are not read', async () => {
  const { received } = await start();
  await sql`insert into outbox (xid, main_account_id, organization_id, topic, ids)
    values ('9000000000', ${scope.mainAccountId}::uuid, ${scope.organizationId}::uuid, 'devices', '{restored}')`.execute(
    database.read,
  );
  await publish('now');
  await until(() => received.includes('now'));
  expect(received).toEqual(['now']);
});

test('events are kept for an hour and a margin, no longer', async () => {
  await publish('kept');
  const { created_at: at } = await database.read
    .selectFrom('outbox')
    .select('created_at')
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
  const count = async () => (await database.read.selectFrom('outbox').select('position').execute()).length;
  const all = await count();
  await purgeOutbox(database, new Date(at.getTime() + 60 * 60_000));
  expect(await count()).toBe(all);
  await purgeOutbox(database, new Date(at.getTime() + 66 * 60_000));
  expect(await count()).toBe(0);
});
