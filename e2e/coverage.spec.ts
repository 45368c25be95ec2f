import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StrictAgent } from '@highline/testkit/agent';
import type { Page } from '@playwright/test';
import { enter, expect, expectAccessible, TAKES_PICTURES, test } from './fixtures.ts';
import { drawn, pixelsOf, withWebGl } from './maps.ts';
import type { Tenant, TenantRouter } from './tenant.ts';

test.use(withWebGl);

const LOCATION = 'Device.DeviceInfo.Location.1.DataObject';
const pidfLo = (latitude: number, longitude: number) =>
  `<presence xmlns="urn:ietf:params:xml:ns:pidf" xmlns:gp="urn:ietf:params:xml:ns:pidf:geopriv10" entity="pres:a@example.net">
    <tuple id="t"><status><gp:geopriv><gp:location-info><gml:Point xmlns:gml="http://www.opengis.net/gml"
    srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>${latitude} ${longitude}</gml:pos></gml:Point></gp:location-info></gp:geopriv></status>
    <timestamp>${new Date().toISOString()}</timestamp></tuple></presence>`;

interface Stay {
  readonly place: readonly [latitude: number, longitude: number];
  /** Hours of UTC of yesterday. */
  readonly hour: number;
  readonly minutes: number;
  readonly rsrp: number;
  readonly rsrq: number;
}

/** A vehicle that was at a place yesterday, on a network, as its router would have reported it. */
async function stayed(tenant: Tenant, { serial }: TenantRouter, name: string, carrier: string, stays: readonly Stay[]) {
  await tenant.owner.query('update devices set vehicle_number = $2 where serial = $1', [serial, name]);
  const { rows } = await tenant.owner.query<{ id: string }>(
    `update router_ownership set owned_from = now() - interval '7 days'
     where router_id = (select router_id from devices where serial = $1) returning router_id as id`,
    [serial],
  );
  const id = rows[0]!.id;
  await tenant.owner.query(
    `insert into router_facts (router_id, at, fact, value) select $1, now() - interval '6 days', f, v
     from (values ('carrier', $2), ('technology', 'LTE')) u (f, v)`,
    [id, carrier],
  );
  for (const { place, hour, minutes, rsrp, rsrq } of stays)
    await tenant.owner.query(
      `with times as (select ((now() at time zone 'UTC')::date - 1 + make_interval(hours => $2, mins => m)) at time zone 'UTC' as at
           from generate_series(0, $3::int - 1) m),
         placed as (insert into positions (router_id, at, latitude, longitude, is_jump) select $1, at, $4, $5, false from times),
         due as (insert into coverage_due (slot, router_id) select distinct coverage_slot_of(at), $1::uuid from times)
       insert into telemetry_reports (router_id, at, rsrp, rsrq) select $1, at, $6, $7 from times`,
      [id, hour, minutes, ...place, rsrp, rsrq],
    );
  return id;
}

const lost = (tenant: Tenant, router: string, hour: number, from: number, until: number) =>
  tenant.owner.query(
    `insert into connectivity (router_id, at, kind, reason)
     select $1, ((now() at time zone 'UTC')::date - 1 + make_interval(hours => $2, mins => m)) at time zone 'UTC', kind, reason
     from (values ($3::int, 'offline', 'no-answer'), ($4::int, 'online', 'connected')) u (m, kind, reason)`,
    [router, hour, from, until],
  );

const DEPOT = [41.88, -87.63] as const;
const BRIDGE = [41.93, -87.7] as const;
const HARBOR = [41.84, -87.61] as const;

const table = (page: Page) => page.getByRole('table', { name: 'Signal by place, the weakest first' });

test('POS-06 signal of routers by hexagon, carrier and technology for a period, dead zones by minutes lost, and the vehicle with a broken antenna', async ({
  page,
  tenant,
}) => {
  const [bus, tram, van, agentRouter] = (await tenant.routers(4)) as [TenantRouter, TenantRouter, TenantRouter, TenantRouter];
  await tenant.owner.query(
    `select ensure_position_partitions((now() - interval '2 days')::date, now()::date), ensure_partitions((now() - interval '2 days')::date, now()::date)`,
  );
  const stay = (place: Stay['place'], hour: number, rsrp: number): Stay => ({ place, hour, minutes: 40, rsrp, rsrq: -10.5 });
  const busId = await stayed(tenant, bus, 'Bus 7', 'Northern', [stay(DEPOT, 8, -85), stay(BRIDGE, 10, -119)]);
  await stayed(tenant, tram, 'Tram 4', 'Northern', [stay(DEPOT, 9, -87)]);
  await stayed(tenant, van, 'Van 2', 'Northern', [stay(DEPOT, 11, -105)]);
  await lost(tenant, busId, 10, 39, 51);
  await lost(tenant, busId, 8, 39, 42);

  // A router of another maker: its position and its readings come from the socket.
  await tenant.owner.query(`update devices set vehicle_number = 'Boat 1' where serial = $1`, [agentRouter.serial]);
  // Positions have whole seconds: its first one may be older than the device by less than a second.
  await tenant.owner.query(
    `update router_ownership set owned_from = now() - interval '1 day' where router_id = (select router_id from devices where serial = $1)`,
    [agentRouter.serial],
  );
  const { serial, mac, secret } = agentRouter;
  const stateDir = await mkdtemp(join(tmpdir(), 'highline-coverage-'));
  const agent = new StrictAgent({
    server: tenant.server.url.replace('http', 'ws'),
    serial,
    secret,
    endpointId: `os::${mac.slice(0, 6)}-${serial}`,
    stateDir,
  });
  agent.powerOn();
  try {
    await expect.poll(() => agent.subscriptions).toContain('highline-location');
    const one = async (statement: string) =>
      (await tenant.owner.query(`select ${statement} as found from devices d where d.serial = $1`, [serial])).rows[0]!
        .found as number;
    // A report counts where the router was at that time: it reports its position as it moves.
    let moved = 0;
    await expect
      .poll(async () => {
        agent.change(LOCATION, pidfLo(HARBOR[0] + (moved++ % 9) * 1e-5, HARBOR[1]));
        return one(`(select count(*)::int from telemetry_reports t where t.router_id = d.router_id and t.rsrp = -101
            and exists (select from positions_between(t.router_id, t.at - interval '1 minute', t.at + interval '1 minute')))`);
      })
      .toBeGreaterThan(0);
    // Close the slot that goes on: what comes later marks it again.
    await tenant.owner.query(`update coverage_progress set closed_until = coverage_slot_of(now()) + interval '10 minutes'`);
    const covered = () =>
      one(`(select coalesce(sum(c.samples), 0)::int from coverage_days c
        where c.organization_id = d.organization_id and c.resolution = 8 and c.carrier = 'AT&T')`);
    await expect.poll(covered).toBeGreaterThan(0);
    // It loses its power.
    agent.cutPower();
    const drops = () =>
      one(`(select coalesce(sum(c.drops), 0)::int from coverage_days c
        where c.organization_id = d.organization_id and c.resolution = 8 and c.carrier = 'AT&T')`);
    await expect.poll(drops).toBe(1);
    await expect
      .poll(() => one(`(select count(*)::int from coverage_vehicle_days v where v.organization_id = d.organization_id)`))
      .toBeGreaterThanOrEqual(3);
  } finally {
    agent.cutPower();
    await rm(stateDir, { recursive: true, force: true });
  }

  await enter(page, tenant.users.user, '/coverage');
  await expect(drawn(page)).toBeVisible();
  await expect.poll(() => pixelsOf(page, drawn(page), [0xf8, 0xf8, 0xf5])).toBeGreaterThan(1_000);
  await expect(table(page).getByRole('row')).toHaveCount(4);
  const row = (text: string) => table(page).getByRole('row').filter({ hasText: text });
  await expect(row('41.9').first()).toContainText('Poor');
  await expect(row('−119 dBm')).toContainText('−10.5 dB');
  await expect(row('−119 dBm')).toContainText('12 min');
  await expect(row('−101 dBm')).toContainText('Fair');
  const legend = page.getByRole('list', { name: 'Legend: median RSRP' });
  await expect(legend).toContainText('Fair (−110 to −95 dBm)');

  // By keyboard: a hexagon and its networks.
  await row('−119 dBm').getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/cell=88/u);
  const card = page.getByRole('region', { name: /^Selected area/u });
  await expect(card.getByRole('row').filter({ hasText: 'Northern · LTE' })).toContainText('−119 dBm');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear selection' }).click();

  // The address has the network and the period; a carrier that no router reported is said to be none.
  await page.goto('/coverage?carrier=AT%26T&days=7');
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await expect(row('−101 dBm')).toBeVisible();
  await page.goto('/coverage?carrier=Unused');
  await expect(page.getByRole('alert')).toContainText(/carrier/u);

  // Dead zones, the most minutes first.
  await page.goto('/coverage?tab=zones');
  const zones = page.getByRole('table', { name: 'Dead zones' }).locator('tbody tr');
  await expect(zones).toHaveCount(3);
  await expect(zones.first()).toContainText('41.9');
  await expect(zones.first()).toContainText('12');
  await expect(zones.filter({ hasText: '−87 dBm' })).toContainText('3');
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download(.csv)' }).click(),
  ]);
  expect((await readFile(await download.path(), 'utf8')).split('\r\n')).toHaveLength(5);

  // The van receives everything 20 dB worse than the others at the same place.
  await page.getByRole('button', { name: 'Vehicles', exact: true }).click();
  const vehicles = page.getByRole('table', { name: 'Vehicles' }).locator('tbody tr');
  await expect(vehicles).toHaveCount(3);
  await expect(vehicles.first()).toContainText('Van 2');
  await expect(vehicles.first()).toContainText('−19 dB');
  await expect(vehicles.first()).toContainText('Antenna probably broken');
  await expect(vehicles.filter({ hasText: 'Bus 7' })).toContainText('Normal');
  await expectAccessible(page);
  await vehicles.first().getByRole('link', { name: 'Van 2' }).click();
  await expect(page).toHaveURL(/\/devices\/setting\?device=/u);

  if (TAKES_PICTURES)
    for (const [path, name] of [
      ['', 'map'],
      ['?tab=zones', 'zones'],
      ['?tab=vehicles', 'vehicles'],
    ] as const)
      // prettier-ignore
      for (const [scheme, width, language] of [['light', 1440, 'en-US'], ['dark', 390, 'en-US'], ['dark', 1440, 'zh-TW'], ['light', 390, 'zh-TW']] as const) { // prettier-ignore
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: scheme });
        await page.evaluate((value) => localStorage.setItem('highline.language', value), language);
        await page.goto(`/coverage${path}`);
        await expect(name === 'map' ? drawn(page) : page.getByRole('table').first()).toBeVisible();
        await expect(page.getByText('41.9', { exact: false }).or(page.getByText('Van 2')).first()).toBeVisible();
        await page.screenshot({ path: `test-results/screens/coverage-${name}-${scheme}-${width}-${language}.png`, fullPage: true });
      }
});
