import { startAgent } from '@highline/router';
import { afterEach, describe, expect, it } from 'vitest';
import type { TestAgent } from '../../testing/agent.ts';
import { minimalAgent } from '../../testing/agent-models.ts';
import { startStrictAgent } from '../../testing/agents.ts';
import { eventually } from '../../testing/eventually.ts';
import { openGateways } from '../../testing/gateways.ts';
import { readStoredPositions } from '../../testing/stored-positions.ts';
import type { RouterDatabase, TestRouter } from '../../testing/routers.ts';

let fleet: RouterDatabase;
let router: TestRouter;
let other: TestRouter;
const start = openGateways((given) => ({ fleet, router, other } = given));

const LOCATION = 'Device.DeviceInfo.Location.1.DataObject';
const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const agent of running.splice(0)) await agent.stop();
});

const storedOf = ({ id }: TestRouter) => readStoredPositions(fleet.database.read, id);

/** @param place latitude and longitude @param at null = without a timestamp */
const pidfLo = (place: string, at: Date | null, type = '') =>
  `${type}<presence xmlns="urn:ietf:params:xml:ns:pidf" xmlns:gp="urn:ietf:params:xml:ns:pidf:geopriv10" entity="pres:a@example.net">
    <tuple id="t"><status><gp:geopriv><gp:location-info><gml:Point xmlns:gml="http://www.opengis.net/gml"
    srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>${place}</gml:pos></gml:Point></gp:location-info></gp:geopriv></status>
    ${at === null ? '' : `<timestamp>${at.toISOString()}</timestamp>`}</tuple></presence>`;

describe('positions of agents', () => {
  it('POS-01-partial a strict agent reports PIDF-LO; a bad one is counted, and the router stays connected', async () => {
    const gateway = await start();
    const { agent, stop } = startStrictAgent(gateway.address, router);
    running.push({ stop });
    await gateway.reconciled();
    const at = (seconds: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 - seconds * 1_000);
    const [first, second] = [at(60), at(30)];
    agent.change(LOCATION, pidfLo('25.0478 121.5170', first));
    await eventually(async () =>
      expect(await storedOf(router)).toMatchObject([{ latitude: 25.0478, longitude: 121.517, at: first }]),
    );
    agent.change(LOCATION, pidfLo('25.05 121.52', at(20), '<!DOCTYPE p [<!ENTITY a "aaaa">]>'));
    agent.change(LOCATION, pidfLo('25.05 121.52', at(20)).replaceAll('geopriv10', 'other'));
    agent.change(LOCATION, `${pidfLo('25.05 121.52', at(20))}${' '.repeat(400_000)}`);
    agent.change(LOCATION, pidfLo('0 0', at(20)));
    agent.change(LOCATION, pidfLo('25.05 121.52', second));
    await eventually(async () => expect(await storedOf(router)).toHaveLength(2));
    await eventually(() => expect(agent.unacknowledged).toBe(0));
    expect(gateway.positions.stats().rejected).toMatchObject({ doctype: 1, namespace: 1, too_large: 1, zero: 1 });
    expect(agent.isConnected).toBe(true);
    // At the next connect the document is read again, and is the same position.
    agent.reboot();
    await gateway.reconciled(2);
    expect((await storedOf(router)).map(({ at: time }) => time)).toEqual([first, second]);
  });

  const readIn = (agent: TestAgent) => agent.count('get');
  /** Read again, in a later second than the newest position. */
  const readsLater = async (agent: TestAgent) => {
    const { at } = (await storedOf(router)).at(-1)!;
    await eventually(() => expect(Date.now()).toBeGreaterThan(at.getTime() + 1_000));
    const reads = readIn(agent);
    await eventually(() => expect(readIn(agent)).toBeGreaterThan(reads + 1));
  };

  it('POS-01-partial a position without a time that is only read again is no new one, on no connection; another place is', async () => {
    const gateway = await start({ telemetrySeconds: 0.05 });
    const model = new Map([...minimalAgent.model, [LOCATION, pidfLo('25.0478 121.5170', null)]]);
    const places = async () => (await storedOf(router)).map(({ latitude }) => latitude);
    const agent = gateway.agent(router, { model, tables: minimalAgent.tables });
    await eventually(async () => expect(await places()).toEqual([25.0478]));
    await readsLater(agent);
    expect(await places()).toEqual([25.0478]);
    const again = gateway.agent(router, { model, tables: minimalAgent.tables });
    await gateway.reconciled(2);
    await readsLater(again);
    expect(await places()).toEqual([25.0478]);
    again.model.set(LOCATION, pidfLo('25.0500 121.5170', null));
    await eventually(async () => expect(await places()).toEqual([25.0478, 25.05]));
    // A notified change is a new position, also at the same place.
    await readsLater(again);
    again.notify('1', 'valueChange', { paramPath: LOCATION, paramValue: pidfLo('25.0500 121.5170', null) });
    await again.whenResponded('1');
    expect(await places()).toEqual([25.0478, 25.05, 25.05]);
  });

  it('POS-01-partial a position without a time that comes with its trail is the end of that, unless it is at another place', async () => {
    const gateway = await start();
    const agent = gateway.agent(router, minimalAgent);
    await gateway.reconciled();
    const begin = Math.floor(Date.now() / 1_000) - 60;
    const report = (id: string, trail: readonly (readonly [number, number])[], latitude: number) => {
      const entries = trail.map(([seconds, place]) => `${begin + seconds},${place},121.5`).join(';');
      agent.push(id, [{ 'Device.X_HIGHLINE_GPS.Trail': entries, [LOCATION]: pidfLo(`${latitude} 121.5`, null) }]);
      return agent.whenResponded(id);
    };
    const places = async () => (await storedOf(router)).map(({ latitude }) => latitude);
    const trail = [
      [0, 25.01],
      [10, 25.02],
    ] as const;
    await report('p-1', trail, 25.02);
    expect(await places()).toEqual([25.01, 25.02]);
    // It was elsewhere since, so it is no repetition of the newest one that is stored.
    await report('p-2', [[20, 25.03]], 25.02);
    expect(await places()).toEqual([25.01, 25.02, 25.03, 25.02]);
  });

  it('POS-01-partial a position without a timestamp has the time that its router says next to it, by our clock', async () => {
    const gateway = await start({ telemetrySeconds: 0.05 });
    const acquired = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000;
    const aheadMs = 86_400_000;
    const written = (time: number) => new Date(time).toISOString();
    const model = new Map([
      ...minimalAgent.model,
      ['Device.Time.CurrentLocalTime', written(Date.now() + aheadMs)],
      [LOCATION, pidfLo('25.0478 121.5170', null)],
      [LOCATION.replace('DataObject', 'AcquiredTime'), written(acquired + aheadMs)],
    ]);
    const agent = gateway.agent(router, { model, tables: minimalAgent.tables });
    await eventually(async () => expect(await storedOf(router)).toHaveLength(1));
    await readsLater(agent);
    const stored = await storedOf(router);
    expect(stored).toHaveLength(1);
    expect(Math.abs(stored[0]!.at.getTime() - acquired)).toBeLessThan(10_000);
  });

  it('POS-01-partial our agent reports the newest fix at once and a trail with its readings; each position is stored once', async () => {
    const gateway = await start({ telemetrySeconds: 1 });
    const { serial, mac, secret } = other;
    const description = { serial, mac, secret, model: 'HL-R320', home: [41.88, -87.63] as [number, number], fixSeconds: 1 };
    const timing = { bootMs: 50, valueChangePollMs: 50 };
    running.push(startAgent({ server: gateway.address, router: description, timing }));
    await gateway.reconciled();
    await eventually(async () => expect((await storedOf(other)).length).toBeGreaterThan(0));
    const [stored] = await storedOf(other);
    expect(Math.hypot(stored!.latitude - 41.88, stored!.longitude + 87.63)).toBeLessThan(0.2);
    expect(stored!.accuracy).toBeGreaterThan(0);
    expect(gateway.positions.stats().rejected).toMatchObject({ malformed: 0, shape: 0, namespace: 0, future: 0 });
  });
});
