import type { Page } from '@playwright/test';
import { enter, expect, expectAccessible, keepSecret, rows, test, waitUntilLoaded } from './fixtures.ts';

const row = (page: Page, text: string) => rows(page).filter({ hasText: text });
const keyText = (page: Page) => page.getByRole('dialog').locator('.secret-box code').first();

test('HKS-02 HKS-05-partial an admin creates a key, a program uses it, and the admin sees its use, rotates and revokes it', async ({
  page,
  tenant,
  request,
}) => {
  const [router] = await tenant.routers(1);
  await enter(page, tenant.users.admin, '/api-keys');
  await waitUntilLoaded(page);
  await expect(rows(page)).toHaveCount(0);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Create' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Fleet sync');
  // By keyboard alone.
  await dialog.getByRole('checkbox', { name: 'Read: Devices' }).focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('checkbox', { name: 'Read: Metrics for Prometheus' }).check();
  await dialog.locator('summary').filter({ hasText: 'calls' }).first().click();
  await dialog.getByLabel('IP ranges').fill('nowhere');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog).toContainText('This is not an IP range.');
  await expectAccessible(page);
  await dialog.getByLabel('IP ranges').fill('127.0.0.0/8\n::1');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog).toContainText('cannot be shown again');
  const secret = (await keyText(page).textContent())!;
  expect(secret).toMatch(/^hlk_[0-9A-Za-z]{46}$/u);
  await expectAccessible(page);
  await keepSecret(dialog);
  await expect(row(page, 'Fleet sync')).toContainText('Active');
  await expect(row(page, 'Fleet sync')).toContainText('Not yet');
  expect(await page.content()).not.toContain(secret);

  const call = (bearer: string, path: string, method = 'GET') =>
    request.fetch(`${tenant.server.url}${path}`, { method, headers: { authorization: `Bearer ${bearer}` } });
  const list = '/data_manager/v1/dm/devices?limit=5';
  const listed = await call(secret, list);
  expect(await listed.text()).toContain(router!.serial);
  const scraped = await call(secret, '/metrics');
  expect(await scraped.text()).toContain(`highline_fleet_devices{organization="${tenant.orgName}"`);
  const denied = await call(secret, '/data_manager/v1/dm/api_keys');
  expect([denied.status(), (await denied.json()).error.key]).toEqual([403, 'key.not_allowed']);

  await page.reload();
  await waitUntilLoaded(page);
  await expect(row(page, 'Fleet sync')).not.toContainText('Not yet');
  await row(page, 'Fleet sync').getByRole('button', { name: 'Fleet sync' }).click();
  await expect(dialog).toContainText('127.0.0.0/8');
  await dialog.locator('summary').click();
  await expect(dialog).toContainText('devices.list');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End it now' }).click();
  await expect(dialog).toContainText('cannot be shown again');
  const rotated = (await keyText(page).textContent())!;
  await keepSecret(dialog);
  expect([(await call(secret, list)).status(), (await call(rotated, list)).status()]).toEqual([401, 200]);

  await row(page, 'Fleet sync').getByRole('button', { name: 'Fleet sync' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(row(page, 'Fleet sync')).toContainText('Revoked');
  expect((await call(rotated, list)).status()).toBe(401);
});
