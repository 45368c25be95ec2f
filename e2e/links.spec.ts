import { enter, expect, expectAccessible, keepSecret, test } from './fixtures.ts';
import { pixelsOf, withWebGl } from './maps.ts';
import type { TenantRouter } from './tenant.ts';

test.use(withWebGl);

const DOT = [0x1f, 0x5f, 0xd6] as const;

test('RPM-06 an admin shares a vehicle from its page, people without an account see it move, and the link ends', async ({
  page,
  tenant,
  browser,
}) => {
  const [bus] = (await tenant.routers(1)) as [TenantRouter];
  await tenant.owner.query(`update devices set vehicle_number = 'Bus 12' where serial = $1`, [bus.serial]);
  await tenant.owner.query(
    `update router_ownership set owned_from = now() - interval '1 day' where router_id = (select router_id from devices where serial = $1)`,
    [bus.serial],
  );
  const moveTo = (latitude: number) =>
    tenant.owner.query(
      `insert into router_positions (router_id, at, latitude, longitude, is_jump, stored_at)
       select router_id, now(), $2, -87.63, false, now() from devices where serial = $1
       on conflict (router_id) do update set latitude = excluded.latitude, at = excluded.at`,
      [bus.serial, latitude],
    );
  await moveTo(41.88);
  const { rows } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [bus.serial]);
  await enter(page, tenant.users.admin, `/devices/setting?device=${rows[0]!.id}&tab=location`);
  await page.getByRole('link', { name: 'Share by a link' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Shared Links' })).toBeVisible();
  await page.getByLabel(/^Ends after/u).selectOption('1 hour');
  await page.getByLabel('For', { exact: true }).fill('For the school');
  await page.getByLabel(/^Show the vehicle number/u).check();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create the link' }).click();
  const dialog = page.getByRole('dialog');
  const address = await dialog.locator('code').first().textContent();
  await keepSecret(dialog);

  const stranger = await browser.newContext({ locale: 'zh-TW', viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const shared = await stranger.newPage();
  await shared.goto(address!);
  await expect(shared.getByRole('heading', { name: 'Bus 12' })).toBeVisible();
  await expect(shared.getByRole('link', { name: '41.88000, -87.63000' })).toBeVisible();
  await expectAccessible(shared);
  await shared.getByRole('button', { name: 'English' }).click();
  await expect(shared.locator('[data-drawn="1"]')).toBeVisible();
  await shared.emulateMedia({ colorScheme: 'light' });
  await expect.poll(() => pixelsOf(shared, shared.locator('.share__map'), DOT)).toBeGreaterThan(50);
  expect(await shared.content()).not.toContain(bus.serial);
  await moveTo(41.89);
  await expect(shared.getByRole('link', { name: '41.89000, -87.63000' })).toBeVisible({ timeout: 30_000 });

  await expect(page.getByRole('row', { name: /Bus 12/u })).toContainText('1 time');
  await page.getByRole('button', { name: 'End the link to Bus 12' }).click();
  await page.getByRole('button', { name: 'End the link', exact: true }).click();
  await expect(page.getByRole('row', { name: /Bus 12/u })).toContainText('Ended by a person');
  // The open page says so by itself.
  await expect(shared.getByRole('heading', { name: 'This link has ended' })).toBeVisible({ timeout: 30_000 });
  await stranger.close();
});
