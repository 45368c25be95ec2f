import type { rollouts, routerSettings, sentCommands } from '@highline/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStrictAgent } from '../../testing/agents.ts';
import { openRolloutFixture, type GroupRouter, type RolloutFixture } from '../../testing/rollouts.ts';

// A whole server, and routers over the real protocol.

const COMMANDS = '/data_manager/v1/dm/device/commands';
const MINUTE = 60_000;
const TAIPEI = { latitude: 25.04, longitude: 121.56 };

let fixture: RolloutFixture;
beforeAll(async () => {
  fixture = await openRolloutFixture({ sentCommands: { responseMs: 2_000, repeatMs: 500 } });
});
afterAll(() => fixture.close());

const owner = (text: string, ...values: unknown[]) => fixture.server.owner.query(text, values);
const org = () => fixture.scope.organizationId;
const send = (device: string, kind: 'identify' | 'apply-settings', window: Conditions) =>
  fixture.call<sentCommands.SentCommand>('POST', COMMANDS, {
    org: org(),
    device,
    kind,
    ...(kind === 'identify' && { argument: '5' }),
    wait: 24,
    window: { zone: 'UTC', ...window },
  });
type Conditions = Partial<rollouts.UpdateWindow>;
const becomes = async (id: string, expected: object) => {
  const read = async () => (await owner('select state, reason from sent_commands where id = $1', id)).rows[0] as object;
  await expect.poll(read).toMatchObject(expected);
};

const report = (device: string, reported: object) =>
  owner(
    'update routers r set reported = r.reported || $2 from devices d where d.id = $1 and r.id = d.router_id',
    device,
    JSON.stringify(reported),
  );
const measure = (device: string, reading: 'voltage' | 'rsrp', value: number) =>
  owner(
    `insert into telemetry_reports (router_id, at, ${reading}) select router_id, $2, $3 from devices where id = $1`,
    device,
    fixture.clock.now(),
    value,
  );
const drive = (device: string, speed: number, { latitude, longitude } = TAIPEI) =>
  owner(
    `insert into router_positions (router_id, at, latitude, longitude, speed, is_jump, stored_at)
     select router_id, $2, $3, $4, $5, false, $2 from devices where id = $1
     on conflict (router_id) do update set at = excluded.at, speed = excluded.speed`,
    device,
    fixture.clock.now(),
    latitude,
    longitude,
    speed,
  );
const enter = (device: string, fence: string) =>
  owner(
    `insert into geofence_states (router_id, geofence_id, is_inside) select router_id, $2, true from devices where id = $1`,
    device,
    fence,
  );
async function addFence(name: string): Promise<string> {
  const shape = { kind: 'circle', latitude: 60, longitude: 20, radius: 200 };
  return (await fixture.call<{ id: string }>('POST', '/data_manager/v1/dm/geofences', { org: org(), name, shape })).id;
}
/** An hour of a weekday in Taipei, which begins in an hour; in UTC it is not for another nine. */
function comingHour(): rollouts.UpdateWindow['hours'] {
  const there = (minutes: number) => new Date(fixture.clock.now().getTime() + (8 * 60 + minutes) * MINUTE);
  const timeOf = (at: Date) => at.toISOString().slice(11, 16);
  return [{ days: [there(60).getUTCDay()], from: timeOf(there(60)), until: timeOf(there(120)) }];
}

type Condition = 'hours' | 'ignition' | 'moving' | 'geofence' | 'voltage' | 'signal' | 'uplink';
interface Case {
  readonly waitsFor: Condition;
  readonly close: (device: string) => Promise<Conditions>;
  readonly open: (device: string, window: Conditions) => Promise<unknown>;
}
const cases: readonly Case[] = [
  {
    waitsFor: 'hours',
    close: async (device) => {
      await drive(device, 0);
      return { local: true, hours: comingHour() };
    },
    open: () => Promise.resolve(fixture.clock.move(60 * MINUTE)),
  },
  {
    waitsFor: 'ignition',
    close: async (device) => {
      await report(device, { ignition: 'on' });
      return { ignitionOffMinutes: 10 };
    },
    open: (device) => report(device, { ignition: 'off' }),
  },
  {
    waitsFor: 'moving',
    close: async (device) => {
      await drive(device, 40);
      return { stillMinutes: 10 };
    },
    open: (device) => drive(device, 0),
  },
  {
    waitsFor: 'geofence',
    close: async (device) => {
      await drive(device, 0);
      return { geofences: [await addFence('Yard')] };
    },
    open: (device, { geofences }) => enter(device, geofences![0]!),
  },
  {
    waitsFor: 'voltage',
    close: async (device) => {
      await measure(device, 'voltage', 11.2);
      return { minVoltage: 12 };
    },
    open: (device) => measure(device, 'voltage', 12.6),
  },
  {
    waitsFor: 'signal',
    close: async (device) => {
      await measure(device, 'rsrp', -118);
      return { minSignal: -105 };
    },
    open: (device) => measure(device, 'rsrp', -90),
  },
  {
    waitsFor: 'uplink',
    close: async (device) => {
      await report(device, { uplink_kind: 'cellular' });
      return { uplinks: ['ethernet', 'wifi'] };
    },
    open: (device) => report(device, { uplink_kind: 'wifi' }),
  },
];

async function connected(): Promise<GroupRouter> {
  const [router] = await fixture.routers(await fixture.group(), 1);
  await router!.connect();
  const presence = async () => (await owner('select presence from devices where id = $1', router!.device)).rows[0] as object;
  await expect.poll(presence).toMatchObject({ presence: 'online' });
  return router!;
}

/** Keys of what a router got: without a response, the same is sent again. */
const sentTo = ({ operations }: GroupRouter) => [...new Set(operations.map(({ key }) => key))];

describe('WIN-02 the same windows for commands and settings; profile switches and rollouts have tests of their own', () => {
  test.each(cases)('a command waits for $waitsFor, says so, and is sent once it holds', async ({ waitsFor, close, open }) => {
    const router = await connected();
    const window = await close(router.device);
    const { id } = await send(router.device, 'identify', window);
    await becomes(id, { state: 'waiting', reason: `window-${waitsFor}` });
    expect(router.operations).toEqual([]);
    await open(router.device, window);
    fixture.clock.move(MINUTE + 1_000);
    await becomes(id, { state: 'running', reason: null });
    expect(sentTo(router)).toEqual([id]);
  });

  test('windows that exclude each other hold up no other: each command is sent in its own', async () => {
    const router = await connected();
    await report(router.device, { uplink_kind: 'cellular' });
    const night = await send(router.device, 'identify', { uplinks: ['ethernet', 'wifi'] });
    const day = await send(router.device, 'identify', { uplinks: ['cellular'] });
    await becomes(day.id, { state: 'running', reason: null });
    await becomes(night.id, { state: 'waiting', reason: 'window-uplink' });
    await router.complete(router.operations[0]!);
    await report(router.device, { uplink_kind: 'ethernet' });
    fixture.clock.move(MINUTE + 1_000);
    await becomes(night.id, { state: 'running', reason: null });
    expect(sentTo(router)).toEqual([day.id, night.id]);
  });

  test('settings wait for the window, reach the router in it, and a window that never opens ends them unsent', async () => {
    const group = await fixture.group();
    const [member, other] = await fixture.members(group, 2);
    const agents = [member!, other!].map((each) => startStrictAgent(fixture.address(), each));
    for (const { device } of [member!, other!]) {
      const presence = async () => (await owner('select presence from devices where id = $1', device)).rows[0] as object;
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await expect.poll(presence).toMatchObject({ presence: 'online' });
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await drive(device, 0);
    }
    const values = [{ path: 'WiFi.SSID[name=passengers].SSID', value: 'Night WLAN' }];
    await fixture.call('PUT', '/data_manager/v1/dm/settings', { org: org(), group, values });
    const fence = await addFence('Depot');
    const { id } = await send(member!.device, 'apply-settings', { geofences: [fence] });
    await becomes(id, { state: 'waiting', reason: 'window-geofence' });
    const ssid = () => agents[0]!.agent.value('Device.WiFi.SSID.1.SSID');
    expect(ssid()).not.toBe('Night WLAN');
    await enter(member!.device, fence);
    fixture.clock.move(MINUTE + 1_000);
    await becomes(id, { state: 'done' });
    expect(ssid()).toBe('Night WLAN');
    const shown = await fixture.call<routerSettings.DeviceSettings>(
      'GET',
      `/data_manager/v1/dm/device/settings?device=${member!.device}`,
    );
    expect(shown.state).toBe('as-set');
    // A geofence that was deleted is one that nothing enters.
    const late = await send(other!.device, 'apply-settings', { geofences: [fence] });
    await owner('delete from geofences where id = $1', fence);
    fixture.clock.move(MINUTE + 1_000);
    await becomes(late.id, { state: 'waiting', reason: 'window-no-geofence' });
    fixture.clock.move(24 * 60 * MINUTE);
    await becomes(late.id, { state: 'expired', reason: null });
    expect(agents[1]!.agent.value('Device.WiFi.SSID.1.SSID')).not.toBe('Night WLAN');
    for (const agent of agents) await agent.stop();
  });
});
