import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { minimalAgent } from '../../testing/agent-models.ts';
import type { OtherClient } from '../../testing/other-client.ts';
import { eventually } from '../../testing/eventually.ts';
import { openGatewaysWithOther } from '../../testing/gateways.ts';
import { addTestRouters, type RouterDatabase, type TestRouter } from '../../testing/routers.ts';

let fleet: RouterDatabase;
let router: TestRouter;
let other: TestRouter;
let otherClient: OtherClient;
const start = openGatewaysWithOther(
  (given) => ({ fleet, router, other } = given),
  (met) => (otherClient = met),
);

describe('the router endpoint', () => {
  it('rejects a wrong or missing subprotocol with 400', async () => {
    const gateway = await start();
    expect(await gateway.agent(router, { protocols: [] }).rejected).toBe(400);
    expect(await gateway.agent(router, { protocols: ['v1.stomp', 'v1.uspx'] }).rejected).toBe(400);
    const among = await gateway.agent(router, { ...minimalAgent, protocols: ['v1.other', 'v1.usp'] }).opened();
    expect(among.socket.protocol).toBe('v1.usp');
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('answers a wrong secret, and a right one with another endpoint, identically', async () => {
    const gateway = await start();
    expect(await gateway.agent(router, { secret: 'x'.repeat(43) }).rejected).toBe(401);
    expect(await gateway.agent(router, { query: `?eid=${encodeURIComponent(other.endpointId)}` }).rejected).toBe(401);
    expect(await gateway.agent(router, { secret: other.secret }).rejected).toBe(401);
    expect(await gateway.agent(router, { secret: '%' }).rejected).toBe(401);
    await otherClient.isAlone(router);
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('admits a router whose address has no eid: its first record names it', async () => {
    const gateway = await start();
    await gateway.agent(router, { ...minimalAgent, query: '' }).opened();
    await gateway.reconciled(2);
    expect(gateway.gateway.stats().connected).toBe(2);
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('answers 404 at other addresses', async () => {
    const gateway = await start();
    expect(await gateway.agent(router, { server: `${gateway.address}/elsewhere` }).rejected).toBe(404);
    expect(await gateway.agent(router, { secret: '' }).rejected).toBe(404);
    expect(await gateway.agent(router, { secret: `${router.secret}/more` }).rejected).toBe(404);
    expect(await gateway.agent(router, { secret: 'x'.repeat(500) }).rejected).toBe(404);
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('accepts the secret before a rotation until its overlap ends', async () => {
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
    expect(await gateway.agent(router, minimalAgent).rejected).toBe(401);
  });

  it('an address that keeps trying is slowed down, and good routers behind the same address are not', async () => {
    const gateway = await start({ failedTries: 3, suspectsWaiting: 5 });
    const fail = () => gateway.agent(router, { secret: randomBytes(32).toString('base64url') }).rejected;
    for (let index = 0; index < 4; index++) expect(await fail()).toBe(401);
    const bad = Array.from({ length: 30 }, fail);
    const again = gateway.agent(other, minimalAgent);
    await again.opened();
    const outcomes = await Promise.all(bad);
    expect(new Set(outcomes)).toEqual(new Set([401, 429]));
    // A router never seen before is still admitted.
    await gateway.agent(router, minimalAgent).opened();
    expect(gateway.gateway.stats().admission.unknown).toBe(4 + outcomes.filter((status) => status === 401).length);
  });

  it('a router that connects again and again has to wait, and no other router does', async () => {
    const gateway = await start({ reconnects: 3 });
    for (let index = 0; index < 3; index++) (await gateway.agent(router, { mute: true }).opened()).cut();
    expect(await gateway.agent(router).rejected).toBe(429);
    expect(await otherClient.complaints()).toEqual([]);
    expect((await gateway.agent(other, minimalAgent).opened()).socket.readyState).toBe(WebSocket.OPEN);
  });

  it('while the database is unavailable routers are deferred, and afterwards admitted', async () => {
    const gateway = await start();
    const outage = fleet.breakDatabase();
    expect(await gateway.agent(router, minimalAgent).rejected).toBe(503);
    outage.repair();
    await gateway.agent(router, minimalAgent).opened();
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('a thousand routers at once are all admitted, and shown as online', async () => {
    const gateway = await start();
    const routers = await addTestRouters(fleet, 1_000);
    const agents = routers.map((each) => gateway.agent(each, { mute: true }));
    await Promise.all(agents.map((agent) => agent.opened()));
    for (const agent of agents) agent.introduce();
    await eventually(() => expect(gateway.gateway.stats().connected).toBe(1_001));
    await gateway.presence.flush();
    const { total } = await fleet.database.read
      .selectFrom('devices')
      .select((row) => row.fn.countAll<number>().as('total'))
      .where('presence', '=', 'online')
      .executeTakeFirstOrThrow();
    expect(total).toBe(1_001);
    expect(gateway.gateway.stats().admission).toMatchObject({ admitted: 1_001, unknown: 0, deferred: 0 });
    expect(await otherClient.complaints()).toEqual([]);
  });

  it('no log line contains a secret', async () => {
    const lines: string[] = [];
    const note = (fields: object, sentence: string) => lines.push(JSON.stringify(fields) + sentence);
    const gateway = await start({ failedTries: 1 }, { log: { debug: note, info: note, warn: note, error: note } });
    await gateway.agent(router, { secret: 'wrong-but-secret' }).rejected;
    const agent = await gateway.agent(router, { mute: true }).opened();
    agent.socket.send(randomBytes(100));
    await agent.closed;
    const outage = fleet.breakDatabase();
    await gateway.agent(router).rejected;
    outage.repair();
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter((line) => line.includes(router.secret) || line.includes('wrong-but-secret'))).toEqual([]);
  });
});
