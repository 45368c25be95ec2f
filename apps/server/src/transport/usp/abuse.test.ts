import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { minimalAgent } from '../../testing/agent-models.ts';
import type { TestAgent } from '../../testing/agent.ts';
import type { OtherClient } from '../../testing/other-client.ts';
import { eventually } from '../../testing/eventually.ts';
import { BEYOND_STALLS_MS } from '../../testing/gateway.ts';
import { openGatewaysWithOther } from '../../testing/gateways.ts';
import type { RouterDatabase, TestRouter } from '../../testing/routers.ts';

let fleet: RouterDatabase;
let router: TestRouter;
let other: TestRouter;
let otherClient: OtherClient;
const start = openGatewaysWithOther(
  (given) => ({ fleet, router, other } = given),
  (met) => (otherClient = met),
);

describe('each of these closes only its own socket', () => {
  const closings: readonly [what: string, misbehave: (agent: TestAgent) => void, code: number][] = [
    ['a first record that is not an introduction', (agent) => agent.event('1', 'Device.', 'Boot!'), 1008],
    ['a from_id that differs from its eid', (agent) => agent.introduce({ fromId: 'os::00B2D0-OTHER' }), 1008],
    ['a from_id of another router', (agent) => agent.introduce({ fromId: other.endpointId }), 1008],
    ['another controller as to_id', (agent) => agent.introduce({ toId: 'self::other' }), 1008],
    ['a text frame', (agent) => agent.socket.send('hello'), 1003],
    ['garbage', (agent) => agent.socket.send(randomBytes(1_000)), 1003],
    ['an empty frame', (agent) => agent.socket.send(Buffer.alloc(0)), 1003],
    [
      'a record of more payloads than a session has',
      (agent) => agent.sendRecord({ sessionContext: { payload: emptyPayloads(2_000) } }),
      1003,
    ],
    ['a frame of 100 MB', (agent) => agent.socket.send(Buffer.alloc(100 * 1024 * 1024)), 1009],
    ['a message of 100 MB in fragments', (agent) => sendInPieces(agent, 100), 1009],
    ['a message in ten thousand fragments', (agent) => sendInTinyPieces(agent, 10_000), 1008],
  ];
  it.each(closings)('%s', async (_, misbehave, code) => {
    const gateway = await start();
    const agent = await gateway.agent(router, { mute: true }).opened();
    misbehave(agent);
    expect((await agent.closed).code).toBe(code);
    await otherClient.isAlone(router);
    expect(await otherClient.complaints()).toEqual([]);
  });

  it.each(closings.slice(4))('%s, also from a router that was online', async (_, misbehave, code) => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    misbehave(agent);
    expect((await agent.closed).code).toBe(code);
    await otherClient.isAlone(router);
    expect(await fleet.deviceOf(router)).toMatchObject({ presence_reason: 'protocol-fault' });
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('a record whose payload is not a message', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    agent.sendRecord({ noSessionContext: { payload: randomBytes(50) } });
    expect((await agent.closed).code).toBe(1003);
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('a message within the limit of bytes whose half a million empty parts would take seconds to decode', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    agent.sendRecord({ noSessionContext: { payload: halfAMillionResults() } });
    expect(await agent.closed).toMatchObject({ code: 1003, reason: 'not a USP record' });
    await otherClient.isAlone(router);
    expect(await fleet.deviceOf(router)).toMatchObject({ presence_reason: 'protocol-fault' });
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('a session context, with an explanation', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    agent.sendRecord({ sessionContext: { sessionId: 1n, payload: [] } });
    expect((await agent.closed).code).toBe(1008);
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('no introduction in time', async () => {
    const gateway = await start({ connectMs: BEYOND_STALLS_MS });
    const agent = gateway.agent(router, { mute: true });
    expect((await agent.closed).code).toBe(1008);
    await otherClient.isAlone(router);
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('half-open: the other side is gone without a close', async () => {
    const gateway = await start({ pingMs: 100, silenceMs: BEYOND_STALLS_MS });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    stopReading(agent);
    await eventually(() => expect(gateway.gateway.stats().connected).toBe(1));
    await otherClient.isAlone(router);
    expect(await fleet.deviceOf(router)).toMatchObject({ presence_reason: 'no-answer' });
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('two agents with one identity: the older one is closed', async () => {
    const gateway = await start();
    const older = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    const newer = gateway.agent(router, minimalAgent);
    expect((await older.closed).code).toBe(1008);
    await gateway.reconciled(3);
    expect(newer.socket.readyState).toBe(WebSocket.OPEN);
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('a flood is slowed down and loses nothing', async () => {
    const gateway = await start({ framesPerSecond: 50, notificationsInFlight: 1_000 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    for (let index = 0; index < 200; index++)
      agent.push(`f-${index}`, [{ 'Device.Cellular.Interface.1.Stats.BytesSent': index }]);
    expect(await otherClient.complaints()).toEqual([]);
    await agent.whenResponded('f-199');
    expect(new Set((await fleet.telemetryOf(router)).map(({ value }) => value)).size).toBe(200);
    expect(agent.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('messages of many fields are slowed down and lose nothing', async () => {
    const gateway = await start({ fieldsPerSecond: 2_000 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    agent.event('many', 'Device.', 'Nothing!', parameters(1_000));
    await agent.whenResponded('many');
    agent.event('still-here', 'Device.', 'Nothing!');
    await agent.whenResponded('still-here');
    expect(agent.socket.readyState).toBe(WebSocket.OPEN);
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('messages of many fields that continue', async () => {
    const gateway = await start({ fieldsPerSecond: 2_000, fullSeconds: 0 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    agent.event('many', 'Device.', 'Nothing!', parameters(1_000));
    expect(await agent.closed).toMatchObject({ code: 1008, reason: 'too many messages' });
    await otherClient.isAlone(router);
    expect(await fleet.deviceOf(router)).toMatchObject({ presence_reason: 'flooding' });
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('a flood that continues is closed', async () => {
    const gateway = await start({ framesPerSecond: 5, fullSeconds: 1 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    const flood = setInterval(() => agent.socket.readyState === WebSocket.OPEN && agent.event('x', 'Device.', 'Nothing!'), 5);
    expect(await agent.closed).toMatchObject({ code: 1008, reason: 'too many messages' });
    clearInterval(flood);
    await otherClient.isAlone(router);
    expect(await fleet.deviceOf(router)).toMatchObject({ presence_reason: 'flooding' });
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('a flood of pings', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    for (let index = 0; index < 20_000; index++) agent.socket.ping();
    expect((await agent.closed).code).not.toBe(1000);
    await otherClient.isAlone(router);
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('a client that never reads', async () => {
    const gateway = await start({ maxUnsentBytes: 64 * 1024 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    stopReading(agent);
    const path = `Device.${'x'.repeat(900_000)}`;
    await eventually(async () => {
      await gateway.gateway.deviceLink.readValues(router.id, [path], 1).catch(() => undefined);
      expect(gateway.gateway.stats().connected).toBe(1);
    });
    expect(await otherClient.complaints()).toEqual([]);
  });
});

describe('input that is only dropped', () => {
  it('records from others, for others, and second introductions', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    agent.sendRecord({ fromId: other.endpointId, noSessionContext: { payload: Buffer.alloc(0) } });
    agent.sendRecord({ toId: 'self::other', noSessionContext: { payload: Buffer.alloc(0) } });
    agent.introduce();
    agent.event('still-here', 'Device.', 'Boot!');
    await agent.whenResponded('still-here');
    expect(gateway.gateway.stats()).toMatchObject({ misaddressed: 2, connected: 2 });
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('a request of an agent is answered with an error', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled(2);
    agent.sendMessage('q', 'GET', 'request', 'get', { paramPaths: ['Device.'] });
    agent.event('still-here', 'Device.', 'Boot!');
    await agent.whenResponded('still-here');
    expect(agent.errors).toMatchObject([{ msgId: 'q', value: { errCode: 7001 } }]);
  });

  it('a fragmented message is read as one', async () => {
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
    await agent.whenResponded('whole');
    expect(agent.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('half a handshake, or bytes that are not one, do no harm', async () => {
    const gateway = await start();
    const { port } = new URL(gateway.address);
    for (const bytes of [`GET /usp/${router.secret} HTTP/1.1\r\nHost: x\r\n`, '\u0000\u0001\u0002', randomBytes(10_000)]) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(bytes, () => socket.destroy());
      await new Promise((resolve) => socket.once('close', resolve));
    }
    expect(gateway.gateway.stats()).toMatchObject({ connected: 1, authenticating: 0 });
    expect(await otherClient.complaints()).toEqual([]);
  });
});

/** Stop reading from the socket, pings included. */
function stopReading({ socket }: TestAgent): void {
  socket.pause();
}

function emptyPayloads(count: number): Uint8Array[] {
  return Array.from({ length: count }, () => new Uint8Array(0));
}

function parameters(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`Name${index}`, '1']));
}

/** A GetResp of 1 MB: two bytes for each of its results. */
function halfAMillionResults(): Buffer {
  const EMPTY_RESULT = [0x0a, 0x00];
  // The header with an id, then body, response and get_resp, each with its length.
  const before = [0x0a, 0x03, 0x0a, 0x01, 0x78, 0x12, 0xc8, 0x84, 0x3d, 0x12, 0xc4, 0x84, 0x3d, 0x0a, 0xc0, 0x84, 0x3d];
  return Buffer.concat([Buffer.from(before), Buffer.alloc(1_000_000, Buffer.from(EMPTY_RESULT))]);
}

function sendInPieces(agent: TestAgent, megabytes: number): void {
  const piece = Buffer.alloc(1024 * 1024);
  for (let index = 0; index < megabytes; index++) agent.socket.send(piece, { binary: true, fin: index === megabytes - 1 });
}

function sendInTinyPieces(agent: TestAgent, pieces: number): void {
  for (let index = 0; index < pieces; index++) agent.socket.send(Buffer.alloc(1), { binary: true, fin: false });
}
