import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { BEYOND_STALLS_MS, startTestGateway } from '../../testing/gateway.ts';
import { openGateways } from '../../testing/gateways.ts';
import { addTestRouters, type RouterDatabase, type TestRouter } from '../../testing/routers.ts';
import { minimalAgent } from '../../testing/agent-models.ts';

let fleet: RouterDatabase;
let router: TestRouter;
const start = openGateways((given) => ({ fleet, router } = given));

const isOnline = (which: TestRouter, presence = 'online') =>
  eventually(async () => expect(await fleet.deviceOf(which)).toMatchObject({ presence }));

describe('whether a router is connected', () => {
  it('DEV-08-partial a router that dies without a close is offline within the window, and reconnects by itself', async () => {
    const gateway = await start({ pingMs: 100, silenceMs: BEYOND_STALLS_MS });
    const dead = gateway.agent(router, { ...minimalAgent, deaf: true });
    await isOnline(router);
    dead.isResponding = false;
    await isOnline(router, 'offline');
    expect(await fleet.deviceOf(router)).toMatchObject({ presence_reason: 'no-answer', up_since: null });
    gateway.agent(router, minimalAgent);
    await isOnline(router);
    expect(await fleet.historyOf(router)).toEqual(['online: connected', 'offline: no-answer', 'online: connected']);
  });

  it('DEV-08-partial a quiet router stays online as long as it answers pings, and its last contact is known', async () => {
    const gateway = await start({ pingMs: 100, silenceMs: BEYOND_STALLS_MS, contactMs: 0 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    const pings = agent.pings;
    await eventually(() => expect(agent.pings).toBeGreaterThan(pings + 35));
    const versions = async () =>
      (
        await sql`select d.xmin::text as device, r.xmin::text as router
      from devices d join routers r on r.id = d.router_id where r.id = ${router.id}::uuid`.execute(fleet.database.read)
      ).rows;
    const before = await versions();
    const latest = gateway.presence.contacts.latest(router.id)!.at;
    const beats = agent.pings;
    await eventually(() => expect(agent.pings).toBeGreaterThan(beats + 3));
    await gateway.presence.flush();
    expect((await fleet.deviceOf(router)).presence).toBe('online');
    expect((await fleet.contactOf(router))!.last_contact_at.getTime()).toBeGreaterThan(latest.getTime());
    expect(await versions()).toEqual(before);
  });

  it('tells a clean close from a cut connection', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await isOnline(router);
    agent.socket.close(1001);
    await isOnline(router, 'offline');
    expect(await fleet.deviceOf(router)).toMatchObject({ presence_reason: 'closed-by-router' });
    const other = gateway.agent(router, minimalAgent);
    await isOnline(router);
    other.cut();
    await isOnline(router, 'offline');
    expect(await fleet.deviceOf(router)).toMatchObject({ presence_reason: 'connection-lost' });
    const last = gateway.agent(router, minimalAgent);
    await isOnline(router);
    last.sendRecord({ disconnect: { reason: 'bye' } });
    expect((await last.closed).code).toBe(1000);
    await isOnline(router, 'offline');
  });

  it('DEV-08-partial after a killed server routers are unknown; those that return are online, the others offline', async () => {
    const [other] = (await addTestRouters(fleet, 1)) as [TestRouter];
    const first = await startTestGateway(fleet);
    first.agent(router, minimalAgent);
    first.agent(other, minimalAgent);
    await Promise.all([isOnline(router), isOnline(other)]);
    await first.kill();
    expect(await fleet.deviceOf(router)).toMatchObject({ presence: 'online' });

    const gateway = await start({}, { graceMs: 3_000 });
    await isOnline(router, 'unknown');
    expect(await fleet.deviceOf(router)).toMatchObject({ presence_reason: 'server-restarted' });
    gateway.agent(router, minimalAgent);
    await isOnline(other, 'offline');
    expect(await fleet.deviceOf(other)).toMatchObject({ presence_reason: 'not-seen-since-restart' });
    expect(await fleet.deviceOf(router)).toMatchObject({ presence: 'online' });
  });

  it('a stopping server asks routers to reconnect, acknowledges what it stored, and marks no router offline', async () => {
    const gateway = await startTestGateway(fleet);
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    agent.event('last', 'Device.', 'Boot!', { Cause: 'LocalReboot' });
    await eventually(async () => expect(gateway.gateway.stats().notifications.received).toBe(1));
    await gateway.stop();
    expect(await agent.closed).toMatchObject({ code: 1012, reason: expect.stringMatching(/^come back in \d+ s$/u) as string });
    expect(agent.responded).toEqual(['last']);
    expect(await fleet.deviceOf(router)).toMatchObject({ presence: 'online' });
  });

  it('of two connections of one router the newer counts; two that replace each other repeatedly are reported as clones', async () => {
    const gateway = await start({ cloneReplacements: 3 });
    const older = gateway.agent(router, minimalAgent);
    await isOnline(router);
    const newer = gateway.agent(router, minimalAgent);
    expect(await older.closed).toMatchObject({ code: 1008, reason: 'replaced by a newer connection' });
    await gateway.presence.flush();
    expect(await fleet.deviceOf(router)).toMatchObject({ presence: 'online', presence_reason: 'replaced' });
    expect(await fleet.historyOf(router)).toEqual(['online: connected', 'online: replaced']);
    let last = newer;
    for (let turn = 0; turn < 2; turn++) {
      const next = gateway.agent(router, minimalAgent);
      await last.closed;
      last = next;
    }
    await eventually(async () =>
      expect(await fleet.deviceOf(router)).toMatchObject({ presence: 'online', presence_reason: 'cloned' }),
    );
    expect((await fleet.historyOf(router)).filter((line) => line === 'cloned: cloned')).toHaveLength(1);
    // It stays while they go on: another connection says nothing about the second one.
    const doubted = () =>
      fleet.database.read.selectFrom('router_rejections').select('reason').where('router_id', '=', router.id).executeTakeFirst();
    await eventually(async () => expect(await doubted()).toEqual({ reason: 'identity-shared' }));
    expect(last.socket.readyState).toBe(last.socket.OPEN);
  });

  it('a router that reconnects over its own dead connection is not a clone', async () => {
    const gateway = await start({ cloneReplacements: 2, closeMs: 50 });
    for (let turn = 0; turn < 5; turn++) {
      const agent = gateway.agent(router, { mute: true });
      await agent.opened();
      agent.introduce();
      await eventually(async () => expect(gateway.gateway.stats().connected).toBe(1));
      agent.socket.pause();
      agent.socket.removeAllListeners('message');
    }
    await gateway.presence.flush();
    expect(await fleet.deviceOf(router)).toMatchObject({ presence: 'online' });
    expect((await fleet.historyOf(router)).filter((line) => line.startsWith('cloned'))).toEqual([]);
  });

  it('a router whose device is deleted, or that leaves the inventory, is disconnected at once', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await isOnline(router);
    gateway.gateway.deviceLink.disconnect([router.id], '裝置已被刪除。'.repeat(20));
    expect(await agent.closed).toMatchObject({ code: 1008, reason: expect.stringMatching(/^裝置已被刪除。/u) as string });
    await isOnline(router, 'offline');
    expect(await fleet.deviceOf(router)).toMatchObject({ presence_reason: 'disconnected' });
    await sql`delete from routers where id = ${router.id}::uuid`.execute(fleet.database.read);
    expect(await gateway.agent(router).rejected).toBe(401);
  });

  it('a disconnect also ends a connection that was admitted before and is not open yet, but none that follows', async () => {
    const gateway = await start();
    for (let times = 0; times < 3; times++) {
      const before = await gateway.agent(router, { ...minimalAgent, mute: true }).opened();
      gateway.gateway.deviceLink.disconnect([router.id], 'disconnected');
      const after = gateway.agent(router, minimalAgent);
      const used = eventually(() => expect(after.requests).not.toEqual([])).then(() => 'open');
      expect(await Promise.race([used, after.closed])).toBe('open');
      before.introduce();
      expect(await before.closed).toEqual({ code: 1008, reason: 'no longer admitted' });
      expect(after.socket.readyState).toBe(after.socket.OPEN);
    }
  });
});
