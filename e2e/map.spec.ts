import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StrictAgent } from '@highline/testkit/agent';
import type { Page } from '@playwright/test';
import {
  enter,
  enterWith,
  expect,
  expectAccessible,
  RULES_OF_LOOKS,
  rows,
  TAKES_PICTURES,
  test,
  waitUntilLoaded,
} from './fixtures.ts';
import { drawn, pixelsOf, withWebGl } from './maps.ts';
import type { Tenant, TenantRouter } from './tenant.ts';

test.use(withWebGl);

const LOCATION = 'Device.DeviceInfo.Location.1.DataObject';
const pidfLo = (latitude: number, longitude: number) =>
  `<presence xmlns="urn:ietf:params:xml:ns:pidf" xmlns:gp="urn:ietf:params:xml:ns:pidf:geopriv10" entity="pres:a@example.net">
    <tuple id="t"><status><gp:geopriv><gp:location-info><gml:Point xmlns:gml="http://www.opengis.net/gml"
    srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>${latitude} ${longitude}</gml:pos></gml:Point></gp:location-info></gp:geopriv></status>
    <timestamp>${new Date().toISOString()}</timestamp></tuple></presence>`;

/** A router of another maker that is connected. */
async function connected(tenant: Tenant, router: TenantRouter): Promise<{ agent: StrictAgent; end(): Promise<void> }> {
  const { serial, mac, secret } = router;
  const stateDir = await mkdtemp(join(tmpdir(), 'highline-map-'));
  const server = tenant.server.url.replace('http', 'ws');
  const agent = new StrictAgent({ server, serial, secret, endpointId: `os::${mac.slice(0, 6)}-${serial}`, stateDir });
  agent.powerOn();
  await expect.poll(() => agent.subscriptions).toContain('highline-location');
  return {
    agent,
    async end() {
      agent.cutPower();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

/** Name a vehicle, and put it somewhere some hours ago. */
async function place(tenant: Tenant, { serial }: TenantRouter, name: string, hours: number, latitude: number, longitude: number) {
  await tenant.owner.query(
    "update devices set vehicle_number = $2, presence_since = now() - interval '1 hour' where serial = $1",
    [serial, name],
  );
  await tenant.owner.query(
    `with owned as (update router_ownership set owned_from = now() - interval '7 days'
       where router_id = (select router_id from devices where serial = $1) returning router_id)
     insert into router_positions (router_id, at, latitude, longitude, speed, heading, is_jump, stored_at)
     select router_id, now() - $2::float8 * interval '1 hour', $3, $4, 0, 0, false, now() from owned`,
    [serial, hours, latitude, longitude],
  );
}

const ONLINE = [0x12, 0xa8, 0x66] as const;
const OLD = [0xe5, 0x9a, 0x0b] as const;
const WATER = [0xdb, 0xe7, 0xf1] as const;
const LAND = [0xf8, 0xf8, 0xf5] as const;

const item = (page: Page, name: string) => page.getByRole('list', { name: 'Vehicles on the map' }).getByRole('button', { name });

test('POS-02-partial POS-03-partial POS-07-partial vehicles on the shipped map and in the list next to it, live, with the filters of the device list', async ({
  page,
  tenant,
}) => {
  const [bus, tram, plow] = (await tenant.routers(3)) as [TenantRouter, TenantRouter, TenantRouter];
  await place(tenant, bus, 'Bus 7', 0.1, 41.8826, -87.6233);
  await place(tenant, tram, 'Tram 4', 30, 41.95, -87.75);
  const { agent, end } = await connected(tenant, bus);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(tenant.server.url) && !/^(?:blob|data):/u.test(request.url())) foreign.push(request.url());
  });
  try {
    await enter(page, tenant.users.admin, '/map');
    await expect(page.getByText('2 vehicles')).toBeVisible();
    await expect(drawn(page)).toBeVisible();
    // The vehicles are where they are: land around them, the lake in the east, and a dot in the colour of each state.
    await expect.poll(() => pixelsOf(page, drawn(page), ONLINE)).toBeGreaterThan(50);
    expect(await pixelsOf(page, drawn(page), OLD)).toBeGreaterThan(50);
    expect(await pixelsOf(page, drawn(page), LAND)).toBeGreaterThan(20_000);
    expect(await pixelsOf(page, drawn(page), WATER)).toBeGreaterThan(5_000);
    expect(foreign).toEqual([]);

    // The list says the same, and works by keyboard.
    await expect(item(page, 'Bus 7')).toContainText('Online');
    await item(page, 'Bus 7').focus();
    await page.keyboard.press('Enter');
    const card = page.getByRole('region', { name: 'Selected vehicle: Bus 7' });
    await expect(card).toContainText('41.88260, -87.62330');
    await expect(page).toHaveURL(/vehicle=/u);

    // A fix of the router is on the screen soon after it was reported.
    const reported = Date.now();
    agent.change(LOCATION, pidfLo(41.8781, -87.6298));
    await expect(card).toContainText('41.87810, -87.62980');
    test.info().annotations.push({ type: 'fix on screen', description: `${Date.now() - reported} ms` });

    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await expect(card).toHaveCount(0);

    // A dot is chosen with the mouse as well.
    await item(page, 'Tram 4').click();
    await page.getByRole('button', { name: 'Clear selection' }).click();
    const box = (await drawn(page).boundingBox())!;
    await expect(async () => {
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await expect(page.getByRole('region', { name: 'Selected vehicle: Tram 4' })).toBeVisible({ timeout: 2_000 });
    }).toPass();

    // Filters are those of the device list, in the address.
    await page.goto('/map?presence=offline');
    await expect(item(page, 'Tram 4')).toBeVisible();
    await expect(item(page, 'Bus 7')).toHaveCount(0);
    await page.getByRole('link', { name: 'Show as list' }).click();
    await expect(page).toHaveURL(/\/devices\/list\?presence=offline/u);
    await waitUntilLoaded(page);
    await expect(rows(page)).toHaveCount(1);
    await page.goto('/map');
    await page.getByRole('link', { name: '1 never had a position' }).click();
    await waitUntilLoaded(page);
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText([plow.serial]);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/assets\/VehicleMap-/u, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto('/map?search=nothing-of-this');
    await expect(page.getByRole('status').filter({ hasText: 'Loading the map…' })).toBeVisible();
    release();
    await expect(page.getByText('No vehicle with a position matches the filters')).toBeVisible();
  } finally {
    await end();
  }
});

test('POS-02-partial each role, both languages, light and dark, wide and narrow', async ({ page, tenant }) => {
  const [router] = (await tenant.routers(1)) as [TenantRouter];
  await place(tenant, router, 'Bus 8', 1, 25.0478, 121.517);
  const looks = [
    ['main', 'en-US', 'light', 1440],
    ['user', 'en-US', 'dark', 390],
    ['admin', 'zh-TW', 'light', 390],
    ['admin', 'zh-TW', 'dark', 1440],
  ] as const;
  for (const [role, language, scheme, width] of looks) {
    await enterWith(page, tenant.users[role], '/map', { language, scheme, width });
    await expect(page.getByText('Bus 8')).toBeVisible();
    await expect(drawn(page)).toBeVisible();
    await expectAccessible(page, RULES_OF_LOOKS);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    if (TAKES_PICTURES) await page.screenshot({ path: `test-results/screens/map-${role}-${language}-${scheme}-${width}.png` });
  }
});

test.describe('without WebGL', () => {
  test.use({ expectedNotes: [/WebGL|webgl/u] });

  test('POS-02-partial the list is there, and the map says why it is not', async ({ page, tenant }) => {
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    const [router] = (await tenant.routers(1)) as [TenantRouter];
    await place(tenant, router, 'Bus 9', 1, 41.9, -87.7);
    await enter(page, tenant.users.admin, '/map?search=Bus 9&field=vehicle');
    await expect(page.getByRole('alert')).toContainText('The map cannot be drawn in this browser.');
    await expect(item(page, 'Bus 9')).toBeVisible();
  });
});
