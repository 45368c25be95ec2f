import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { StrictAgent } from '@highline/testkit/agent';
import { enter, expect, expectAccessible, test } from './fixtures.ts';
import { button, question } from './groups.ts';
import type { Tenant, TenantRouter } from './tenant.ts';

// What a person reads when passengers have no Wi-Fi, with our own agent and with one that supports only the standard.

const sentences = {
  'radio-off': 'The radios are switched off.',
  'radio-fault': 'The radios are switched on and do not work. Restart the router; if that does not help, it needs service.',
  'ssid-off': 'The Wi-Fi network is switched off.',
  'access-point-off': 'The access point is switched off: nothing can join the Wi-Fi network.',
  'dhcp-off': 'The router gives no addresses: its DHCP server is switched off.',
  'dhcp-full': 'All addresses of the DHCP server are in use. Give it a larger range in the config file.',
  'uplink-down': 'The Wi-Fi works and leads nowhere: no uplink is up.',
  'dns-off': 'Names of websites are not found: DNS is switched off.',
  'dns-fault': 'Names of websites are not found: the name server does not respond.',
  'data-used-up': 'The data plan of the SIM is used up for this cycle.',
};
const NOTHING = 'Nothing is wrong with the Wi-Fi, as far as the router reports.';

type Cause = keyof typeof sentences;

interface Vehicle {
  readonly router: TenantRouter;
  /** Each makes the router have this cause. */
  readonly faults: Readonly<Record<Exclude<Cause, 'data-used-up'>, () => void>>;
}

/** Those that a button ends, with its label. */
const repaired = [
  ['radio-off', 'Switch on the radios'],
  ['ssid-off', 'Switch on the Wi-Fi network'],
  ['access-point-off', 'Switch on the access point'],
  ['dhcp-off', 'Switch on the DHCP server'],
  ['dns-off', 'Switch on DNS'],
] as const;
/** The others in the order opposite to that of the checks, so that each is found before those which are there already; with where to go on. */
const others = [
  ['data-used-up', 'Show the data plans'],
  ['dns-fault', 'Show the uplinks'],
  ['uplink-down', 'Show the uplinks'],
  ['dhcp-full', undefined],
  ['radio-fault', 'Restart the router'],
] as const;

test('LIV-03 "Why is there no Wi-Fi?" ends with the right sentence for ten planted causes on two agents, and the button ends what a setting can', async ({
  page,
  context,
  tenant,
}) => {
  const [ours, plain] = (await tenant.routers(2)) as [TenantRouter, TenantRouter];
  const strict = await startStrict(tenant, plain);
  const vehicles = [startOwn(tenant, ours), { router: plain, faults: strict.faults }];
  try {
    await enter(page, tenant.users.admin);
    // Both at once: a walk waits for the next reading of its router most of the time.
    const second = await context.newPage();
    await Promise.all(vehicles.map((vehicle, index) => walk(index === 0 ? page : second, tenant, vehicle)));
    await expectAccessible(page);
  } finally {
    await strict.stop();
  }
});

async function walk(page: Page, tenant: Tenant, { router: { serial }, faults }: Vehicle): Promise<void> {
  const device = await connected(tenant, serial);
  await page.goto(`/devices/setting?device=${device}&tab=wifi`);
  const why = page.getByRole('region', { name: 'Why is there no Wi-Fi?' });
  await expect(why).toContainText(NOTHING);
  for (const [cause, label] of repaired) {
    faults[cause]();
    await expect(why).toContainText(sentences[cause]);
    await button(why, label).click();
    await expect(question(page)).toContainText(serial);
    await button(question(page), label).click();
    await expect(why).toContainText(NOTHING);
  }
  for (const [cause, next] of others) {
    if (cause === 'data-used-up') await useUpData(tenant, device);
    else faults[cause]();
    await expect(why).toContainText(sentences[cause]);
    await expect(why.getByRole('button')).toHaveCount(0);
    if (next === undefined) await expect(why.getByRole('link')).toHaveCount(0);
    else await expect(why.getByRole('link', { name: next })).toBeVisible();
  }
}

/** Wait until the router of a device has reported its uplinks and its SIM. @returns the device */
async function connected(tenant: Tenant, serial: string): Promise<string> {
  const read = async () => {
    const { rows } = await tenant.owner.query<{ id: string; ready: boolean }>(
      `select id, presence = 'online' and uplink_kind is not null and iccid is not null as ready from devices where serial = $1`,
      [serial],
    );
    return rows[0]!;
  };
  await expect.poll(async () => (await read()).ready).toBe(true);
  return (await read()).id;
}

/** A plan of ten bytes a month, of which the SIM used more. */
async function useUpData({ owner }: Tenant, device: string): Promise<void> {
  const of = 'from devices d where d.id = $1';
  await owner.query(
    `insert into usage_plans (organization_id, id, name, cycle_day, allowance, is_pool, applies_to, shares, action, actor)
     select d.organization_id, gen_random_uuid(), 'Small ' || d.serial, 1, 10, false, 'chosen', '{100}', 'mail', '{}' ${of}`,
    [device],
  );
  await owner.query(
    `insert into usage_sims (organization_id, iccid, plan_id, cycle_day)
     select d.organization_id, d.iccid, (select p.id from usage_plans p where p.organization_id = d.organization_id and p.name = 'Small ' || d.serial), 1 ${of}
     on conflict (organization_id, iccid) do update set plan_id = excluded.plan_id, cycle_day = 1`,
    [device],
  );
  await owner.query(
    `insert into usage_cycles as c (organization_id, iccid, device_id, cycle_from, sent, received)
     select d.organization_id, d.iccid, d.id, usage_cycle_of((now() at time zone 'UTC')::date, 1), 100, 100 ${of}
     on conflict (organization_id, cycle_from, iccid, device_id) do update set sent = c.sent + 100`,
    [device],
  );
}

function startOwn(tenant: Tenant, router: TenantRouter): Vehicle {
  const own = tenant.fleet([router], { wan: 'satellite' }).routers.get(router.serial)!;
  const faults: Vehicle['faults'] = {
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
  };
  return { router, faults };
}

async function startStrict(tenant: Tenant, { serial, mac, secret }: TenantRouter) {
  const stateDir = await mkdtemp(join(tmpdir(), 'highline-networks-'));
  const server = tenant.server.url.replace('http', 'ws');
  const agent = new StrictAgent({ server, serial, secret, endpointId: `os::${mac.slice(0, 6)}-${serial}`, stateDir });
  agent.powerOn();
  const set = (path: string, value: string) => () => agent.change(`Device.${path}`, value);
  const faults: Vehicle['faults'] = {
    'radio-off': set('WiFi.Radio.1.Enable', 'false'),
    'radio-fault': set('WiFi.Radio.1.Status', 'Error'),
    'ssid-off': set('WiFi.SSID.1.Enable', 'false'),
    'access-point-off': set('WiFi.AccessPoint.1.Enable', 'false'),
    'dhcp-off': set('DHCPv4.Server.Enable', 'false'),
    'dhcp-full': set('DHCPv4.Server.Pool.1.ClientNumberOfEntries', '90'),
    'uplink-down'() {
      set('IP.Interface.2.Status', 'Down')();
      set('IP.Interface.3.Status', 'Dormant')();
    },
    'dns-off': set('DNS.Client.Enable', 'false'),
    'dns-fault': set('DNS.Client.Server.1.Status', 'Error_ResolutionFailed'),
  };
  return {
    faults,
    async stop() {
      agent.cutPower();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}
