import type { AgentEvent, Traits } from '@highline/testkit/agent';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { startStrictAgent, type RunningStrictAgent } from '../../testing/agents.ts';
import { eventually } from '../../testing/eventually.ts';
import { openGateways } from '../../testing/gateways.ts';
import type { RouterDatabase, TestRouter } from '../../testing/routers.ts';

// Agents of other makers: packages/testkit accepts only what TR-369 and TR-181 allow.

let fleet: RouterDatabase;
let router: TestRouter;
let other: TestRouter;
const start = openGateways((given) => ({ fleet, router, other } = given));

const running: RunningStrictAgent[] = [];
afterEach(async () => {
  for (const agent of running.splice(0)) await agent.stop();
});

async function connect(traits: Partial<Traits> = {}, which = router) {
  const gateway = await start({ telemetrySeconds: 1, heartbeatSeconds: 1 });
  return { gateway, agent: join(gateway.address, which, traits) };
}

function join(address: string, which: TestRouter, traits: Partial<Traits> = {}) {
  const started = startStrictAgent(address, which, traits);
  running.push(started);
  return started.agent;
}

const requestsOf = (events: readonly AgentEvent[], name: string) =>
  events.filter((each) => each.event === 'request' && each.name === name);
const readingsOf = async (which: TestRouter) => (await fleet.telemetryOf(which)).length;
const setUpOf = async () => (await fleet.routerOf(router)).reported['set_up'];
const becomes = (expected: object, which = router) =>
  eventually(async () => expect(await fleet.deviceOf(which)).toMatchObject(expected));

const subscriptions = [
  'highline-boot',
  'highline-config',
  'highline-firmware',
  'highline-heartbeat',
  'highline-location',
  'highline-modem',
  'highline-operations',
  'highline-progress',
  'highline-push',
  'highline-transfers',
  'highline-uplinks',
  'highline-usim',
  'highline-wifi',
];

describe('a strict agent', () => {
  it('DEV-09-partial takes every subscription, gets one request at a time, and nothing of another controller is touched', async () => {
    const { gateway, agent } = await connect();
    await gateway.reconciled();
    expect(agent.subscriptions.toSorted()).toEqual(subscriptions);
    expect(agent.count('overlap')).toBe(0);
    expect(agent.count('rejected')).toBe(0);
    expect(agent.value('Device.LocalAgent.Controller.1.PeriodicNotifInterval')).toBe('86400');
    expect(agent.value('Device.LocalAgent.Controller.2.PeriodicNotifInterval')).toBe('1');
    expect(agent.value('Device.LocalAgent.Controller.1.MTP.1.WebSocket.SessionRetryIntervalMultiplier')).toBe('2000');
    expect(agent.value('Device.LocalAgent.Controller.2.MTP.1.WebSocket.SessionRetryIntervalMultiplier')).toBe('1500');
    await eventually(async () => expect(await setUpOf()).toEqual({ polled: false, count: 0, faults: [] }));
    agent.reboot();
    await gateway.reconciled(2);
    expect(requestsOf(agent.events, 'add')).toHaveLength(
      requestsOf(agent.events.slice(0, secondBoot(agent.events)), 'add').length,
    );
  });

  it('NOD-05-partial reports as often as its group says, or else its model, also after that changes and in another group', async () => {
    const setGroup = (key: string, seconds: number | null) =>
      fleet.pool.query(
        `insert into groups (organization_id, key, name, report_seconds) values ($1, $2, $2, $3)
         on conflict (organization_id, key) do update set report_seconds = excluded.report_seconds`,
        [fleet.organizationId, key, seconds],
      );
    await setGroup('slow', 900);
    await fleet.pool.query("update devices set group_key = 'slow' where id = $1", [router.deviceId]);
    const { gateway, agent } = await connect();
    await gateway.reconciled();
    const profiles = Array.from({ length: 9 }, (_, index) => `Device.BulkData.Profile.${index + 1}.`);
    const intervals = () =>
      profiles
        .filter((path) => agent.value(`${path}Name`) === 'highline-telemetry')
        .map((path) => agent.value(`${path}ReportingInterval`));
    expect(intervals()).toEqual(['900']);
    const changed = async (times: number) => {
      await gateway.gateway.intervals.run(new Date());
      await gateway.reconciled(times);
    };
    await setGroup('slow', 300);
    await changed(2);
    expect(intervals()).toEqual(['300']);
    await fleet.pool.query("update devices set group_key = 'default+group+id' where id = $1", [router.deviceId]);
    await changed(3);
    expect(intervals()).toEqual(['1']);
    await gateway.gateway.intervals.run(new Date());
    expect(gateway.gateway.stats()).toMatchObject({ reconciling: 0, reconciles: { done: 3 } });
    // Where the group sets none, the model does; another main account's setting of that model does not count.
    await fleet.pool.query("update routers set model = 'HL-5' where id = $1", [router.id]);
    await fleet.pool.query(
      "insert into router_models (main_account_id, model, report_seconds) values ($1, 'HL-5', 600), (gen_random_uuid(), 'HL-5', 700)",
      [fleet.mainAccountId],
    );
    await changed(4);
    expect(intervals()).toEqual(['600']);
    await fleet.pool.query("update devices set group_key = 'slow' where id = $1", [router.deviceId]);
    await changed(5);
    expect(intervals()).toEqual(['300']);
  });

  it('DEV-09-partial shows a change of its network at once, and every notification is acknowledged', async () => {
    const { gateway, agent } = await connect();
    await gateway.reconciled();
    agent.change('Device.Cellular.Interface.1.NetworkInUse', 'T-Mobile');
    await becomes({ carrier: 'T-Mobile' });
    await eventually(() => expect(agent.unacknowledged).toBe(0));
  });

  it('DEV-09-partial keeps as many reports as its range allows', async () => {
    const { gateway, agent } = await connect({ mostRetainedReports: 10 });
    await gateway.reconciled();
    await eventually(() => expect(agent.value('Device.BulkData.Profile.1.Enable')).toBe('true'));
    await eventually(async () => expect(await readingsOf(router)).toBeGreaterThan(6));
    expect(Number(agent.value('Device.BulkData.Profile.1.NumberOfRetainedFailedReports'))).toBeGreaterThan(0);
  });

  it('DEV-09-partial without bulk data its readings are polled, and its subscriptions are those it supports', async () => {
    const { gateway, agent } = await connect({ hasBulkData: false, hasTransferEvents: false });
    await gateway.reconciled();
    await eventually(async () => expect(await readingsOf(router)).toBeGreaterThan(12));
    expect(agent.subscriptions.toSorted()).toEqual(
      subscriptions.filter((id) => !['highline-push', 'highline-transfers'].includes(id)),
    );
    await eventually(async () => expect(await setUpOf()).toEqual({ polled: true, count: 0, faults: [] }));
  });

  it('GRP-10-partial the abilities of two routers of a model without a version are read one by one', async () => {
    const { gateway } = await connect({ firmware: '', hasFirmwareImages: false });
    await gateway.reconciled();
    join(gateway.address, other, { firmware: '' });
    const canUpdate = async (which: TestRouter) => ((await fleet.routerOf(which)).reported as { ota?: object }).ota;
    await eventually(async () => expect(await canUpdate(router)).toMatchObject({ firmware: false, config: true }));
    await eventually(async () => expect(await canUpdate(other)).toMatchObject({ firmware: true, config: true }));
    expect(await fleet.deviceOf(other)).toMatchObject({ firmware: null });
  });

  it.each([
    'ops::00AA55-SX%2D40-STRICT-7',
    'uuid::0b8f1f0e-9c3b-4a2f-9f39-6d0d4d6c9a01',
    'imei::990000862471854',
    'proto:strict.example:SX-40-7',
    'os::00aa55-strict-7',
  ])('DEV-08-partial named %s in the inventory is online under that name', async (endpointId) => {
    await sql`update routers set endpoint_id = ${endpointId} where id = ${router.id}::uuid`.execute(fleet.database.read);
    const { gateway, agent } = await connect({}, { ...router, endpointId });
    await gateway.reconciled();
    await becomes({ presence: 'online', model: 'HL-R320' });
    expect(agent.isConnected).toBe(true);
    expect(agent.subscriptions).toContain('highline-boot');
  });

  it.each([
    ['endpoint', { endpointId: 'ops::00AA55-SX%2D40-STRICT-9' }, 'ops::00AA55-SX%2D40-STRICT-9'],
    ['controller', { controllerId: 'self::elsewhere' }, 'self::elsewhere'],
  ] as const)(
    'DEV-08-partial rejected for its %s is known with the reason until it connects',
    async (reason, traits, received) => {
      const { gateway, agent } = await connect(traits);
      const rejection = async () =>
        (await fleet.pool.query('select reason, received, address from router_rejections where router_id = $1', [router.id]))
          .rows;
      await eventually(async () => expect(await rejection()).toEqual([{ reason, received, address: '127.0.0.1' }]));
      expect(await fleet.deviceOf(router)).toMatchObject({ presence: 'offline' });
      agent.cutPower();
      join(gateway.address, router, {});
      await becomes({ presence: 'online' });
      await eventually(async () => expect(await rejection()).toEqual([]));
    },
  );

  it('DEV-08-partial is set up again after a factory reset without notice', async () => {
    const { gateway, agent } = await connect();
    await eventually(async () => expect((await fleet.routerOf(router)).reported['subscribed']).toBe(true));
    agent.resetToFactory();
    expect(agent.subscriptions).toEqual([]);
    await gateway.reconciled(2);
    expect(agent.subscriptions.toSorted()).toEqual(subscriptions);
    const before = await readingsOf(router);
    await eventually(async () => expect(await readingsOf(router)).toBeGreaterThan(before));
    await eventually(async () => expect(await resetsOf(router)).toBe(1));
    agent.reboot();
    await eventually(async () => expect(await fleet.historyOf(router)).toContain('boot: LocalReboot'));
  });
});

/** Number of factory resets recorded for a router. */
async function resetsOf({ id }: TestRouter): Promise<number> {
  const { rowCount } = await fleet.pool.query(
    "select 1 from router_events where router_id = $1 and subject = 'DEVICE_FACTORY_RESET'",
    [id],
  );
  return rowCount ?? 0;
}

/** Index of the Boot! after the restart. */
function secondBoot(events: readonly AgentEvent[]): number {
  return events.findLastIndex(({ event }) => event === 'booted');
}
