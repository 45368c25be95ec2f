import { describe, expect, it } from 'vitest';
import { minimalAgent } from '../../testing/agent-models.ts';
import { openGatewaysWithOther } from '../../testing/gateways.ts';
import { until } from '../../testing/call.ts';
import { addTestRouters, type RouterDatabase, type TestRouter } from '../../testing/routers.ts';

let fleet: RouterDatabase;
let other: TestRouter;
const start = openGatewaysWithOther(
  (given) => ({ fleet, other } = given),
  () => {},
);
const fresh = async () => (await addTestRouters(fleet, 1))[0]!;
const stored = (router: TestRouter) =>
  fleet.database.read
    .selectFrom('router_rejections')
    .select(['reason', 'received', 'address', 'at'])
    .where('router_id', '=', router.id)
    .executeTakeFirst();
const rejectedAs = (router: TestRouter, reason: string) =>
  until(async () => {
    const row = await stored(router);
    return row?.reason === reason && row;
  });

describe('a rejected connection is recorded', () => {
  it('DEV-08-partial when the agent names another endpoint id, in its address or in its first record', async () => {
    const gateway = await start();
    const [inAddress, inRecord] = [await fresh(), await fresh()];
    await gateway.agent(inAddress, { query: '?eid=ops%3A%3AACDE48-RX-1' }).rejected;
    const agent = await gateway.agent(inRecord, { ...minimalAgent, mute: true, query: '' }).opened();
    agent.introduce({ fromId: 'proto::mine' });
    expect(await rejectedAs(inAddress, 'endpoint')).toMatchObject({ received: 'ops::ACDE48-RX-1', address: '127.0.0.1' });
    expect(await rejectedAs(inRecord, 'endpoint')).toMatchObject({ received: 'proto::mine' });
    expect((await agent.closed).code).toBe(1008);
  });

  it('DEV-08-partial when the agent calls another controller, sends no connect record, no USP, no record, or offers no v1.usp', async () => {
    const gateway = await start({ connectMs: 300 });
    const [controller, first, bytes, text, silent, subprotocol] = await addTestRouters(fleet, 6);
    const mute = { ...minimalAgent, mute: true };
    (await gateway.agent(controller!, mute).opened()).introduce({ toId: 'self::elsewhere' });
    (await gateway.agent(first!, mute).opened()).sendRecord({ disconnect: { reason: 'bye', reasonCode: 0 } });
    (await gateway.agent(bytes!, mute).opened()).socket.send(Buffer.from([255, 255, 255]));
    (await gateway.agent(text!, mute).opened()).socket.send('hello');
    await gateway.agent(silent!, mute).opened();
    expect(await gateway.agent(subprotocol!, { protocols: ['v1.stomp'] }).rejected).toBe(400);
    expect(await rejectedAs(controller!, 'controller')).toMatchObject({ received: 'self::elsewhere' });
    expect(await rejectedAs(first!, 'no-connect-record')).toMatchObject({ received: 'disconnect' });
    await rejectedAs(bytes!, 'not-usp');
    await rejectedAs(text!, 'not-usp');
    await rejectedAs(silent!, 'silent');
    expect(await rejectedAs(subprotocol!, 'subprotocol')).toMatchObject({ received: 'v1.stomp' });
  });

  it('DEV-08-partial with its text shortened and cleaned, and a connection removes it', async () => {
    const gateway = await start();
    const router = await fresh();
    const agent = await gateway.agent(router, { ...minimalAgent, mute: true, query: '' }).opened();
    agent.introduce({ fromId: `<b>\u202E\u0000\n${'x'.repeat(100_000)}` });
    const { received } = await rejectedAs(router, 'endpoint');
    expect(received).toMatch(/^<b> x{190,}$/u);
    expect(received!.length).toBeLessThanOrEqual(200);
    await gateway.agent(router, minimalAgent).opened();
    await until(async () => (await stored(router)) === undefined);
  });

  it('DEV-08-partial as one row, which one kind of fault writes once a minute', async () => {
    const gateway = await start();
    const router = await fresh();
    const reject = async (eid: string) => {
      await gateway.agent(router, { query: `?eid=${eid}` }).rejected;
    };
    await reject('a');
    const first = await rejectedAs(router, 'endpoint');
    await reject('a');
    await reject('a');
    await reject('b');
    await until(async () => (await stored(router))?.received === 'b');
    await reject('b');
    const before = await stored(router);
    expect(before!.at.getTime()).toBeGreaterThan(first.at.getTime());
    // Written after the repetition, so the repetition was processed too.
    const next = await fresh();
    await gateway.agent(next, { query: '?eid=c' }).rejected;
    await rejectedAs(next, 'endpoint');
    expect(await stored(router)).toEqual(before);
  });

  it('DEV-08-partial when it was online: a session context, or what is no message; another connection removes it only once it lasts', async () => {
    const gateway = await start();
    const [session, garbage] = await addTestRouters(fleet, 2);
    const agent = await gateway.agent(session!, minimalAgent).opened();
    await until(async () => (await fleet.deviceOf(session!)).presence === 'online');
    agent.sendRecord({ sessionContext: { sessionId: 1n, payload: [] } });
    await rejectedAs(session!, 'session-context');
    const other = await gateway.agent(garbage!, minimalAgent).opened();
    await until(async () => (await fleet.deviceOf(garbage!)).presence === 'online');
    other.socket.send(Buffer.from([255, 255, 255]));
    await rejectedAs(garbage!, 'unreadable');
    // It comes back and does the same after a while: the reason is there all the time.
    await gateway.agent(session!, minimalAgent).opened();
    await until(async () => (await fleet.deviceOf(session!)).presence === 'online');
    expect(await stored(session!)).toMatchObject({ reason: 'session-context' });
    const patient = await start({ contactMs: 0, pingMs: 50 });
    await patient.agent(session!, minimalAgent).opened();
    await until(async () => (await stored(session!)) === undefined);
  });

  it('DEV-09-partial an agent whose WebSocket library ends a handshake with the extension connects at its next attempt, and the first one is shown until then', async () => {
    const gateway = await start();
    const [strict, usual] = (await addTestRouters(fleet, 2)) as [TestRouter, TestRouter];
    // The client of ws knows no extension but compression, and ends a handshake whose answer has another one.
    const offer = ({ endpointId }: TestRouter) => ({ 'Sec-WebSocket-Extensions': `bbf-usp-protocol; eid="${endpointId}"` });
    const attempt = (router: TestRouter) => gateway.agent(router, { ...minimalAgent, headers: offer(router) });
    const first = attempt(strict);
    await first.closed;
    expect(await rejectedAs(strict, 'no-record')).toMatchObject({ received: null, address: '127.0.0.1' });
    await attempt(strict).opened();
    await until(async () => (await fleet.deviceOf(strict)).presence === 'online');
    await until(async () => (await stored(strict)) === undefined);
    // Another router still gets it.
    await attempt(usual).closed;
    await rejectedAs(usual, 'no-record');
  });

  it('DEV-08-partial only when the secret is right: a guess writes nothing', async () => {
    const gateway = await start();
    expect(await gateway.agent(other, { secret: 'x'.repeat(43) }).rejected).toBe(401);
    const router = await fresh();
    await gateway.agent(router, { query: '?eid=c' }).rejected;
    await rejectedAs(router, 'endpoint');
    expect(await stored(other)).toBeUndefined();
  });
});
