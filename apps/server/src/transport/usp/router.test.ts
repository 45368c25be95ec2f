import { normalizeIccid, normalizeImei, normalizeImsi } from '@highline/usp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { agentKinds, type AgentKind, type AgentUnderTest } from '../../testing/agents.ts';
import { eventually } from '../../testing/eventually.ts';
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase, type TestRouter } from '../../testing/routers.ts';

let fleet: RouterDatabase;
let gateway: TestGateway;
let router: TestRouter;
let agent: AgentUnderTest;

beforeAll(async () => {
  fleet = await openRouterDatabase();
});
afterAll(() => fleet.close());
afterEach(async () => {
  await agent.stop();
  await gateway.stop();
});

async function start(kind: AgentKind): Promise<void> {
  [router] = (await addTestRouters(fleet, 1)) as [TestRouter];
  gateway = await startTestGateway(fleet, { pingMs: 100, silenceMs: 500, telemetrySeconds: 1, heartbeatSeconds: 1 });
  agent = kind.start(gateway.address, router);
  await gateway.reconciled();
}

const becomes = (expected: object) => eventually(async () => expect(await fleet.deviceOf(router)).toMatchObject(expected));

/** Names of the measures that a router has reported. */
async function measuresOf({ id }: TestRouter): Promise<string[]> {
  const { rows } = await fleet.pool.query<{ name: string }>(
    `select distinct key as name from telemetry_reports t cross join lateral jsonb_each(to_jsonb(t)) e
     where t.router_id = $1 and key not in ('router_id', 'at') and value <> 'null'`,
    [id],
  );
  return rows.map(({ name }) => name).sort();
}

describe.each(agentKinds)('$name', (kind) => {
  it('DEV-09-partial reports everything that its device shows, keeps measuring, and is set up only once', async () => {
    await start(kind);
    await becomes({ presence: 'online', firmware: kind.firmware });
    const device = await fleet.deviceOf(router);
    expect(normalizeImei(device.imei!)).toBe(device.imei);
    expect(normalizeImsi(device.imsi!)).toBe(device.imsi);
    expect(normalizeIccid(device.iccid!)).toBe(device.iccid);
    for (const reported of [
      device.model,
      device.hardware_version,
      device.carrier,
      device.technology,
      device.cell_id,
      device.mtn,
      device.up_since,
    ])
      expect(reported).not.toBeNull();
    await eventually(async () => expect(await measuresOf(router)).toEqual(kind.measures.toSorted()));
    const { notifications } = gateway.gateway.stats();
    expect(notifications.deferred).toBe(0);
  });

  it('DEV-08-partial that is silent is offline within the window, online again afterwards, and has a new uptime after a power cut', async () => {
    await start(kind);
    await becomes({ presence: 'online', booted_at: expect.any(Date) });
    agent.loseCoverage();
    await becomes({ presence: 'offline', presence_reason: 'no-answer' });
    agent.regainCoverage();
    await becomes({ presence: 'online' });
    agent.cutPower();
    await eventually(async () => expect(await fleet.historyOf(router)).toContain('boot: LocalReboot'));
    await becomes({ presence: 'online' });
  });

  it('DEV-08-partial reconnects by itself to a server that was killed and started again', async () => {
    await start(kind);
    await becomes({ presence: 'online' });
    await gateway.kill();
    gateway = await startTestGateway(fleet, {}, { port: gateway.port });
    await eventually(() => expect(gateway.gateway.stats().connected).toBe(1));
    await becomes({ presence: 'online' });
  });
});
