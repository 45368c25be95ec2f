import { enter, expect, rows, settled, test } from './fixtures.ts';

test('SVC-01-partial subscriptions are listed, filtered and downloaded, and a serial number leads to its device', async ({
  page,
  world,
}) => {
  const group = await world.seeding.group(world.org, `Service ${world.mark}`);
  const [running] = await world.routers(1, { group });
  const [ended] = await world.routers(1, { group, expired: '02/01/2026' });
  await enter(page, world.people.user, `/devices/service?group=${encodeURIComponent(group)}`);
  await expect(rows(page)).toHaveCount(2);
  await page.goto(`/devices/service?group=${encodeURIComponent(group)}&service=not-subscribed`);
  await settled(page);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(ended!.serial);
  await page.goto(`/devices/service?group=${encodeURIComponent(group)}&expiration=today`);
  await settled(page);
  await expect(page.getByText('No matched results.')).toBeVisible();
  await page.goto(`/devices/service?group=${encodeURIComponent(group)}`);
  await settled(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download(.csv)' }).click();
  expect((await download).suggestedFilename()).toBe('Service_export.csv');
  await page.getByRole('link', { name: `Show ${running!.serial} in Devices` }).click();
  await expect(page).toHaveURL(/\/devices\/list/u);
  await settled(page);
  await expect(rows(page).filter({ hasText: running!.serial })).toBeVisible();
  const { expires } = (await page.context().cookies()).find(({ name }) => name === 'highlineD')!;
  expect(expires - Date.now() / 1000).toBeLessThanOrEqual(60);
  await rows(page).filter({ hasText: running!.serial }).getByRole('link', { name: 'Subscribed', exact: true }).click();
  await expect(page).toHaveURL(/\/devices\/service/u);
});
