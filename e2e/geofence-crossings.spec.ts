import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStrictProcess, type StrictProcess } from '@highline/testkit/agent';
import type { Locator, Page } from '@playwright/test';
import { enter, expect, expectAccessible, rows, TAKES_PICTURES, test, waitUntilLoaded } from './fixtures.ts';
import { drawn, expectOtherLook, pixelsOf, withWebGl } from './maps.ts';
import type { Tenant } from './tenant.ts';

test.use(withWebGl);

/** Latitude and longitude in degrees. */
type Place = readonly [latitude: number, longitude: number];
/** A place at a time, epoch seconds. */
type Fix = readonly [at: number, place: Place];

const METRES_PER_DEGREE = 111_195;
const north = ([latitude, longitude]: Place, metres: number): Place => [latitude + metres / METRES_PER_DEGREE, longitude];

/** The position of a fix as any agent reports it (RFC 4119, RFC 5491). */
function pidfLo([at, [latitude, longitude]]: Fix): string {
  const point = `<m:Point srsName="urn:ogc:def:crs:EPSG::4326"><m:pos>${latitude.toFixed(6)} ${longitude.toFixed(6)}</m:pos></m:Point>`;
  return `<presence xmlns="urn:ietf:params:xml:ns:pidf" xmlns:g="urn:ietf:params:xml:ns:pidf:geopriv10" xmlns:m="http://www.opengis.net/gml" entity="pres:bus@example.net">
    <tuple id="a1"><status><g:geopriv><g:location-info>${point}</g:location-info><g:usage-rules/></g:geopriv></status>
    <timestamp>${new Date(at * 1_000).toISOString()}</timestamp></tuple></presence>`;
}

/** A vehicle of a third party's router, which the organization has had for a day. */
async function startVehicle(tenant: Tenant) {
  const [router] = await tenant.routers(1);
  const { serial, mac, secret } = router!;
  const { rows: stored } = await tenant.owner.query<{ id: string; router: string }>(
    `with owned as (update router_ownership set owned_from = now() - interval '1 day'
       where router_id = (select router_id from devices where serial = $1) returning router_id)
     update devices set vehicle_number = 'Bus 21' where serial = $1 returning id, router_id as router`,
    [serial],
  );
  const { id, router: routerId } = stored[0]!;
  const stateDir = await mkdtemp(join(tmpdir(), 'highline-crossings-'));
  const agent: StrictProcess = startStrictProcess({
    server: tenant.server.url.replace('http', 'ws'),
    serial,
    secret,
    endpointId: `os::${mac.slice(0, 6)}-${serial}`,
    stateDir,
    reconnectMs: 200,
  });
  const report = (fix: Fix) => {
    agent.order({ do: 'change', path: 'Device.DeviceInfo.Location.1.DataObject', value: pidfLo(fix) });
  };
  const newest = async () => {
    const response = await tenant.owner.query<{ at: string }>(
      'select extract(epoch from at)::bigint as at from router_positions where router_id = $1',
      [routerId],
    );
    return Number(response.rows[0]?.at ?? 0);
  };
  return {
    serial,
    page: `/devices/setting?device=${id}`,
    /**
     * Be at these places at these times, one report each. The times are in the reports, so no one waits for them. Crossings are stored with the
     * positions, so what did not happen by then does not happen.
     */
    async move(...fixes: readonly Fix[]) {
      for (const fix of fixes) {
        report(fix);
        // A report before the next one: several at once are stored together, which other tests show.
        await expect
          .poll(async () => {
            const at = await newest();
            // Until the cloud has subscribed to its position, the agent tells no one of it.
            if (at === 0) report([fix[0], north(fix[1], Math.random() / 10)]);
            return at;
          })
          .toBe(fix[0]);
      }
    },
    async end() {
      await agent.kill();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

/** Draw on the map by clicks at these points, in pixels from its middle, until the field is filled. */
async function draw(page: Page, form: Locator, field: Locator, clicks: readonly (readonly [number, number])[]): Promise<void> {
  await form.getByRole('button', { name: 'Draw on the map' }).click();
  await expect(page.locator('.vehicle-map[data-drawing]')).toBeVisible();
  const box = (await drawn(page).boundingBox())!;
  await expect(async () => {
    for (const [x, y] of clicks) {
      await page.mouse.move(box.x + box.width / 2 + x, box.y + box.height / 2 + y, { steps: 4 });
      await page.mouse.click(box.x + box.width / 2 + x, box.y + box.height / 2 + y, { delay: 20 });
    }
    await expect(field).not.toHaveValue('', { timeout: 3_000 });
  }).toPass();
}

/** Add a geofence by drawing it. */
async function addDrawn(page: Page, name: string, kind: 'Circle' | 'Polygon', clicks: readonly (readonly [number, number])[]) {
  await page.getByRole('button', { name: 'Add geofence' }).click();
  const form = page.getByRole('form', { name: 'Add geofence' });
  await form.getByLabel('Name').fill(name);
  await form.getByRole('button', { name: kind }).click();
  await draw(page, form, form.getByRole('textbox', { name: kind === 'Circle' ? 'Latitude of the center' : 'Corners' }), clicks);
  const number = async (label: string) => Number(await form.getByLabel(label).inputValue());
  const shape =
    kind === 'Circle'
      ? {
          center: [await number('Latitude of the center'), await number('Longitude of the center')] as Place,
          radius: await number('Radius in meters'),
        }
      : { center: middleOf(await form.getByRole('textbox', { name: 'Corners' }).inputValue()), radius: 0 };
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('list', { name: 'Geofences' })).toContainText(name);
  return shape;
}

/** The middle of the corners of a triangle is inside of it. */
function middleOf(corners: string): Place {
  const places = corners
    .trim()
    .split('\n')
    .map((line) => line.split(',').map(Number) as [number, number]);
  const mean = (index: 0 | 1) => places.reduce((sum, place) => sum + place[index], 0) / places.length;
  return [mean(0), mean(1)];
}

async function addRule(page: Page, name: string, crossing: 'entered' | 'left', geofence: string): Promise<void> {
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Condition').selectOption('geofence');
  await dialog.getByLabel('Fires when the vehicle').selectOption(crossing);
  await dialog.getByLabel('Geofence', { exact: true }).selectOption({ label: geofence });
  await dialog.getByLabel('For how long, in minutes').fill('0');
  await dialog.getByRole('button', { name: 'Save' }).click();
  // It notifies no one, and is looked at in the inbox.
  await page.getByRole('button', { name: 'Save it anyway' }).click();
  await expect(dialog).toHaveCount(0);
}

const DEPOT: Place = [41.9763, -87.6861];
const LOOP: Place = [41.985, -87.67];
const imported = {
  type: 'FeatureCollection',
  features: [
    { type: 'Feature', properties: { name: 'North depot', radius: 400 }, geometry: { type: 'Point', coordinates: [DEPOT[1], DEPOT[0]] } },
    {
      type: 'Feature',
      properties: { name: 'Turning loop' },
      geometry: { type: 'Polygon', coordinates: [[[-87.673, 41.983], [-87.667, 41.983], [-87.667, 41.987], [-87.673, 41.987], [-87.673, 41.983]]] },
    },
  ],
}; // prettier-ignore

test('POS-05 circles and polygons, drawn and imported: a router of any maker enters and leaves them after 30 s and 50 m, live on the timeline, in alert rules and in the filter of devices inside', async ({
  page,
  tenant,
}) => {
  test.slow();
  const vehicle = await startVehicle(tenant);
  try {
    // Imported as GeoJSON, a circle and a polygon.
    await enter(page, tenant.users.admin, '/geofences');
    await page.getByRole('button', { name: 'Import GeoJSON' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import GeoJSON' });
    const file = { name: 'areas.geojson', mimeType: 'application/geo+json', buffer: Buffer.from(JSON.stringify(imported)) };
    await dialog.locator('input[type=file]').setInputFiles(file);
    await dialog.getByRole('button', { name: 'Import GeoJSON' }).click();
    await expect(page.getByText('2 geofences were added.')).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await expect(drawn(page)).toBeVisible();
    await expect.poll(() => pixelsOf(page, drawn(page), [0x8b, 0x5c, 0xf6])).toBeGreaterThan(30);

    // Drawn on the map, a circle and a polygon, away from each other.
    const yard = await addDrawn(page, 'Yard', 'Circle', [[150, 120], [190, 120]]); // prettier-ignore
    expect(yard.radius).toBeGreaterThan(20);
    const lot = await addDrawn(page, 'Parking lot', 'Polygon', [[-230, -190], [-110, -190], [-110, -110], [-230, -190]]); // prettier-ignore
    const list = page.getByRole('list', { name: 'Geofences' });
    await expect(list.getByRole('listitem')).toHaveCount(4);
    await expectAccessible(page);
    await expectOtherLook(page);

    // An hour ago. The page of the vehicle stays open, and nothing is loaded again.
    await page.goto(`${vehicle.page}&events=geofence`);
    await waitUntilLoaded(page);
    const items = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    let now = Math.floor(Date.now() / 1_000) - 3_600;
    const away = north(yard.center, -yard.radius - 400);
    const near = north(yard.center, -yard.radius - 30);
    const beyond = north(yard.center, -yard.radius - 80);
    await vehicle.move([now, away], [now + 10, yard.center], [now + 39, yard.center]);
    await expect(items).toHaveCount(0);
    // Out and in again: the 30 s begin again.
    await vehicle.move([now + 40, near], [now + 45, yard.center], [now + 74, yard.center]);
    await expect(items).toHaveCount(0);
    await vehicle.move([now + 75, yard.center]);
    await expect(items).toHaveText([/Entered Yard/u]);
    // Within 50 m of it for minutes, and beyond for less than 30 s: it has not left.
    await vehicle.move([now + 100, near], [now + 300, near], [now + 310, beyond], [now + 339, beyond], [now + 340, near]);
    await vehicle.move([now + 400, beyond], [now + 429, beyond]);
    await expect(items).toHaveCount(1);
    await vehicle.move([now + 430, beyond]);
    await expect(items).toHaveText([/Left Yard/u, /Entered Yard/u]);
    // The others: the polygon that was drawn, and both that were imported.
    now += 1_000;
    for (const place of [lot.center, LOOP, DEPOT]) {
      await vehicle.move([now, place], [now + 30, place], [now + 40, away], [now + 70, away]);
      now += 100;
    }
    const names = ['North depot', 'Turning loop', 'Parking lot', 'Yard'];
    await expect(items).toHaveText(
      names.flatMap((name) => [new RegExp(`Left ${name}`, 'u'), new RegExp(`Entered ${name}`, 'u')]),
    );
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
    await expectAccessible(page);
    if (TAKES_PICTURES) await page.screenshot({ path: 'test-results/screens/geofence-crossings-timeline.png' });

    // Rules: what happened before them is none of theirs.
    await page.goto('/alerts/rules');
    await waitUntilLoaded(page);
    await addRule(page, 'Came to the yard', 'entered', 'Yard');
    await addRule(page, 'Left the yard', 'left', 'Yard');
    const since = Math.ceil(Date.now() / 1_000);
    await expect(page.locator('tr', { hasText: 'Left the yard' })).toContainText('Left geofence Yard');
    await page.goto('/alerts?state=open');
    await waitUntilLoaded(page);
    await expect(rows(page)).toHaveCount(0);
    await vehicle.move([since, yard.center], [since + 30, yard.center]);
    const alert = (name: string) => rows(page).filter({ hasText: name });
    await expect(alert('Came to the yard')).toContainText('Bus 21');
    await expect(rows(page)).toHaveCount(1);

    // The filter: inside of the yard, and no longer of the depot.
    await page.goto('/devices/list');
    await waitUntilLoaded(page);
    const choose = async (name: string) => {
      await page.getByRole('button', { name: /Geofence/u }).first().click(); // prettier-ignore
      await page.getByRole('option', { name, exact: true }).click();
      await waitUntilLoaded(page);
    };
    await choose('Inside Yard');
    await expect(page).toHaveURL(/geofence=/u);
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText([vehicle.serial]);
    await choose('Inside North depot');
    await expect(page.getByText('No matched results.')).toBeVisible();

    // It leaves: one alert is over, the other begins, and no vehicle is inside.
    await choose('Inside Yard');
    await expect(rows(page)).toHaveCount(1);
    await vehicle.move([since + 31, beyond], [since + 61, beyond]);
    await expect(page.getByText('No matched results.')).toBeVisible();
    await page.goto('/alerts?state=open');
    await expect(alert('Left the yard')).toContainText('Bus 21');
    await expect(alert('Came to the yard')).toHaveCount(0);
  } finally {
    await vehicle.end();
  }
});
