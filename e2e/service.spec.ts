import { readFile } from 'node:fs/promises';
import { enter, expect, expectAccessible, rows, test, visit, waitUntilLoaded } from './fixtures.ts';

// Days of the test are days of UTC: 'today' in the console too.
test.use({ timezoneId: 'UTC' });

/** MM/DD/YYYY in UTC, a number of days from now. */
function day(offset: number): string {
  const [year, month, date] = new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10).split('-');
  return `${month}/${date}/${year}`;
}

test('SVC-01-partial subscriptions are downloaded as they are filtered, the main account extends one on the device page, and the open service status of its admin follows', async ({
  page,
  browser,
  tenant,
}) => {
  const group = await tenant.seeding.group(tenant.org, `Extended ${tenant.mark}`);
  const [router] = await tenant.routers(1, { group, expired: '02/01/2026' });
  await tenant.routers(1, { group });
  const theirs = await (await browser.newContext({ baseURL: tenant.server.url })).newPage();
  const address = (service: string) => `/devices/service?group=${encodeURIComponent(group)}&service=${service}`;
  await enter(theirs, tenant.users.admin, address('not-subscribed'));
  await expect(rows(theirs)).toHaveCount(1);
  const download = theirs.waitForEvent('download');
  await theirs.getByRole('button', { name: 'Download(.csv)' }).click();
  const [header, ...lines] = (await readFile(await (await download).path(), 'utf8')).trim().split(/\r?\n/u);
  expect(header!.replace(/^\uFEFF/u, '')).toBe('Device Serial#,Service Status,Expiration Date,Group,Notes');
  expect(lines).toEqual([expect.stringContaining('Not Subscribed,02/01/2026')]);
  await theirs.getByRole('link', { name: `Show ${router!.serial} in Devices` }).click();
  await expect(rows(theirs).filter({ hasText: router!.serial })).toHaveAttribute('data-highlighted');
  const { expires } = (await theirs.context().cookies()).find(({ name }) => name === 'highlineD')!;
  expect(expires - Date.now() / 1000).toBeLessThanOrEqual(60);
  await visit(theirs, address('expiring'));
  await expect(theirs.getByText('No matched results.')).toBeVisible();
  await enter(page, tenant.users.main, `/devices/orgList?field=serial&search=${router!.serial}`);
  await rows(page).first().press('Enter');
  await expect(page).toHaveURL(/\/devices\/setting\?device=/u);
  await waitUntilLoaded(page);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Subscription' });
  await expect(panel).toContainText('Not Subscribed');
  await expectAccessible(page);
  const save = panel.getByRole('button', { name: 'Save' });
  const expiry = panel.getByLabel('Expiry Date');
  await expiry.fill(day(10));
  await expiry.blur();
  await save.click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await expect(panel).toContainText('Expiring');
  await expect(rows(theirs)).toHaveCount(1);
  await expect(rows(theirs)).toContainText(day(10));
  await enter(theirs, tenant.users.admin, '/logs');
  await expect(theirs.locator('body')).toContainText(`Changed the subscription of device ${router!.serial}`);
  await theirs.context().close();
});
