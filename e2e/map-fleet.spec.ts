import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StrictAgent } from '@highline/testkit/agent';
import type { Page } from '@playwright/test';
import { enter, expect, expectAccessible, rows, TAKES_PICTURES, test, waitUntilLoaded } from './fixtures.ts';
import { drawn, expectOtherLook, findPixels, pixelsOf, withWebGl } from './maps.ts';
import type { Tenant, TenantRouter } from './tenant.ts';

test.use(withWebGl);

const LOCATION = 'Device.DeviceInfo.Location.1.DataObject';
const pidfLo = (latitude: number, longitude: number, at: Date) =>
  `<presence xmlns="urn:ietf:params:xml:ns:pidf" xmlns:gp="urn:ietf:params:xml:ns:pidf:geopriv10" entity="pres:a@example.net">
    <tuple id="t"><status><gp:geopriv><gp:location-info><gml:Point xmlns:gml="http://www.opengis.net/gml"
    srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>${latitude} ${longitude}</gml:pos></gml:Point></gp:location-info></gp:geopriv></status>
    <timestamp>${at.toISOString()}</timestamp></tuple></presence>`;

const GOOD = [0x12, 0xa8, 0x66] as const;
const BAD = [0xe5, 0x48, 0x4d] as const;

/** Vehicles stand close together at four places: of which the northern ones are offline, the western ones have a weak signal, the southern an alert. */
const places = {
  north: [42.3, -87.9],
  west: [41.9, -88.5],
  south: [41.5, -87.9],
  east: [41.9, -87.65],
} as const;
const PER_PLACE = 75;

async function park(tenant: Tenant, routers: readonly TenantRouter[]): Promise<void> {
  const all = Object.entries(places).flatMap(([side, [latitude, longitude]], index) =>
    routers.slice(index * PER_PLACE, (index + 1) * PER_PLACE).map(({ serial }, number) => ({
      serial,
      name: `${side} ${number + 1}`,
      latitude: latitude + (number % 9) / 5_000,
      longitude: longitude + Math.floor(number / 9) / 5_000,
      presence: side === 'north' ? 'offline' : 'online',
      rssi: side === 'west' ? -110 : -60,
    })),
  );
  const parked = `from jsonb_to_recordset($1) as p (serial text, name text, latitude float8, longitude float8, presence text, rssi int)`;
  const input = [JSON.stringify(all)];
  await tenant.owner.query(
    `update router_ownership o set owned_from = now() - interval '7 days' ${parked} join devices d on d.serial = p.serial where o.router_id = d.router_id`,
    input,
  );
  await tenant.owner.query(
    `update devices d set vehicle_number = p.name, presence = p.presence, presence_since = now() - interval '1 hour' ${parked} where d.serial = p.serial`,
    input,
  );
  await tenant.owner.query(
    `insert into router_positions (router_id, at, latitude, longitude, speed, heading, is_jump, stored_at)
     select d.router_id, now() - interval '1 minute', p.latitude, p.longitude, 0, 0, false, now() ${parked} join devices d on d.serial = p.serial`,
    input,
  );
  await tenant.owner.query(
    `insert into router_contacts (router_id, last_contact_at, rssi, is_weak)
     select d.router_id, now(), p.rssi, p.rssi < -95 ${parked} join devices d on d.serial = p.serial
     on conflict (router_id) do update set rssi = excluded.rssi`,
    input,
  );
  await tenant.owner.query(
    `insert into alerts (organization_id, id, main_account_id, rule_id, rule_name, severity, kind, device_id, serial, vehicle_number, group_key, state, since, fired_at)
     select d.organization_id, gen_random_uuid(), d.main_account_id, gen_random_uuid(), 'Hot', 'critical', 'reading', d.id, d.serial, d.vehicle_number, d.group_key,
       'firing', now(), now() ${parked} join devices d on d.serial = p.serial where p.name like 'south %'`,
    input,
  );
}

/** Where something bad is on the map: parts of its width and height from the left and upper edge. */
async function findBad(page: Page): Promise<{ x: number; y: number }> {
  const { x, y } = await findPixels(page, drawn(page), BAD);
  const box = (await drawn(page).boundingBox())!;
  return { x: x / box.width, y: y / box.height };
}

const list = (page: Page) => page.getByRole('list', { name: 'Vehicles on the map' });
const zoom = async (page: Page) => {
  const text = (await page.locator('.maplibregl-ctrl-scale').textContent()) ?? '';
  const [, amount = '', unit = ''] = /([\d,.]+)\s*(km|mi|ft|m)/u.exec(text) ?? [];
  const metres: Readonly<Record<string, number>> = { km: 1_000, mi: 1_609, ft: 0.3, m: 1 };
  return Number(amount.replaceAll(',', '')) * (metres[unit] ?? Number.NaN);
};

test('POS-02 hundreds of vehicles are clustered, coloured by state, signal or alert, live, filtered as the device list, and in a list for the keyboard', async ({
  page,
  tenant,
}) => {
  const routers = await tenant.routers(4 * PER_PLACE);
  await park(tenant, routers);
  await enter(page, tenant.users.admin, '/map');
  await expect(page.getByText('300 vehicles')).toBeVisible();
  await expect(drawn(page)).toBeVisible();

  // Clusters with the colour of most of their vehicles: one for each place, in far fewer pixels than 300 dots have.
  await expect.poll(() => pixelsOf(page, drawn(page), BAD)).toBeGreaterThan(100);
  expect(await pixelsOf(page, drawn(page), GOOD)).toBeGreaterThan(300);
  expect(await pixelsOf(page, drawn(page), GOOD)).toBeLessThan(6_000);
  expect((await findBad(page)).y).toBeLessThan(0.35);
  if (TAKES_PICTURES) await page.screenshot({ path: 'test-results/screens/map-fleet.png' });

  // A cluster comes nearer until its vehicles stand by themselves.
  const before = await zoom(page);
  const box = (await drawn(page).boundingBox())!;
  const cluster = await findBad(page);
  await page.mouse.click(box.x + cluster.x * box.width, box.y + cluster.y * box.height);
  await expect.poll(() => zoom(page)).toBeLessThan(before / 4);

  await expectOtherLook(page);

  // What the colours mean is in the address.
  await page.goto('/map?color=signal');
  await expect.poll(() => pixelsOf(page, drawn(page), BAD)).toBeGreaterThan(100);
  expect((await findBad(page)).x).toBeLessThan(0.4);
  await page.goto('/map?color=alert');
  await expect.poll(() => pixelsOf(page, drawn(page), BAD)).toBeGreaterThan(100);
  expect((await findBad(page)).y).toBeGreaterThan(0.65);

  // The list says the same, by keyboard, with the rest of it at its end.
  await expect(list(page).getByRole('button')).toHaveCount(200);
  await page.getByRole('button', { name: 'Show more (100 left)' }).press('Enter');
  await expect(list(page).getByRole('button')).toHaveCount(300);
  const first = list(page).getByRole('button', { name: /^east 1 / });
  await first.focus();
  await page.keyboard.press('Enter');
  const card = page.getByRole('region', { name: 'Selected vehicle: east 1' });
  await expect(card).toContainText('41.90000, -87.65000');
  await expect(first).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(page.getByRole('region', { name: 'Selected vehicle: east 2' })).toBeVisible();
  await expectAccessible(page);

  // Filters are those of the device list, and shared with it through the address.
  await page.goto('/map?presence=offline');
  await expect(page.getByText('75 vehicles')).toBeVisible();
  await page.getByRole('link', { name: 'Show as list' }).click();
  await expect(page).toHaveURL(/\/devices\/list\?presence=offline/u);
  await waitUntilLoaded(page);
  await expect(rows(page).first()).toContainText('Offline');
  await expect(page.getByText('75 devices').first()).toBeVisible();

  // A fix of a router is on the screen within 2 s.
  const { serial, mac, secret } = routers[3 * PER_PLACE]!;
  const stateDir = await mkdtemp(join(tmpdir(), 'highline-fleet-'));
  const server = tenant.server.url.replace('http', 'ws');
  const agent = new StrictAgent({ server, serial, secret, endpointId: `os::${mac.slice(0, 6)}-${serial}`, stateDir });
  try {
    agent.powerOn();
    await expect.poll(() => agent.subscriptions).toContain('highline-location');
    await page.goto(`/map?search=${serial}`);
    await expect(drawn(page)).toBeVisible();
    // A dot is chosen with the mouse.
    const middle = (await drawn(page).boundingBox())!;
    await expect(async () => {
      await page.mouse.click(middle.x + middle.width / 2, middle.y + middle.height / 2);
      await expect(card).toBeVisible({ timeout: 2_000 });
    }).toPass();
    const delays: number[] = [];
    for (const step of [1, 2, 3, 4, 5]) {
      const reported = Date.now();
      agent.change(LOCATION, pidfLo(41.9 + step / 1_000, -87.65, new Date(reported + step * 1_000)));
      await expect(card).toContainText(`${(41.9 + step / 1_000).toFixed(5)}, -87.65000`);
      delays.push(Date.now() - reported);
    }
    // How long it takes is measured by `npm run bench -- map`.
    test.info().annotations.push({ type: 'fix on screen', description: `${delays.join(', ')} ms` });
  } finally {
    agent.cutPower();
    await rm(stateDir, { recursive: true, force: true });
  }
});

test.describe('without WebGL', () => {
  test.use({ expectedNotes: [/WebGL|webgl/u] });

  test('POS-02-partial the list is there, and the map says why it is not', async ({ page, tenant }) => {
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    const [router] = (await tenant.routers(1)) as [TenantRouter];
    await park(tenant, [router]);
    await enter(page, tenant.users.admin, `/map?search=${router.serial}`);
    await expect(page.getByRole('alert')).toContainText('The map cannot be drawn in this browser.');
    await expect(list(page).getByRole('button', { name: /^north 1 / })).toBeVisible();
  });
});
