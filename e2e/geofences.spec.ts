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
import type { TenantRouter } from './tenant.ts';

test.use(withWebGl);

const FENCE = [0x8b, 0x5c, 0xf6] as const;

test('POS-05-partial an admin types, draws, imports, changes and deletes geofences; they filter the device list; a user only looks', async ({
  page,
  tenant,
}) => {
  const [bus] = (await tenant.routers(1)) as [TenantRouter];
  await tenant.owner.query(`update devices set vehicle_number = 'Bus 3' where serial = $1`, [bus.serial]);
  await tenant.owner.query(
    `with owned as (update router_ownership set owned_from = now() - interval '7 days'
       where router_id = (select router_id from devices where serial = $1) returning router_id)
     insert into router_positions (router_id, at, latitude, longitude, is_jump, stored_at)
     select router_id, now(), 41.88, -87.63, false, now() from owned`,
    [bus.serial],
  );
  await enter(page, tenant.users.admin, '/geofences');
  await expect(page.getByText('No geofences yet')).toBeVisible();

  // By keyboard alone.
  await page.getByRole('button', { name: 'Add geofence' }).click();
  const form = page.getByRole('form', { name: 'Add geofence' });
  await form.getByLabel('Name').fill('Depot');
  await form.getByLabel('Latitude of the center').fill('41.88');
  await form.getByLabel('Longitude of the center').fill('-87.63');
  await form.getByLabel('Radius in meters').fill('5');
  await expect(form.getByRole('paragraph')).toHaveText('The radius must be from 10 m to 100 km.');
  await form.getByLabel('Radius in meters').fill('400');
  await form.getByLabel('Radius in meters').press('Enter');
  const list = page.getByRole('list', { name: 'Geofences' });
  await expect(list).toContainText('Circle, radius 400 m');
  await expect(list.getByRole('link', { name: '1 vehicle inside' })).toBeVisible();
  await expect.poll(() => pixelsOf(page, drawn(page), FENCE)).toBeGreaterThan(30);

  // Drawn on the map.
  await page.getByRole('button', { name: 'Add geofence' }).click();
  await form.getByLabel('Name').fill('Yard');
  await form.getByRole('button', { name: 'Polygon' }).click();
  await form.getByRole('button', { name: 'Draw on the map' }).click();
  await expect(page.locator('.vehicle-map[data-drawing="polygon"]')).toBeVisible();
  const box = (await drawn(page).boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await expect(async () => {
    for (const [dx, dy] of [[-120, -80], [120, -80], [120, 80], [-120, -80]] as const) await page.mouse.click(x + dx, y + dy, { delay: 20 }); // prettier-ignore
    await expect(form.getByRole('textbox', { name: 'Corners' })).not.toHaveValue('', { timeout: 3_000 });
  }).toPass();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(list).toContainText('Polygon, 3 corners');

  // Imported; what cannot be one is rejected with a sentence.
  const importFile = async (name: string, geojson: object) => {
    await page.getByRole('button', { name: 'Import GeoJSON' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import GeoJSON' });
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/geo+json', buffer: Buffer.from(JSON.stringify(geojson)) });
    await dialog.getByRole('button', { name: 'Import GeoJSON' }).click();
  };
  await importFile('line.geojson', { type: 'LineString', coordinates: [[0, 0], [1, 1]] }); // prettier-ignore
  await expect(page.getByText('Only Polygons, and Points with a radius, can be geofences.')).toBeVisible();
  await page.getByRole('button', { name: 'OK' }).click();
  await page.getByRole('dialog', { name: 'Import GeoJSON' }).getByRole('button', { name: 'Cancel' }).click();
  await importFile('north.geojson', {
    type: 'Feature',
    properties: { name: 'North side' },
    geometry: { type: 'Polygon', coordinates: [[[-87.7, 41.95], [-87.65, 41.95], [-87.65, 42], [-87.7, 41.95]]] }, // prettier-ignore
  });
  await expect(list).toContainText('North side');
  await expectAccessible(page);

  // Changed, and deleted.
  await list.getByRole('button', { name: 'North side' }).click();
  const change = page.getByRole('form', { name: 'Edit geofence' });
  await change.getByLabel('Name').fill('North');
  await change.getByRole('button', { name: 'Save' }).click();
  await list.getByRole('button', { name: 'North', exact: true }).click();
  await change.getByRole('button', { name: 'Delete geofence' }).click();
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Delete geofence' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(2);

  // Inside the depot, in the list of devices and on the map.
  await list.getByRole('link', { name: '1 vehicle inside' }).first().click();
  await waitUntilLoaded(page);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText([bus.serial]);

  const looks = [
    ['user', 'en-US', 'dark', 390],
    ['admin', 'zh-TW', 'light', 1440],
  ] as const;
  for (const [role, language, scheme, width] of looks) {
    await enterWith(page, tenant.users[role], '/geofences', { language, scheme, width });
    await expect(drawn(page)).toBeVisible();
    await expect(page.getByText('Depot').first()).toBeVisible();
    if (role === 'user') await expect(page.getByRole('button', { name: 'Add geofence' })).toHaveCount(0);
    await expectAccessible(page, RULES_OF_LOOKS);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    if (TAKES_PICTURES)
      await page.screenshot({ path: `test-results/screens/geofences-${role}-${language}-${scheme}-${width}.png` });
  }
});
