import { describe, expect, it } from 'vitest';
import { createLogBook } from '../../testing/log.ts';
import { eventually } from '../../testing/eventually.ts';
import type { TestGateway } from '../../testing/gateway.ts';
import { openGateways } from '../../testing/gateways.ts';
import type { RouterDatabase, TestRouter } from '../../testing/routers.ts';
import { completeAgent, minimalAgent } from '../../testing/agent-models.ts';

let fleet: RouterDatabase;
let router: TestRouter;
let other: TestRouter;
const start = openGateways((given) => ({ fleet, router, other } = given));

describe('notifications of routers', () => {
  it('are stored once, however often they come, and acknowledged each time, also after a reconnect', async () => {
    // None is known to have arrived meanwhile.
    const gateway = await start({ pingMs: 3_600_000 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    const report = [{ CollectionTime: Math.floor(Date.now() / 1_000), 'Device.Cellular.Interface.1.RSSI': -80 }];
    agent.push('m-1', report);
    agent.push('m-1', report);
    await agent.whenResponded('m-1');
    agent.push('m-1', report);
    await eventually(() => expect(agent.responded.filter((id) => id === 'm-1').length).toBeGreaterThan(1));
    const again = gateway.agent(router, minimalAgent);
    await again.opened();
    again.push('m-1', report);
    await again.whenResponded('m-1');
    expect(await fleet.telemetryOf(router)).toHaveLength(1);
    // The same id with another content comes from an agent that counts from 1 again, and must not be dropped.
    again.push('m-1', [{ ...report[0], 'Device.Cellular.Interface.1.RSSI': -81 }]);
    await eventually(async () => expect(await fleet.telemetryOf(router)).toHaveLength(2));
    expect(gateway.gateway.stats().notifications).toMatchObject({ repeated: 3, deferred: 0 });
  });

  it('of an agent that counts from 1 again after each start are others, once it has the responses', async () => {
    const gateway = await start({ pingMs: 100 });
    const bootOf = async (agent: ReturnType<typeof gateway.agent>) => {
      agent.event('1', 'Device.', 'Boot!', { Cause: 'LocalReboot' });
      await agent.whenResponded('1');
    };
    const first = gateway.agent(router, minimalAgent);
    const numbered = new Promise<void>((resolve) => first.socket.on('ping', (data) => data.length === 1 && resolve()));
    await gateway.reconciled();
    await bootOf(first);
    await numbered;
    // Its pong is on the way; this comes after it.
    first.push('2', []);
    await first.whenResponded('2');
    const again = gateway.agent(router, minimalAgent);
    await again.opened();
    await bootOf(again);
    await gateway.presence.flush();
    const boots = (await fleet.historyOf(router)).filter((line) => line.startsWith('boot'));
    expect(boots).toEqual(['boot: LocalReboot', 'boot: LocalReboot']);
    expect(gateway.gateway.stats().notifications).toMatchObject({ repeated: 0 });
  });

  it('GRP-10-partial a Boot! that is repeated to another process starts and resets nothing once more', async () => {
    const boot = async (gateway: TestGateway, id: string) => {
      const agent = await gateway.agent(router, minimalAgent).opened();
      agent.event(id, 'Device.', 'Boot!', { Cause: 'RemoteFactoryReset' });
      await agent.whenResponded(id);
      const { boot_heard_at: at, reset_seen_at: resetAt } = (await fleet.routerOf(router)).reported as Record<string, string>;
      return { at, resetAt };
    };
    const first = await start();
    const times = await boot(first, 'b-1');
    expect(times.resetAt).toBe(times.at);
    await first.kill();
    const second = await start();
    expect(await boot(second, 'b-1')).toEqual(times);
    const later = await boot(second, 'b-2');
    expect([later.at! > times.at!, later.resetAt! > times.resetAt!]).toEqual([true, true]);
  });

  it('DEV-08-partial a Boot! whose answer got lost with the process is one line in the history, and a later one another', async () => {
    const boot = async (gateway: TestGateway, id: string) => {
      const agent = await gateway.agent(router, minimalAgent).opened();
      agent.event(id, 'Device.', 'Boot!', { Cause: 'LocalReboot' });
      await agent.whenResponded(id);
    };
    const first = await start();
    await boot(first, 'b-1');
    await first.kill();
    const second = await start();
    await boot(second, 'b-1');
    const boots = async () => (await fleet.historyOf(router)).filter((line) => line.startsWith('boot'));
    expect(await boots()).toEqual(['boot: LocalReboot']);
    await boot(second, 'b-2');
    expect(await boots()).toEqual(['boot: LocalReboot', 'boot: LocalReboot']);
  });

  it('DEV-09-partial of a Push! with more values than are read the newest reports are stored, and it is warned of once', async () => {
    const { log, sentences } = createLogBook();
    const gateway = await start({}, { log });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    const rssi = (value: number) => ({ 'Device.Cellular.Interface.1.RSSI': value });
    const made = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1]));
    for (const newest of [-61, -62]) {
      agent.push(`t${newest}`, [{ ...made, ...rssi(-60) }, rssi(newest)]);
      await agent.whenResponded(`t${newest}`);
    }
    expect((await fleet.telemetryOf(router)).map(({ value }) => value)).toEqual([-61, -62]);
    expect(sentences.filter((each) => each.includes('more values'))).toHaveLength(1);
  });

  it('DEV-09-partial readings that the modem in use does not know are not those of another modem', async () => {
    const modem = (instance: number) => `Device.Cellular.Interface.${instance}.`;
    const model = new Map([...minimalAgent.model, [`${modem(1)}Status`, 'Dormant'], [`${modem(2)}Status`, 'Up']]);
    const gateway = await start();
    const agent = gateway.agent(router, { model, tables: minimalAgent.tables });
    await gateway.reconciled();
    const idle = { [`${modem(1)}RSRP`]: -118, [`${modem(1)}Stats.BytesSent`]: 5, [`${modem(1)}RSRQ`]: -9 };
    agent.push('t-1', [{ ...idle, [`${modem(2)}RSRP`]: 0, [`${modem(2)}Stats.BytesSent`]: '' }]);
    await agent.whenResponded('t-1');
    // The modem in use names no RSRQ at all.
    expect((await fleet.telemetryOf(router)).map(({ value }) => value)).toEqual([-9]);
  });

  it('DEV-09-partial of an unknown kind are acknowledged, unknown requests are rejected, and the connection stays', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    // No member of the oneof that we know: a newer version's, or nothing.
    agent.sendMessage('n-1', 'NOTIFY', 'request', 'notify', { subscriptionId: 'theirs', sendResp: true });
    await agent.whenResponded('n-1');
    agent.sendMessage('r-1', 'NOTIFY', 'request', undefined, {});
    await eventually(() => expect(agent.errors).toMatchObject([{ msgId: 'r-1', value: { errCode: 7001 } }]));
    agent.push('n-2', []);
    await agent.whenResponded('n-2');
  });

  it('GRP-10-partial the end of a command is acknowledged when the listener has stored it, and sent again otherwise', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    const completions: { key: string; failure: unknown; keep: () => void; lose: () => void }[] = [];
    gateway.gateway.deviceLink.listen({
      ready: () => undefined,
      progressed: () => undefined,
      completed: (_, key, failure) =>
        new Promise((resolve, reject) => completions.push({ key, failure, keep: resolve, lose: () => reject(new Error('no')) })),
    });
    const end = (id: string, one: object) =>
      agent.notify(id, 'operComplete', { objPath: 'Device.', commandName: 'Reboot()', commandKey: 'k-1', one });
    const failure = { case: 'cmdFailure', value: { errCode: 7022, errMsg: 'no flash' } };
    end('e-1', failure);
    await eventually(() => expect(completions).toHaveLength(1));
    expect(completions[0]).toMatchObject({ key: 'k-1', failure: { code: 7022, message: 'no flash' } });
    completions[0]!.lose();
    await eventually(() => expect(gateway.gateway.stats().notifications.deferred).toBe(1));
    end('e-1', failure);
    await eventually(() => expect(completions).toHaveLength(2));
    expect(agent.responded).not.toContain('e-1');
    completions[1]!.keep();
    await agent.whenResponded('e-1');
  });

  it('are acknowledged only when durable: none while the database is unavailable, all afterwards', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    await gateway.presence.flush();
    const outage = fleet.breakDatabase();
    const rssi = (value: number) => [{ 'Device.Cellular.Interface.1.RSSI': value }];
    agent.push('p-1', rssi(-61));
    agent.event('b-1', 'Device.', 'Boot!', { Cause: 'LocalReboot' });
    agent.event('h-1', 'Device.LocalAgent.', 'Periodic!');
    await agent.whenResponded('h-1');
    await eventually(() => expect(outage.tries()).toBeGreaterThan(3));
    expect(agent.responded).toEqual(['h-1']);
    outage.repair();
    await Promise.all([agent.whenResponded('p-1'), agent.whenResponded('b-1')]);
    expect(await fleet.telemetryOf(router)).toHaveLength(1);
    expect(await fleet.historyOf(router)).toEqual(['online: connected', 'boot: LocalReboot']);
  });

  it('a restart that a command of ours ordered is no local one', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    agent.event('b-1', 'Device.', 'Boot!', { Cause: 'LocalReboot', CommandKey: 'step-1', FirmwareUpdated: 'true' });
    await agent.whenResponded('b-1');
    await gateway.presence.flush();
    expect(await fleet.historyOf(router)).toContain('boot: RemoteReboot');
  });

  it('nothing acknowledged is lost when every connection to the database is cut under load', async () => {
    const gateway = await start({ notificationsInFlight: 1_000, framesPerSecond: 1_000 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    for (let index = 0; index < 300; index++) {
      agent.push(`l-${index}`, [{ 'Device.Cellular.Interface.1.Stats.BytesSent': index }]);
      if (index === 100 || index === 200) await fleet.cutConnections();
    }
    await agent.whenResponded('l-299');
    await eventually(() => expect(agent.responded.length).toBe(300));
    const kept = new Set((await fleet.telemetryOf(router)).map(({ value }) => value));
    expect(agent.responded.filter((id) => !kept.has(Number(id.slice(2))))).toEqual([]);
  });

  it('an unacknowledged alarm that arrives late is not trusted: the current state is read', async () => {
    const gateway = await start({ notificationsInFlight: 2, youngMs: 0 });
    const low = 'Device.X_HIGHLINE_Vehicle.BatteryLow';
    const model = new Map([...minimalAgent.model, [low, 'false']]);
    const agent = gateway.agent(router, { ...minimalAgent, model });
    await gateway.reconciled();
    await gateway.presence.flush();
    const say = (id: string, paramValue: string) => agent.notify(id, 'valueChange', { paramPath: low, paramValue });
    const outage = fleet.breakDatabase();
    say('a-1', 'true');
    say('a-2', 'false');
    say('a-3', 'true');
    say('a-4', 'false');
    await eventually(() => expect(gateway.gateway.stats().notifications.deferred).toBe(2));
    outage.repair();
    await Promise.all([agent.whenResponded('a-1'), agent.whenResponded('a-2')]);
    say('a-4', 'false');
    await agent.whenResponded('a-4');
    say('a-3', 'true');
    await agent.whenResponded('a-3');
    const states = await fleet.pool.query('select state from router_alarms where router_id = $1', [router.id]);
    expect(states.rows).toEqual([{ state: 'off' }]);
    const events = await fleet.pool.query(
      "select event, times from notification_events where event like 'BATTERY%' order by event",
    );
    expect(events.rows).toEqual([
      { event: 'BATTERY_LOW', times: 1 },
      { event: 'BATTERY_LOW_CLEAR', times: 1 },
    ]);
  });

  it('DEV-09-partial changes that were sent into a dead connection come after newer ones: what the router has now is read, together', async () => {
    const gateway = await start();
    const low = 'Device.X_HIGHLINE_Vehicle.BatteryLow';
    const thermal = 'Device.Cellular.Interface.1.X_HIGHLINE_ThermalProtection';
    const carrier = 'Device.Cellular.Interface.1.NetworkInUse';
    const model = new Map([...completeAgent.model, [low, 'false'], [thermal, 'false'], [carrier, 'Now']]);
    const agent = gateway.agent(router, { ...completeAgent, model });
    await gateway.reconciled();
    const late = [low, thermal, carrier].map((paramPath, index) => ({ id: `late-${index}`, paramPath }));
    for (const { id, paramPath } of late)
      agent.notify(id, 'valueChange', { paramPath, paramValue: paramPath === carrier ? 'Before' : 'true' });
    for (const { id } of late) await agent.whenResponded(id);
    const read = agent.requests.filter(({ type }) => type === 'get').map(({ value }) => value['paramPaths']);
    expect(read.slice(-2)).toEqual([[low], [thermal, carrier]]);
    expect(await fleet.deviceOf(router)).toMatchObject({ carrier: 'Now' });
    const states = await fleet.pool.query("select from router_alarms where router_id = $1 and state = 'on'", [router.id]);
    expect(states.rowCount).toBe(0);
    // What it has now counts, whatever the notification says.
    agent.model.set(low, 'true');
    agent.notify('new', 'valueChange', { paramPath: low, paramValue: 'true' });
    await agent.whenResponded('new');
    const stored = await fleet.pool.query('select alarm, state from router_alarms where router_id = $1', [router.id]);
    expect(stored.rows).toContainEqual({ alarm: 'battery-low', state: 'on' });
  });

  it('DEV-09-partial a change that is notified while the router is reconciled, after its values were read, is stored as well', async () => {
    const gateway = await start();
    const name = 'Device.DeviceInfo.VendorConfigFile.1.Name';
    let isChanged = false;
    const agent = gateway.agent(router, {
      ...minimalAgent,
      model: new Map([...minimalAgent.model, [name, 'old.cfg']]),
      respond(self, { type }) {
        // The first request after the values.
        if (type !== 'add' || isChanged) return false;
        isChanged = true;
        self.model.set(name, 'new.cfg');
        self.notify('c-1', 'valueChange', { paramPath: name, paramValue: 'new.cfg' });
        return false;
      },
    });
    await agent.whenResponded('c-1');
    await eventually(async () => expect(await fleet.deviceOf(router)).toMatchObject({ config: 'new.cfg' }));
    await gateway.reconciled(2);
  });

  it('above the queue limit are left unanswered, and accepted when they come again', async () => {
    const gateway = await start({ notificationsInFlight: 2 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    await gateway.presence.flush();
    const outage = fleet.breakDatabase();
    const send = (index: number) => agent.push(`d-${index}`, [{ 'Device.Cellular.Interface.1.Stats.BytesSent': index }]);
    for (let index = 0; index < 5; index++) send(index);
    await eventually(() => expect(gateway.gateway.stats().notifications.deferred).toBe(3));
    outage.repair();
    await Promise.all([agent.whenResponded('d-0'), agent.whenResponded('d-1')]);
    send(4);
    await agent.whenResponded('d-4');
    expect((await fleet.telemetryOf(router)).map(({ value }) => value).sort((a, b) => a - b)).toEqual([0, 1, 4]);
  });

  it('DEV-09-partial of a router that floods are left unanswered, over reconnects, and those of another are stored', async () => {
    const { log, sentences } = createLogBook();
    const gateway = await start({ reportsInRow: 10 }, { log });
    const sent = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ 'Device.Cellular.Interface.1.Stats.BytesSent': index }));
    const stored = async (of: TestRouter) => (await fleet.telemetryOf(of)).length;
    const agent = gateway.agent(router, minimalAgent);
    const sibling = gateway.agent(other, minimalAgent);
    await gateway.reconciled(2);
    for (const id of ['f-1', 'f-2', 'f-3']) agent.push(id, sent(100));
    await agent.whenResponded('f-1');
    sibling.push('s-1', sent(3));
    await sibling.whenResponded('s-1');
    const again = await gateway.agent(router, minimalAgent).opened();
    for (const id of ['f-2', 'f-3']) again.push(id, sent(100));
    await eventually(() => expect(gateway.gateway.stats().notifications.deferred).toBe(4));
    expect([await stored(router), await stored(other)]).toEqual([100, 3]);
    expect(sentences.filter((each) => each.includes('more Push! events'))).toHaveLength(2);
  });

  it('DEV-09-partial a report that came above the limit is stored when it comes again later', async () => {
    const gateway = await start({ reportsInRow: 1 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    const send = (value: number) => agent.push(`r-${value}`, [{ 'Device.Cellular.Interface.1.Stats.BytesSent': value }]);
    send(1);
    send(2);
    await agent.whenResponded('r-1');
    await eventually(async () => {
      send(2);
      expect((await fleet.telemetryOf(router)).map(({ value }) => value)).toEqual([1, 2]);
    });
  });

  it('DEV-08-partial more Boot! events in a row than are accepted are neither starts nor acknowledged', async () => {
    const gateway = await start({ bootsInRow: 2 });
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    for (const id of ['b-1', 'b-2', 'b-3', 'b-4']) agent.event(id, 'Device.', 'Boot!', { Cause: 'LocalReboot' });
    await Promise.all([agent.whenResponded('b-1'), agent.whenResponded('b-2')]);
    await eventually(() => expect(gateway.gateway.stats().notifications.deferred).toBe(2));
    await gateway.presence.flush();
    expect((await fleet.historyOf(router)).filter((line) => line.startsWith('boot'))).toHaveLength(2);
  });

  it('DEV-09-partial more changes in a row for which all of a router is read are left unanswered', async () => {
    const gateway = await start({ changesInRow: 2 });
    const agent = gateway.agent(router, completeAgent);
    await gateway.reconciled();
    for (const id of ['c-1', 'c-2', 'c-3', 'c-4'])
      agent.notify(id, 'valueChange', { paramPath: 'Device.Cellular.Interface.1.Status', paramValue: 'Up' });
    await Promise.all([agent.whenResponded('c-1'), agent.whenResponded('c-2')]);
    await eventually(() => expect(gateway.gateway.stats().notifications.deferred).toBe(2));
    // What is read by itself has no such limit.
    const carrier = 'Device.Cellular.Interface.1.NetworkInUse';
    agent.notify('c-5', 'valueChange', { paramPath: carrier, paramValue: 'T-Mobile' });
    await agent.whenResponded('c-5');
  });
});
