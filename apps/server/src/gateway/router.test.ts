import { startAgent, type RouterHandle } from '@highline/router';
import { normalizeIccid, normalizeImei, normalizeImsi } from '@highline/usp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { startTestGateway, type TestGateway } from '../testing/gateway.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase, type TestRouter } from '../testing/routers.ts';

let fleet: RouterDatabase;
let gateway: TestGateway;
let router: TestRouter;
let agent: RouterHandle;

beforeAll(async () => {
  fleet = await openRouterDatabase();
});
afterAll(() => fleet.close());
afterEach(async () => {
  await agent.stop();
  await gateway.stop();
});

async function start(): Promise<void> {
  [router] = (await addTestRouters(fleet, 1)) as [TestRouter];
  gateway = await startTestGateway(fleet, { pingMs: 100, silenceMs: 500, telemetrySeconds: 1, heartbeatSeconds: 1 });
  const { serial, mac, secret } = router;
  const timing = { backoff: { minMs: 10, maxMs: 50, refusedMs: 100, comeBackMs: 100 }, bootMs: 50, valueChangePollMs: 50 };
  agent = startAgent({ server: gateway.address, router: { serial, mac, secret, model: 'HR-500' }, timing });
  await gateway.reconciled();
}

describe('our own router agent', () => {
  it('DEV-09-partial tells everything that its device shows, keeps measuring, and is set up only once', async () => {
    await start();
    await eventually(async () =>
      expect(await fleet.deviceOf(router)).toMatchObject({ presence: 'online', firmware: expect.any(String) }),
    );
    const device = await fleet.deviceOf(router);
    expect(normalizeImei(device.imei!)).toBe(device.imei);
    expect(normalizeImsi(device.imsi!)).toBe(device.imsi);
    expect(normalizeIccid(device.iccid!)).toBe(device.iccid);
    for (const told of [device.model, device.hardware_version, device.carrier, device.technology, device.mtn, device.up_since])
      expect(told).not.toBeNull();
    await eventually(async () => {
      const parameters = new Set((await fleet.telemetryOf(router)).map(({ parameter }) => parameter));
      expect([...parameters].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    });
    const { notifications } = gateway.gateway.stats();
    expect(notifications.deferred).toBe(0);
  });

  it('DEV-08-partial that loses power is offline within the window, and online again after its start, with a new uptime', async () => {
    await start();
    await eventually(async () =>
      expect(await fleet.deviceOf(router)).toMatchObject({ presence: 'online', booted_at: expect.any(Date) }),
    );
    agent.lostCoverage(1_500);
    await eventually(async () =>
      expect(await fleet.deviceOf(router)).toMatchObject({ presence: 'offline', presence_reason: 'no-answer' }),
    );
    await eventually(async () => expect(await fleet.deviceOf(router)).toMatchObject({ presence: 'online' }));
    agent.powerCut(100);
    await eventually(async () => expect(await fleet.historyOf(router)).toContain('boot: LocalReboot'));
    await eventually(async () => expect(await fleet.deviceOf(router)).toMatchObject({ presence: 'online' }));
  });

  it('DEV-08-partial comes back by itself to a server that was killed and started again', async () => {
    await start();
    await eventually(async () => expect(await fleet.deviceOf(router)).toMatchObject({ presence: 'online' }));
    await gateway.kill();
    gateway = await startTestGateway(fleet, {}, { port: gateway.port });
    await eventually(() => expect(gateway.gateway.stats().connected).toBe(1));
    await eventually(async () => expect(await fleet.deviceOf(router)).toMatchObject({ presence: 'online' }));
  });
});
