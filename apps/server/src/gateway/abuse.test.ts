import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { minimalAgent } from '../testing/agent-models.ts';
import type { TestAgent } from '../testing/agent.ts';
import { startTestGateway, type StartParameters, type TestGateway } from '../testing/gateway.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase, type TestRouter } from '../testing/routers.ts';

let fleet: RouterDatabase;
let router: TestRouter;
let neighbour: TestRouter;
let running: TestGateway;
let good: TestAgent;

beforeAll(async () => {
  fleet = await openRouterDatabase();
});
afterAll(() => fleet.close());
beforeEach(async () => {
  [router, neighbour] = (await addTestRouters(fleet, 2)) as [TestRouter, TestRouter];
});
afterEach(() => running.stop());

/** A gateway with one well-behaved router on it. */
async function start(...[settings, options]: StartParameters): Promise<TestGateway> {
  running = await startTestGateway(fleet, settings, options);
  good = running.agent(neighbour, minimalAgent);
  await running.reconciled();
  return running;
}

let question = 0;

/** The neighbour never noticed anything: the same connection is open, asked and answered, and its notifications are taken. */
async function expectNeighbourUnharmed(): Promise<void> {
  expect(good.socket.readyState).toBe(WebSocket.OPEN);
  const answer = await running.gateway.deviceLink.get(neighbour.id, ['Device.DeviceInfo.ModelName']);
  expect(answer.get('Device.DeviceInfo.ModelName')).toBe('HR-100');
  const id = `unharmed-${question++}`;
  good.push(id, [{ 'Device.Cellular.Interface.1.RSSI': -60 }]);
  await good.whenAnswered(id);
  await running.presence.flush();
  expect(await fleet.historyOf(neighbour)).toEqual(['online: connected']);
}

/** The router was never let in, or is out again. */
async function expectOut(): Promise<void> {
  await running.presence.flush();
  await vi.waitFor(() => expect(running.gateway.stats().connected).toBe(1));
  expect((await fleet.deviceOf(router)).presence).toBe('offline');
}

describe('the door', () => {
  it('refuses a wrong or missing subprotocol with 400', async () => {
    const gateway = await start();
    expect(await gateway.agent(router, { protocols: [] }).refused).toBe(400);
    expect(await gateway.agent(router, { protocols: ['v1.stomp', 'v1.uspx'] }).refused).toBe(400);
    const among = await gateway.agent(router, { ...minimalAgent, protocols: ['v1.other', 'v1.usp'] }).opened();
    expect(among.socket.protocol).toBe('v1.usp');
    await expectNeighbourUnharmed();
  });

  it('answers a wrong secret, and a right one with another endpoint, alike', async () => {
    const gateway = await start();
    expect(await gateway.agent(router, { secret: 'x'.repeat(43) }).refused).toBe(401);
    expect(await gateway.agent(router, { query: `?eid=${encodeURIComponent(neighbour.endpointId)}` }).refused).toBe(401);
    expect(await gateway.agent(router, { secret: neighbour.secret }).refused).toBe(401);
    expect(await gateway.agent(router, { secret: '%' }).refused).toBe(401);
    await expectOut();
    await expectNeighbourUnharmed();
  });

  it('lets in a router whose address has no eid: its first record names it', async () => {
    const gateway = await start();
    await gateway.agent(router, { ...minimalAgent, query: '' }).opened();
    await gateway.reconciled(2);
    expect(gateway.gateway.stats().connected).toBe(2);
    await expectNeighbourUnharmed();
  });

  it('has nothing at other addresses', async () => {
    const gateway = await start();
    expect(await gateway.agent(router, { server: `${gateway.address}/elsewhere` }).refused).toBe(404);
    expect(await gateway.agent(router, { secret: '' }).refused).toBe(404);
    expect(await gateway.agent(router, { secret: `${router.secret}/more` }).refused).toBe(404);
    expect(await gateway.agent(router, { secret: 'x'.repeat(500) }).refused).toBe(404);
    await expectNeighbourUnharmed();
  });

  it('the secret before a rotation opens it until its overlap ends', async () => {
    const gateway = await start();
    const rotated = (until: Date) =>
      fleet.database.read
        .updateTable('routers')
        .set((row) => ({
          previous_secret_hash: row.ref('secret_hash'),
          previous_secret_until: until,
          secret_hash: randomBytes(32),
        }))
        .where('id', '=', router.id)
        .execute();
    await rotated(new Date(Date.now() + 60_000));
    const agent = await gateway.agent(router, minimalAgent).opened();
    expect(agent.socket.readyState).toBe(WebSocket.OPEN);
    agent.cut();
    await fleet.database.read
      .updateTable('routers')
      .set({ previous_secret_until: new Date(Date.now() - 1) })
      .where('id', '=', router.id)
      .execute();
    expect(await gateway.agent(router, minimalAgent).refused).toBe(401);
  });

  it('an address that keeps trying is slowed down, and good routers behind the same address are not', async () => {
    const gateway = await start({ failedTries: 3, suspectsWaiting: 5 });
    const fail = () => gateway.agent(router, { secret: randomBytes(32).toString('base64url') }).refused;
    for (let index = 0; index < 4; index++) expect(await fail()).toBe(401);
    const bad = Array.from({ length: 30 }, fail);
    const again = gateway.agent(neighbour, minimalAgent);
    await again.opened();
    const outcomes = await Promise.all(bad);
    expect(new Set(outcomes)).toEqual(new Set([401, 429]));
    // Never seen before, and yet let in: its turn comes.
    await gateway.agent(router, minimalAgent).opened();
    expect(gateway.gateway.stats().admission.unknown).toBe(4 + outcomes.filter((status) => status === 401).length);
  });

  it('a router that connects again and again has to wait, and nobody else', async () => {
    const gateway = await start({ reconnects: 3 });
    for (let index = 0; index < 3; index++) (await gateway.agent(router, { mute: true }).opened()).cut();
    expect(await gateway.agent(router).refused).toBe(429);
    await expectNeighbourUnharmed();
    expect((await gateway.agent(neighbour, minimalAgent).opened()).socket.readyState).toBe(WebSocket.OPEN);
  });

  it('while the database is away sends routers off to come again, and then lets them in', async () => {
    const gateway = await start();
    const outage = fleet.breakDatabase();
    expect(await gateway.agent(router, minimalAgent).refused).toBe(503);
    outage.repair();
    await gateway.agent(router, minimalAgent).opened();
    await expectNeighbourUnharmed();
  });

  it('a thousand routers at once are all let in, one after another, and stand as online', async () => {
    const gateway = await start();
    const routers = await addTestRouters(fleet, 1_000);
    const agents = routers.map((each) => gateway.agent(each, { mute: true }));
    await Promise.all(agents.map((agent) => agent.opened()));
    for (const agent of agents) agent.introduce();
    await vi.waitFor(() => expect(gateway.gateway.stats().connected).toBe(1_001), { timeout: 20_000 });
    await gateway.presence.flush();
    const { total } = await fleet.database.read
      .selectFrom('devices')
      .select((row) => row.fn.countAll<number>().as('total'))
      .where('presence', '=', 'online')
      .executeTakeFirstOrThrow();
    expect(total).toBe(1_001);
    expect(gateway.gateway.stats().admission).toMatchObject({ admitted: 1_001, unknown: 0, deferred: 0 });
    await expectNeighbourUnharmed();
  });

  it('no secret stands in any line of the log', async () => {
    const lines: string[] = [];
    const note = (fields: object, sentence: string) => lines.push(JSON.stringify(fields) + sentence);
    const gateway = await start({ failedTries: 1 }, { log: { debug: note, info: note, warn: note, error: note } });
    await gateway.agent(router, { secret: 'wrong-but-secret' }).refused;
    const agent = await gateway.agent(router, { mute: true }).opened();
    agent.socket.send(randomBytes(100));
    await agent.closed;
    const outage = fleet.breakDatabase();
    await gateway.agent(router).refused;
    outage.repair();
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter((line) => line.includes(router.secret) || line.includes('wrong-but-secret'))).toEqual([]);
  });
});

describe('each of these closes that socket only', () => {
  const closings: readonly [what: string, misbehave: (agent: TestAgent) => void, code: number][] = [
    ['a first record that is no introduction', (agent) => agent.event('1', 'Device.', 'Boot!'), 1008],
    ['a from_id that is not its eid', (agent) => agent.introduce({ fromId: 'os::00B2D0-OTHER' }), 1008],
    ['a from_id that is its neighbour', (agent) => agent.introduce({ fromId: neighbour.endpointId }), 1008],
    ['another controller as to_id', (agent) => agent.introduce({ toId: 'self::other' }), 1008],
    ['a text frame', (agent) => agent.socket.send('hello'), 1003],
    ['garbage', (agent) => agent.socket.send(randomBytes(1_000)), 1003],
    ['an empty frame', (agent) => agent.socket.send(Buffer.alloc(0)), 1003],
    ['a frame of 100 MB', (agent) => agent.socket.send(Buffer.alloc(100 * 1024 * 1024)), 1009],
    ['a message of 100 MB in pieces', (agent) => sendInPieces(agent, 100), 1009],
    ['a message in ten thousand pieces', (agent) => sendInTinyPieces(agent, 10_000), 1008],
  ];
  it.each(closings)('%s', async (_, misbehave, code) => {
    const gateway = await start();
    const agent = await gateway.agent(router, { mute: true }).opened();
    misbehave(agent);
    expect((await agent.closed).code).toBe(code);
    await expectOut();
    await expectNeighbourUnharmed();
  });

  it.each(closings.slice(4))('%s, also from a router that was online', async (_, misbehave, code) => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    misbehave(agent);
    expect((await agent.closed).code).toBe(code);
    await expectOut();
    expect(await fleet.deviceOf(router)).toMatchObject({ presence_reason: 'protocol-fault' });
    await expectNeighbourUnharmed();
  });

  it('a record whose payload is no message', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    agent.sendRecord({ noSessionContext: { payload: randomBytes(50) } });
    expect((await agent.closed).code).toBe(1003);
    await expectNeighbourUnharmed();
  });

  it('a session context, with a word why', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    agent.sendRecord({ sessionContext: { sessionId: 1n, payload: [] } });
    expect((await agent.closed).code).toBe(1008);
    await expectNeighbourUnharmed();
  });

  it('no introduction in time', async () => {
    const gateway = await start({ connectMs: 50 });
    const agent = gateway.agent(router, { mute: true });
    expect((await agent.closed).code).toBe(1008);
    await expectOut();
    await expectNeighbourUnharmed();
  });

  it('half-open: the other side is gone and nobody said so', async () => {
    const gateway = await start({ pingMs: 40, silenceMs: 200 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    stopReading(agent);
    await vi.waitFor(() => expect(gateway.gateway.stats().connected).toBe(1), { timeout: 10_000 });
    await expectOut();
    expect(await fleet.deviceOf(router)).toMatchObject({ presence_reason: 'no-answer' });
    await expectNeighbourUnharmed();
  });

  it('two agents with one identity: the older one is closed', async () => {
    const gateway = await start();
    const older = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    const newer = gateway.agent(router, minimalAgent);
    expect((await older.closed).code).toBe(1008);
    await gateway.reconciled(3);
    expect(newer.socket.readyState).toBe(WebSocket.OPEN);
    await expectNeighbourUnharmed();
  });

  it('a flood is slowed down without losing any of it', async () => {
    const gateway = await start({ framesPerSecond: 50, notificationsInFlight: 1_000 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    for (let index = 0; index < 200; index++)
      agent.push(`f-${index}`, [{ 'Device.Cellular.Interface.1.Stats.BytesSent': index }]);
    await expectNeighbourUnharmed();
    await agent.whenAnswered('f-199');
    expect(new Set((await fleet.telemetryOf(router)).map(({ value }) => value)).size).toBe(200);
    expect(agent.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('a flood that does not end is closed', async () => {
    const gateway = await start({ framesPerSecond: 5, fullSeconds: 1 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    const flood = setInterval(() => agent.socket.readyState === WebSocket.OPEN && agent.event('x', 'Device.', 'Nothing!'), 5);
    expect(await agent.closed).toMatchObject({ code: 1008, reason: 'too many messages' });
    clearInterval(flood);
    await expectOut();
    expect(await fleet.deviceOf(router)).toMatchObject({ presence_reason: 'flooding' });
    await expectNeighbourUnharmed();
  });

  it('a flood of pings', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    for (let index = 0; index < 20_000; index++) agent.socket.ping();
    expect((await agent.closed).code).not.toBe(1000);
    await expectOut();
    await expectNeighbourUnharmed();
  });

  it('one that never reads what it is sent', async () => {
    const gateway = await start({ maxUnsentBytes: 64 * 1024 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    stopReading(agent);
    const path = `Device.${'x'.repeat(900_000)}`;
    await vi.waitFor(
      async () => {
        await gateway.gateway.deviceLink.get(router.id, [path], 1).catch(() => undefined);
        expect(gateway.gateway.stats().connected).toBe(1);
      },
      { timeout: 20_000, interval: 1 },
    );
    await expectNeighbourUnharmed();
  });
});

describe('what is only dropped', () => {
  it('records from others, for others, and second introductions', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    agent.sendRecord({ fromId: neighbour.endpointId, noSessionContext: { payload: Buffer.alloc(0) } });
    agent.sendRecord({ toId: 'self::other', noSessionContext: { payload: Buffer.alloc(0) } });
    agent.introduce();
    agent.event('still-here', 'Device.', 'Boot!');
    await agent.whenAnswered('still-here');
    expect(gateway.gateway.stats()).toMatchObject({ misaddressed: 2, connected: 2 });
    await expectNeighbourUnharmed();
  });

  it('a request of an agent is answered with an error', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    agent.sendMessage('q', 'GET', 'request', 'get', { paramPaths: ['Device.'] });
    agent.event('still-here', 'Device.', 'Boot!');
    await agent.whenAnswered('still-here');
    expect(agent.errors).toMatchObject([{ msgId: 'q', value: { errCode: 7001 } }]);
  });

  it('a message in some pieces is read as one', async () => {
    const gateway = await start();
    const agent = await gateway.agent(router, { mute: true }).opened();
    const send = agent.socket.send.bind(agent.socket);
    agent.socket.send = ((data: Uint8Array) => {
      const middle = Math.floor(data.length / 2);
      send(data.subarray(0, middle), { binary: true, fin: false });
      send(data.subarray(middle), { binary: true, fin: true });
    }) as never;
    agent.introduce();
    agent.event('whole', 'Device.', 'Boot!');
    await agent.whenAnswered('whole');
    expect(agent.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('half a handshake, and bytes that are none, cost nothing', async () => {
    const gateway = await start();
    const { port } = new URL(gateway.address);
    for (const bytes of [`GET /usp/${router.secret} HTTP/1.1\r\nHost: x\r\n`, '\u0000\u0001\u0002', randomBytes(10_000)]) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(bytes, () => socket.destroy());
      await new Promise((resolve) => socket.once('close', resolve));
    }
    expect(gateway.gateway.stats()).toMatchObject({ connected: 1, knocking: 0 });
    await expectNeighbourUnharmed();
  });
});

/** Takes nothing from the wire any more, not even pings. */
function stopReading({ socket }: TestAgent): void {
  socket.pause();
}

function sendInPieces(agent: TestAgent, megabytes: number): void {
  const piece = Buffer.alloc(1024 * 1024);
  for (let index = 0; index < megabytes; index++) agent.socket.send(piece, { binary: true, fin: index === megabytes - 1 });
}

function sendInTinyPieces(agent: TestAgent, pieces: number): void {
  for (let index = 0; index < pieces; index++) agent.socket.send(Buffer.alloc(1), { binary: true, fin: false });
}
