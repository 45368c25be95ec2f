import type { networks } from '@highline/contract';
import type { RouterHandle } from '@highline/router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startAgentWithNetworks, startStrictAgent, type AgentUnderTest } from '../testing/agents.ts';
import { openRolloutFixture, type GroupMember, type RolloutFixture } from '../testing/rollouts.ts';

// From a router to the answer of the call, with our own agent and with one that supports only the standard.

const NETWORKS = '/data_manager/v1/dm/device/networks';

let fixture: RolloutFixture;
let router: GroupMember;
const running: AgentUnderTest[] = [];

beforeAll(async () => {
  fixture = await openRolloutFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  [router] = (await fixture.members(await fixture.group(), 1)) as [GroupMember];
});
afterEach(async () => {
  for (const agent of running.splice(0)) await agent.stop();
});

/** A part of the networks, read from the router. */
async function look(part: networks.NetworkPart, more = ''): Promise<networks.DeviceNetworks> {
  // What was read a moment ago is not read again.
  fixture.clock.move(5_000);
  return fixture.call('GET', `${NETWORKS}?device=${router.device}&part=${part}${more}`);
}

const repair = (cause: string) =>
  fixture.call<{ outcome: string; message: string }>('POST', NETWORKS, { device: router.device, cause });

async function column(name: string): Promise<unknown> {
  const { rows } = await fixture.server.owner.query('select * from devices where id = $1', [router.device]);
  return rows[0][name];
}

async function isOnline() {
  await expect.poll(() => column('presence')).toBe('online');
  await expect.poll(() => column('uplink_kind')).not.toBeNull();
}

interface Vehicle {
  /** Make this the cause. */
  plant(cause: networks.WifiCause): Promise<void> | void;
  /** The preferred uplink fails. */
  failUplink(): void;
}

/** The limit of the plan of the router's SIM is reached, in this vehicle and in another together. */
async function useUpData(): Promise<void> {
  const { owner } = fixture.server;
  await expect.poll(() => column('iccid')).not.toBeNull();
  const [iccid, organization] = [await column('iccid'), await column('organization_id')];
  const now = fixture.clock.now();
  const plan = '01900000-0000-7000-8000-00000000000a';
  await owner.query(
    `insert into usage_plans (organization_id, id, name, cycle_day, allowance, is_pool, applies_to, shares, action, actor)
     values ($1, $2, 'Small', 1, 10, false, 'chosen', '{100}', 'mail', '{}') on conflict do nothing`,
    [organization, plan],
  );
  await owner.query(
    `insert into usage_sims (organization_id, iccid, plan_id, cycle_day) values ($1, $2, $3, 1)
     on conflict (organization_id, iccid) do update set plan_id = excluded.plan_id`,
    [organization, iccid, plan],
  );
  await owner.query(
    `insert into usage_cycles (organization_id, iccid, device_id, cycle_from, sent, received)
     select $1, $2, of.device, date_trunc('month', $4::timestamptz at time zone 'UTC')::date, 3, 3
     from unnest(array[$3, '01900000-0000-7000-8000-00000000000b']::uuid[]) of (device) on conflict do nothing`,
    [organization, iccid, router.device, now],
  );
}

function startOwn(): Vehicle {
  const agent: AgentUnderTest & { readonly router: RouterHandle } = startAgentWithNetworks(fixture.address(), router);
  running.push(agent);
  const own = agent.router;
  const plants: Readonly<Record<networks.WifiCause, () => Promise<void> | void>> = {
    'radio-off': () => own.switchNetwork('radios', false),
    'radio-fault': () => own.breakNetwork('radio', true),
    'ssid-off': () => own.switchNetwork('ssids', false),
    'access-point-off': () => own.switchNetwork('access-points', false),
    'dhcp-off': () => own.switchNetwork('dhcp', false),
    'dhcp-full': () => own.switchNetwork('dhcp-addresses', false),
    'uplink-down'() {
      own.breakNetwork('wan', true);
      own.breakNetwork('modem-data', true);
    },
    'dns-off': () => own.switchNetwork('dns', false),
    'dns-fault': () => own.breakNetwork('name-server', true),
    'data-used-up': useUpData,
  };
  return { plant: (cause) => plants[cause](), failUplink: () => own.breakNetwork('wan', true) };
}

function startPlain(): Vehicle {
  const plain = startStrictAgent(fixture.address(), router);
  running.push(plain);
  const set = (path: string, value: string) => () => plain.agent.change(path, value);
  const plants: Readonly<Record<networks.WifiCause, () => Promise<void> | void>> = {
    'radio-off': set('Device.WiFi.Radio.1.Enable', 'false'),
    'radio-fault': set('Device.WiFi.Radio.1.Status', 'Error'),
    'ssid-off': set('Device.WiFi.SSID.1.Enable', 'false'),
    'access-point-off': set('Device.WiFi.AccessPoint.1.Enable', 'false'),
    'dhcp-off': set('Device.DHCPv4.Server.Enable', 'false'),
    'dhcp-full': set('Device.DHCPv4.Server.Pool.1.ClientNumberOfEntries', '90'),
    'uplink-down'() {
      set('Device.IP.Interface.2.Status', 'Down')();
      set('Device.IP.Interface.3.Status', 'Dormant')();
    },
    'dns-off': set('Device.DNS.Client.Enable', 'false'),
    'dns-fault': set('Device.DNS.Client.Server.1.Status', 'Error_ResolutionFailed'),
    'data-used-up': useUpData,
  };
  return { plant: (cause) => plants[cause](), failUplink: set('Device.IP.Interface.2.Status', 'Down') };
}

const agents = [
  { name: 'our own agent', start: startOwn, kind: 'satellite', uplinks: ['starlink', 'wwan0'] },
  { name: 'a strict agent', start: startPlain, kind: 'ethernet', uplinks: ['depot', 'mobile'] },
];

describe.each(agents)('$name', ({ start, kind, uplinks: [preferred, backup] }) => {
  test('LIV-10 reports its uplinks, and a failover is a fact, an event, and seen when someone looks', async () => {
    const vehicle = start();
    await isOnline();
    expect(await column('uplink_kind')).toBe(kind);
    const { uplinks, live } = await look('uplinks');
    expect(live).toBe(true);
    expect(uplinks!.map(({ name, up, carries }) => [name, up, carries])).toEqual([
      [preferred, true, true],
      [backup, true, false],
    ]);
    vehicle.failUplink();
    await expect.poll(() => column('uplink_kind')).toBe('cellular');
    const after = (await look('uplinks')).uplinks!;
    expect(after.map(({ up, carries }) => [up, carries])).toEqual([
      [false, false],
      [true, true],
    ]);
    const events = () =>
      fixture.call<{ event: string; reason: string }[]>(
        'GET',
        `/data_manager/v1/dm/device/timeline?device=${router.device}&kind=alarm`,
      );
    await expect.poll(events).toMatchObject([{ event: 'UPLINK', state: 'happened', reason: `${preferred} → ${backup}` }]);
  });

  test.each([
    ['radio-off', true],
    ['radio-fault', false],
    ['ssid-off', true],
    ['access-point-off', true],
    ['dhcp-off', true],
    ['dhcp-full', false],
    ['uplink-down', false],
    ['dns-off', true],
    ['dns-fault', false],
    ['data-used-up', false],
  ] as const)('LIV-03 finds why there is no Wi-Fi: %s', async (cause, isRepairable) => {
    const vehicle = start();
    await isOnline();
    expect((await look('wifi')).wifi).toMatchObject({ cause: null });
    await vehicle.plant(cause);
    expect((await look('wifi')).wifi).toMatchObject({ cause });
    if (!isRepairable) return;
    expect(await repair(cause)).toEqual({ outcome: 'done', message: '' });
    expect((await look('wifi')).wifi).toMatchObject({ cause: null });
    const { rows } = await fixture.server.owner.query(
      `select detail from audit_entries where sentence ->> 'key' = 'networks.repaired' or action like 'Repaired the Wi-Fi%' order by seq desc limit 1`,
    );
    expect(rows[0].detail).toMatchObject({ serial: router.serial, cause, outcome: 'done' });
  });

  test('LIV-02-partial reports who uses its networks', async () => {
    start();
    await isOnline();
    const { clients, total, live } = await look('clients');
    expect({ live, total }).toEqual({ live: true, total: clients!.length });
    expect(total).toBeGreaterThan(0);
    const phone = clients!.find(({ random }) => random)!;
    expect(phone).toMatchObject({ wireless: true, signal: expect.any(Number), connection: expect.stringMatching(/./u) });
    expect(phone.mac).toMatch(/^([\dA-F]{2}:){5}[\dA-F]{2}$/u);
    expect((await look('clients', `&search=${phone.mac.toLowerCase()}`)).clients).toMatchObject([{ mac: phone.mac }]);
  });
});

test('LIV-02-partial of a router that counts more clients than are read the answer is their number, not none', async () => {
  const strict = startStrictAgent(fixture.address(), router);
  running.push(strict);
  await isOnline();
  strict.agent.change('Device.Hosts.HostNumberOfEntries', '12000');
  expect(await look('clients')).toMatchObject({ live: true, clients: [], found: 0, total: 12_000 });
});
