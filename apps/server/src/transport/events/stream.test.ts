import { once } from 'node:events';
import { live } from '@highline/contract';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { MainScope, OrganizationScope, Scope } from '../../kernel/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createMovingClock, send, until } from '../../testing/call.ts';
import { beginRequest } from '../../testing/raw-request.ts';
import { openEventStream, type EventStream } from '../../testing/event-stream.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { withinCall } from '../../platform/calls/call-steps.ts';
import { announce } from '../../platform/outbox/announce.ts';
import { silentLog } from '../../testing/log.ts';
import { createLiveStreams } from './stream.ts';

const clock = createMovingClock();
let database: TestDatabase;
let server: TestServer;
let home: MainScope;
let north: OrganizationScope;
let south: OrganizationScope;
let foreignUser: OrganizationScope;
const open = new Set<EventStream>();

beforeAll(async () => {
  database = await createTestDatabase();
  // Only the heartbeat uses the fake clock; everything else runs in real time.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  server = await startTestServer({ clock, database });
  home = (await server.seeding.mainAccount('Home')).scope;
  north = await server.seeding.organization(home, 'North');
  south = await server.seeding.organization(home, 'South');
  foreignUser = await server.seeding.organization((await server.seeding.mainAccount('Abroad')).scope, 'Abroad');
});
// Transactions in other databases of the cluster can delay a cursor; the floods of one test would then be missed events of the
// next.
afterEach(() => server.owner.query('delete from outbox'));
afterAll(async () => {
  for (const stream of open) stream.close();
  vi.useRealTimers();
  await server.close();
  await database.close();
});

let people = 0;
async function bearerOf(scope: Scope, role: 'main' | 'admin' | 'user'): Promise<{ bearer: string; accountId: string }> {
  people += 1;
  const accountId = await server.seeding.account(scope, `live-${people}@highline.invalid`, role);
  return { accountId, bearer: await server.seeding.bearer(accountId) };
}

async function listen(
  bearer: string,
  options: { org?: string; after?: string; lastEventId?: string } = {},
): Promise<EventStream> {
  const stream = await openEventStream(server.url, bearer, options);
  open.add(stream);
  return stream;
}

const publish = (scope: Scope, topic: live.LiveTopic, ids: readonly string[] = [newId()]) =>
  server.database.write((tx) => announce(tx, scope, topic, ids));

/**
 * Everything the streams received before a marker event that is sent last; markers arrive in order, so nothing can still be on
 * its way.
 */
async function receivedBeforeMark(streams: readonly EventStream[], scope: Scope): Promise<readonly string[][]> {
  const mark = newId();
  await publish(scope, 'recordings', [mark]);
  for (const stream of streams) for (;;) if ((await stream.next()).data.ids.includes(mark)) break;
  return streams.map((stream) => stream.received.flatMap(({ data }) => data.ids).filter((id) => id !== mark));
}

const receivedBefore = async (stream: EventStream, scope: Scope): Promise<readonly string[]> =>
  (await receivedBeforeMark([stream], scope))[0]!;

describe('events', () => {
  test('stay within the organization, and reach the main account above it', async () => {
    const inNorth = await listen((await bearerOf(north, 'user')).bearer);
    const inSouth = await listen((await bearerOf(south, 'admin')).bearer);
    const above = await listen((await bearerOf(home, 'main')).bearer);
    const aboveNorth = await listen((await bearerOf(home, 'main')).bearer, { org: north.organizationId });
    const far = await listen((await bearerOf(foreignUser, 'admin')).bearer);
    const [atNorth, atSouth, atHome, atForeign] = [newId(), newId(), newId(), newId()];
    await publish(north, 'devices', [atNorth]);
    await publish(south, 'devices', [atSouth]);
    await publish(home, 'inventory', [atHome]);
    await publish(foreignUser, 'devices', [atForeign]);
    expect(await receivedBefore(inNorth, north)).toEqual([atNorth]);
    expect(await receivedBefore(inSouth, south)).toEqual([atSouth]);
    expect((await receivedBefore(above, home)).filter((id) => [atNorth, atSouth, atHome, atForeign].includes(id))).toEqual([
      atNorth,
      atSouth,
      atHome,
    ]);
    expect((await receivedBefore(aboveNorth, north)).filter((id) => [atNorth, atSouth, atHome, atForeign].includes(id))).toEqual([
      atNorth,
    ]);
    expect(await receivedBefore(far, foreignUser)).toEqual([atForeign]);
    expect(inNorth.received[0]).toMatchObject({ event: 'devices', data: { topic: 'devices', org: north.organizationId } });
  });

  test('FWR-01-partial of the catalogue reach every organization of its main account, live and on resuming, and no other', async () => {
    const [{ bearer }, { bearer: farBearer }] = [await bearerOf(north, 'user'), await bearerOf(foreignUser, 'user')];
    const [inNorth, far] = [await listen(bearer), await listen(farBearer)];
    const [before, live, missed, elsewhere] = [newId(), newId(), newId(), newId()];
    await publish(north, 'devices', [before]);
    const { id: position } = await inNorth.next();
    await publish(home, 'firmware', [live]);
    expect(await receivedBefore(inNorth, north)).toEqual([before, live]);
    inNorth.close();
    await publish(home, 'firmware', [missed]);
    await publish(home, 'inventory', [elsewhere]);
    const resumed = await listen(bearer, { lastEventId: position });
    expect(await receivedBefore(resumed, north)).toEqual(expect.arrayContaining([live, missed]));
    expect(resumed.received.flatMap(({ data }) => data.ids)).not.toContain(elsewhere);
    expect(await receivedBefore(far, foreignUser)).toEqual([]);
  });

  test('of another organization are rejected, not silently empty', async () => {
    const { bearer } = await bearerOf(north, 'admin');
    expect((await listen(bearer, { org: south.organizationId })).status).toBe(404);
    expect((await listen((await bearerOf(home, 'main')).bearer, { org: foreignUser.organizationId })).status).toBe(404);
    expect((await listen('x'.repeat(43))).status).toBe(401);
  });

  test('are merged: many changes are one event, and one with too many ids means the whole topic', async () => {
    const stream = await listen((await bearerOf(north, 'user')).bearer);
    const ids = Array.from({ length: 5 }, () => newId());
    await server.database.write(async (tx) => {
      for (const id of [...ids, ids[0]!]) await announce(tx, north, 'devices', [id]);
    });
    expect((await stream.next()).data).toEqual({ topic: 'devices', ids, org: north.organizationId });
    await server.database.write(async (tx) => {
      for (let part = 0; part < 3; part += 1)
        await announce(
          tx,
          north,
          'groups',
          Array.from({ length: 20 }, () => newId()),
        );
    });
    expect((await stream.next()).data).toEqual({ topic: 'groups', ids: [], org: north.organizationId });
    await publish(
      north,
      'devices',
      Array.from({ length: 51 }, () => newId()),
    );
    expect((await stream.next()).data).toEqual({ topic: 'devices', ids: [], org: north.organizationId });
    expect(stream.received).toHaveLength(3);
  });

  test('are only sent after a commit', async () => {
    const stream = await listen((await bearerOf(north, 'user')).bearer);
    const never = newId();
    const failed = server.database.write(async (tx) => {
      await announce(tx, north, 'devices', [never]);
      throw new Error('taken back');
    });
    await expect(failed).rejects.toThrow('taken back');
    expect(await receivedBefore(stream, north)).toEqual([]);
  });
});

/** Nothing was lost and no foreign event was sent. An event may be sent twice: any long transaction can cause that. */
function expectResumed(received: readonly string[], missed: readonly string[], foreign: readonly string[] = []): void {
  expect(missed.filter((id) => !received.includes(id))).toEqual([]);
  expect(received.filter((id) => foreign.includes(id))).toEqual([]);
}

describe('a disconnected stream', () => {
  test('resumes by Last-Event-ID with everything missed, and nothing foreign', async () => {
    const { bearer } = await bearerOf(north, 'user');
    const first = await listen(bearer);
    const seen = newId();
    await publish(north, 'devices', [seen]);
    const { id } = await first.next();
    first.close();
    const missed = [newId(), newId()];
    await publish(north, 'devices', [missed[0]!]);
    const foreign = newId();
    await publish(south, 'devices', [foreign]);
    await publish(north, 'groups', [missed[1]!]);
    const second = await listen(bearer, { lastEventId: id });
    expectResumed(await receivedBefore(second, north), missed, [foreign]);
    expect(second.received.map(({ event }) => event)).not.toContain('reset');
  });

  test('begins after the id of an earlier answer, with everything that changed since and nothing foreign, unless it resumes', async () => {
    const { bearer } = await bearerOf(north, 'user');
    await listen(bearer);
    const response = await fetch(`${server.url}/data_manager/v1/dm/group`, { headers: { authorization: `Bearer ${bearer}` } });
    const after = response.headers.get(live.EVENT_ID_HEADER)!;
    const [missed, foreign] = [newId(), newId()];
    await publish(north, 'devices', [missed]);
    await publish(south, 'devices', [foreign]);
    const stream = await listen(bearer, { after });
    expectResumed(await receivedBefore(stream, north), [missed], [foreign]);
    const resumed = await listen(bearer, { after: 'x', lastEventId: after });
    expectResumed(await receivedBefore(resumed, north), [missed], [foreign]);
    for (const { received } of [stream, resumed]) expect(received.map(({ event }) => event)).not.toContain('reset');
    const unknown = await listen(bearer, { after: 'x' });
    expect(await unknown.next()).toMatchObject({ event: 'reset' });
  });

  test('resumes from its beginning when it was cut off before the first event', async () => {
    const { bearer } = await bearerOf(north, 'user');
    const first = await listen(bearer);
    first.close();
    const missed = newId();
    await publish(north, 'devices', [missed]);
    const second = await listen(bearer, { lastEventId: first.lastId() });
    expect(await receivedBefore(second, north)).toContain(missed);
  });

  test('that is cut off again before the missed events were sent still gets them', async () => {
    const { bearer } = await bearerOf(north, 'user');
    const [first, witness] = [await listen(bearer), await listen(bearer)];
    first.close();
    const missed = newId();
    await publish(north, 'devices', [missed]);
    // From here on a new stream would begin after it.
    await until(() => witness.received.some(({ data }) => data.ids.includes(missed)));
    const second = await listen(bearer, { lastEventId: first.lastId() });
    second.close();
    // A browser keeps its id where a stream gives none.
    const third = await listen(bearer, { lastEventId: second.lastId() === '' ? first.lastId() : second.lastId() });
    expect(await receivedBefore(third, north)).toContain(missed);
  });

  test('resumes completely after a long absence, with no foreign events', async () => {
    const { bearer } = await bearerOf(north, 'user');
    const first = await listen(bearer);
    first.close();
    await server.owner.query(
      `insert into outbox (main_account_id, organization_id, topic, ids)
       select $1, $2, 'devices', array[n::text] from generate_series(1, 6000) n`,
      [north.mainAccountId, south.organizationId],
    );
    const missed = newId();
    await publish(north, 'devices', [missed]);
    const second = await listen(bearer, { lastEventId: first.lastId() });
    expectResumed(
      await receivedBefore(second, north),
      [missed],
      Array.from({ length: 6_000 }, (_, n) => String(n + 1)),
    );
    expect(second.received.map(({ event }) => event)).not.toContain('reset');
  });

  test('that missed too many events refetches everything', async () => {
    const { bearer } = await bearerOf(north, 'user');
    const first = await listen(bearer);
    first.close();
    await server.owner.query(
      `insert into outbox (main_account_id, organization_id, topic, ids)
       select $1, $2, 'devices', array[n::text] from generate_series(1, 5001) n`,
      [north.mainAccountId, north.organizationId],
    );
    const second = await listen(bearer, { lastEventId: first.lastId() });
    await receivedBefore(second, north);
    expect(second.received.map(({ event }) => event)).toContain('reset');
  });

  test('refetches everything when its cursor is expired, invalid or of another history', async () => {
    const { bearer } = await bearerOf(north, 'user');
    const first = await listen(bearer);
    const position = first.lastId();
    const [xid, seconds] = position.split('.') as [string, string];
    const worthless = [
      'x',
      '1.2',
      `${position}.1`,
      `-1.${seconds}`,
      `${'9'.repeat(18)}.${seconds}`,
      `${xid}.${Number(seconds) - 3_600}`,
      `${xid}.${Number(seconds) + 7_200}`,
      `${'9'.repeat(40)}.${seconds}`,
      `${xid}.${seconds}'; drop table outbox`,
    ];
    const streams = await Promise.all(worthless.map((lastEventId) => listen(bearer, { lastEventId })));
    const resets = await Promise.all(streams.map((stream) => stream.next()));
    expect(resets.map(({ event, data }) => [event, data.ids])).toEqual(worthless.map(() => ['reset', []]));
    for (const stream of streams) stream.close();
    const resumed = await Promise.all(resets.map(({ id }) => listen(bearer, { lastEventId: id })));
    await receivedBeforeMark(resumed, north);
    expect(resumed.flatMap(({ received }) => received.map(({ event }) => event))).not.toContain('reset');
  });
});

test('two transactions that commit out of order lose nothing, not even for a stream that resumes between them', async () => {
  const { bearer } = await bearerOf(north, 'user');
  const stream = await listen(bearer);
  const slow = new Client(database.ownerUrl);
  await slow.connect();
  const [early, late, between] = [newId(), newId(), newId()];
  try {
    await slow.query('begin');
    await slow.query('insert into outbox (main_account_id, organization_id, topic, ids) values ($1, $2, $3, $4)', [
      north.mainAccountId,
      north.organizationId,
      'devices',
      [early],
    ]);
    await publish(north, 'devices', [late]);
    const resumed = await listen(bearer, { lastEventId: stream.lastId() });
    await publish(north, 'devices', [between]);
    await slow.query('commit');
    expect([...(await receivedBefore(stream, north))].sort()).toEqual([early, late, between].sort());
    expect([...new Set(await receivedBefore(resumed, north))].filter((id) => [early, late, between].includes(id)).sort()).toEqual(
      [early, late, between].sort(),
    );
  } finally {
    await slow.end();
  }
});

test('a long transaction does not delay commits of others, and its events are sent once it ends', async () => {
  const { bearer } = await bearerOf(north, 'user');
  const stream = await listen(bearer);
  const slow = new Client(database.ownerUrl);
  await slow.connect();
  const [imported, ...others] = [newId(), newId(), newId(), newId()];
  try {
    await slow.query('begin');
    await slow.query('insert into outbox (main_account_id, organization_id, topic, ids) values ($1, $2, $3, $4)', [
      north.mainAccountId,
      north.organizationId,
      'inventory',
      [imported],
    ]);
    for (const id of others) expect(await receivedAfter(stream, () => publish(north, 'devices', [id]))).toEqual([id]);
    expect(await receivedAfter(stream, () => slow.query('commit'))).toEqual([imported]);
    // None of them is sent again, now that the earlier transaction has ended.
    expect(await receivedAfter(stream, () => publish(north, 'groups', ['last']))).toEqual(['last']);
  } finally {
    await slow.end();
  }
});

/** The ids of the next event after an action. */
async function receivedAfter(stream: EventStream, act: () => Promise<unknown>): Promise<readonly string[]> {
  await act();
  return (await stream.next()).data.ids;
}

describe('AUTH-08 ending', () => {
  const signOutEverywhere = (bearer: string) =>
    send(`${server.url}/dmp_aa/api/v1/auth/allTokenLogout`, { method: 'POST', bearer });
  const introspect = async (bearer: string) =>
    (await send(`${server.url}/dmp_aa/api/v2/auth/introspect/`, { method: 'POST', bearer })).status;

  test('every session of an account ends its calls and its open streams at once, and those of no other account', async () => {
    const mine = await bearerOf(north, 'admin');
    const phone = await server.seeding.bearer(mine.accountId);
    const other = await bearerOf(north, 'admin');
    const streams = [await listen(mine.bearer), await listen(phone)];
    const bystander = await listen(other.bearer);
    const response = await signOutEverywhere(mine.bearer);
    expect([response.status, response.json()]).toEqual([200, { result: { ended: 2 } }]);
    for (const stream of streams) {
      expect(await stream.next()).toMatchObject({ event: 'ended', data: { topic: 'ended' } });
      await stream.ended;
    }
    expect([await introspect(mine.bearer), await introspect(phone), await introspect(other.bearer)]).toEqual([401, 401, 200]);
    expect((await signOutEverywhere(mine.bearer)).error().message).toBe('Auth token timeout.');
    await receivedBefore(bystander, north);
    expect(bystander.received.map(({ event }) => event)).not.toContain('ended');
  });

  test('AUTH-05-partial signing out ends only this session', async () => {
    const mine = await bearerOf(north, 'user');
    const phone = await server.seeding.bearer(mine.accountId);
    const [here, there] = [await listen(mine.bearer), await listen(phone)];
    const response = await send(`${server.url}/dmp_aa/api/v1/auth/logout`, { method: 'POST', bearer: mine.bearer });
    expect(response.json()).toEqual({ result: { ended: 1 } });
    expect((await here.next()).event).toBe('ended');
    await here.ended;
    expect([await introspect(mine.bearer), await introspect(phone)]).toEqual([401, 200]);
    await receivedBefore(there, north);
    expect(there.received.map(({ event }) => event)).not.toContain('ended');
  });
});

describe('another server', () => {
  let second: TestServer;
  beforeAll(async () => {
    second = await startTestServer({ clock, database });
  });
  afterAll(() => second.close());

  test('AUTH-08 ends the streams of this one with the sessions, without waiting for a heartbeat', async () => {
    const mine = await bearerOf(north, 'user');
    const bystander = await listen((await bearerOf(north, 'user')).bearer);
    const stream = await listen(mine.bearer);
    const response = await send(`${second.url}/dmp_aa/api/v1/auth/allTokenLogout`, { method: 'POST', bearer: mine.bearer });
    expect(response.status).toBe(200);
    await stream.ended;
    expect(stream.received.at(-1)!.event).toBe('ended');
    await receivedBefore(bystander, north);
    expect(bystander.received.map(({ event }) => event)).not.toContain('ended');
  });

  test('resumes a stream cut off here, and streams what this server changes', async () => {
    const { bearer } = await bearerOf(north, 'user');
    const first = await listen(bearer);
    await receivedBefore(first, north);
    first.close();
    const [missed, later] = [newId(), newId()];
    await publish(north, 'devices', [missed]);
    const stream = await openEventStream(second.url, bearer, { lastEventId: first.lastId() });
    open.add(stream);
    await until(() => stream.received.some(({ data }) => data.ids.includes(missed)));
    await publish(north, 'groups', [later]);
    await until(() => stream.received.some(({ data }) => data.ids.includes(later)));
    expect(stream.received.map(({ event }) => event)).not.toContain('reset');
  });
});

describe('the heartbeat', () => {
  test('keeps the cursor of a quiet stream current', async () => {
    const { bearer } = await bearerOf(north, 'user');
    const quiet = await listen(bearer);
    const begun = quiet.lastId();
    clock.advance(45 * 60_000);
    await vi.advanceTimersByTimeAsync(15_000);
    await until(() => quiet.lastId() !== begun);
    quiet.close();
    clock.advance(45 * 60_000);
    const resumed = await listen(bearer, { lastEventId: quiet.lastId() });
    await receivedBefore(resumed, north);
    expect(resumed.received.map(({ event }) => event)).not.toContain('reset');
    const late = await listen(bearer, { lastEventId: begun });
    expect((await late.next()).event).toBe('reset');
  });

  test('ends the streams of sessions that another server ended, and of users whose role changed', async () => {
    const ended = await bearerOf(north, 'user');
    const promoted = await bearerOf(north, 'user');
    const moved = await bearerOf(north, 'user');
    const same = await bearerOf(north, 'user');
    const streams = await Promise.all([ended, promoted, moved].map(({ bearer }) => listen(bearer)));
    const quiet = await listen(same.bearer);
    await server.owner.query('delete from sessions where account_id = $1', [ended.accountId]);
    await server.owner.query('update accounts set roles = $1 where id = $2', [
      [`r.${north.organizationId}.super`],
      promoted.accountId,
    ]);
    await server.owner.query('update accounts set organization_id = $1, roles = $2 where id = $3', [
      south.organizationId,
      [`r.${south.organizationId}.vendor`],
      moved.accountId,
    ]);
    await vi.advanceTimersByTimeAsync(15_000);
    for (const stream of streams) {
      expect((await stream.next()).event).toBe('ended');
      await stream.ended;
    }
    expect(await receivedBefore(quiet, north)).toEqual([]);
  });
});

test('an account may hold twenty streams; one more closes the oldest', async () => {
  const { bearer } = await bearerOf(south, 'user');
  const streams: EventStream[] = [];
  for (let count = 0; count < 21; count += 1) streams.push(await listen(bearer));
  await streams[0]!.ended;
  expect(await receivedBefore(streams[1]!, south)).toEqual([]);
  expect(await receivedBefore(streams[20]!, south)).not.toContain('reset');
  for (const stream of streams) stream.close();
});

describe('many streams', () => {
  const begin = (bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}` };
    return beginRequest(server.url, { method: 'GET', path: '/data_manager/v1/events', headers });
  };
  const beginMany = async (bearers: readonly string[]) => {
    const requests = bearers.flatMap((bearer) => Array.from({ length: 20 }, () => begin(bearer)));
    return {
      sockets: requests.map(({ socket }) => socket),
      responses: await Promise.all(requests.map(({ response }) => response)),
    };
  };

  test('of one account keep twenty connections: that of an older one is closed', async () => {
    const { bearer } = await bearerOf(south, 'user');
    const { sockets: older, responses } = await beginMany([bearer]);
    expect(responses.filter(({ head }) => !head.includes('connection: close'))).toEqual([]);
    const closed = Promise.all(older.map((socket) => once(socket, 'close')));
    const { sockets: newer } = await beginMany([bearer]);
    await closed;
    expect(newer.map(({ closed: isClosed }) => isClosed)).toEqual(Array(20).fill(false));
    for (const socket of newer) socket.destroy();
  });

  test('of one organization are limited, with a sentence; another organization and who has one open are not', async () => {
    const crowded = await server.seeding.organization(home, 'Crowded');
    const people = await Promise.all(Array.from({ length: 20 }, () => bearerOf(crowded, 'user')));
    const { sockets, responses } = await beginMany(people.map(({ bearer }) => bearer));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const late = begin((await bearerOf(crowded, 'user')).bearer);
    const { status, head, text } = await late.response;
    expect([status, head.includes('retry-after: 60'), text]).toEqual([
      429,
      true,
      expect.stringContaining('Too many event streams'),
    ]);
    const others = [begin((await bearerOf(south, 'user')).bearer), begin(people[0]!.bearer)];
    for (const { response } of others) expect((await response).status).toBe(200);
    for (const socket of [...sockets, late.socket, ...others.map((other) => other.socket)]) socket.destroy();
  });
});

test('a browser that left while its session was read has no stream, which would count for its organization', async () => {
  const events = { subscribe: () => () => {} };
  const streams = createLiveStreams({ dispatcher: events, shown: events, log: silentLog } as never);
  let open: (call: object) => Promise<void>;
  streams.register({ on: (_operation: object, handler: typeof open) => void (open = handler) } as never);
  const gone = { destroyed: true, writableEnded: true, writeHead: () => gone, on: () => gone, end: () => gone };
  const reply = { raw: gone, hijack: () => reply, getHeaders: () => ({}) };
  const actor = { accountId: 'a', organizationId: south.organizationId, mainAccountId: south.mainAccountId };
  await open!({ actor, scope: south, query: {}, reply, request: { headers: {} } });
  expect(streams.tenants()).toEqual([]);
  streams.closeAll();
});

/** Open a stream in a call of a limited person. @returns what it sends */
async function openLimited(readSession: () => Promise<void>) {
  const events = { subscribe: () => () => {}, readUpTo: () => {} };
  const streams = createLiveStreams({ dispatcher: events, shown: events, log: silentLog, clock, readSession } as never);
  let open: (call: object) => Promise<void>;
  streams.register({ on: (_operation: object, handler: typeof open) => void (open = handler) } as never);
  const sent: string[] = [];
  const raw = { destroyed: false, writeHead: () => raw, on: () => raw, end: () => raw, write: (text: string) => sent.push(text) };
  const reply = { raw, hijack: () => reply, getHeaders: () => ({}) };
  const actor = { accountId: 'a', organizationId: south.organizationId, mainAccountId: south.mainAccountId };
  const limit = { accountId: newId(), organizationId: south.organizationId, groups: [], tags: [] };
  await withinCall({ limit }, () => open({ actor, scope: south, query: {}, reply, request: { headers: {} } }));
  return { hasEnded: async () => sent.join('').includes('event: ended'), close: () => streams.closeAll() };
}

test('IAM-04-partial AUTH-08-partial the stream of a limited person whose session is over ends as it is opened', async () => {
  let reads = 0;
  const stream = await openLimited(async () => {
    reads += 1;
    // A table that limited people may not read. The session is over.
    await server.database.read.selectFrom('sign_in_policies').selectAll().execute();
  });
  await until(stream.hasEnded);
  expect(reads).toBe(1);
  stream.close();
});

test('AUTH-08-partial a session that could not be read is read again at the next heartbeat', async () => {
  let tries = 0;
  const stream = await openLimited(async () => {
    tries += 1;
    if (tries === 1) throw new Error('The database is away.');
  });
  await until(async () => tries === 1);
  await vi.advanceTimersByTimeAsync(live.beatSeconds * 1_000);
  await until(stream.hasEnded);
  expect(tries).toBe(2);
  stream.close();
});

test('a stopping server asks every console to reconnect, each after another delay', async () => {
  const second = await startTestServer({ clock, database });
  const { bearer } = await bearerOf(north, 'user');
  const streams = await Promise.all([1, 2, 3].map(() => openEventStream(second.url, bearer)));
  const before = streams.map((stream) => stream.retry());
  await second.close();
  for (const stream of streams) {
    await stream.ended;
    expect(stream.received).toEqual([]);
    expect(stream.retry()).toBeGreaterThanOrEqual(1_000);
    expect(stream.retry()).toBeLessThan(10_000);
  }
  expect(before).toEqual([2_000, 2_000, 2_000]);
});
