import { readFile } from 'node:fs/promises';
import { enter, expect, expectAccessible, headers, rows, waitUntilLoaded, test } from './fixtures.ts';

// Days of the test are days of UTC: 'today' in the console too.
test.use({ timezoneId: 'UTC' });

/** MM/DD/YYYY in UTC, a number of days from now. */
function day(offset: number): string {
  const [year, month, date] = new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10).split('-');
  return `${month}/${date}/${year}`;
}

test('SVC-01 subscriptions are listed, filtered and downloaded, a serial number leads to its device, a link to the notifications', async ({
  page,
  tenant,
}) => {
  const group = await tenant.seeding.group(tenant.org, `Service ${tenant.mark}`);
  const [running] = await tenant.routers(1, { group });
  const [ended] = await tenant.routers(1, { group, expired: '02/01/2026' });
  const [soon] = await tenant.routers(1, { group, expired: day(0) });
  const [later] = await tenant.routers(1, { group, expired: day(20) });
  await enter(page, tenant.users.user, '/devices/service');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Service Status');
  await expect
    .poll(async () => (await headers(page)).slice(1))
    .toEqual(['Device Serial#', 'Service Status', 'Expiration Date', 'Group', 'Notes']);
  await expect(page.getByLabel('Rows', { exact: true })).toHaveValue('3');

  // The filters by their controls: what each offers, and what it finds.
  const pick = async (filter: string, options: readonly string[] | undefined, option: string) => {
    await page
      .getByRole('button', { name: new RegExp(filter, 'u') })
      .first()
      .click();
    if (options !== undefined) await expect(page.getByRole('listbox').getByRole('option')).toHaveText(options);
    await page.getByRole('option', { name: option, exact: true }).click();
    await waitUntilLoaded(page);
  };
  const found = async (...routers: readonly { readonly serial: string }[]) => {
    await expect(rows(page)).toHaveCount(routers.length);
    for (const { serial } of routers) await expect(rows(page).filter({ hasText: serial })).toHaveCount(1);
  };
  await pick('Filter by Group', undefined, `Service ${tenant.mark}`);
  await expect(page.getByText('1–3 of 4')).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  const statuses = ['All status', 'Subscribed', 'Expiring', 'Not subscribed'];
  await pick('Service Status', statuses, 'Subscribed');
  await found(running!);
  await pick('Service Status', statuses, 'Expiring');
  await found(soon!, later!);
  await pick('Service Status', statuses, 'Not subscribed');
  await found(ended!);
  await expect(rows(page).locator('.status', { hasText: 'Not Subscribed' })).toBeVisible();
  await pick('Service Status', statuses, 'All status');
  const dates = ['All dates', 'Today', 'This week', 'This month'];
  await pick('Expiration date', dates, 'Today');
  await found(soon!);
  for (const option of ['This week', 'This month']) {
    await pick('Expiration date', dates, option);
    await expect(rows(page).filter({ hasText: soon!.serial })).toHaveCount(1);
    for (const { serial } of [running!, ended!]) await expect(rows(page).filter({ hasText: serial })).toHaveCount(0);
  }
  await pick('Expiration date', dates, 'All dates');
  await expect(page.getByText('1–3 of 4')).toBeVisible();
  await tenant.owner.query('delete from devices where serial = any ($1)', [[soon!.serial, later!.serial]]);
  await page.goto('/devices/service');
  await page.getByRole('link', { name: 'Notifications' }).click();
  await expect(page).toHaveURL(/\/devices\/service\/noitify$/u);
  await page.goto(`/devices/service?group=${encodeURIComponent(group)}`);
  await waitUntilLoaded(page);
  await expect(rows(page)).toHaveCount(2);
  await page.goto(`/devices/service?group=${encodeURIComponent(group)}&service=not-subscribed`);
  await waitUntilLoaded(page);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(ended!.serial);
  await page.goto(`/devices/service?group=${encodeURIComponent(group)}&expiration=today`);
  await waitUntilLoaded(page);
  await expect(page.getByText('No matched results.')).toBeVisible();
  await page.goto(`/devices/service?group=${encodeURIComponent(group)}`);
  await waitUntilLoaded(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download(.csv)' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('Service_export.csv');
  const [header, ...lines] = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/u);
  expect(header!.replace(/^\uFEFF/u, '')).toBe('Device Serial#,Service Status,Expiration Date,Group,Notes');
  expect(lines.filter((line) => line.includes(ended!.serial))).toEqual([expect.stringContaining('Not Subscribed,02/01/2026')]);
  expect(lines).toHaveLength(2);
  const clicked = Date.now();
  await page.getByRole('link', { name: `Show ${running!.serial} in Devices` }).click();
  await expect(page).toHaveURL(/\/devices\/list/u);
  await waitUntilLoaded(page);
  await expect(rows(page).filter({ hasText: running!.serial })).toBeVisible();
  const { expires } = (await page.context().cookies()).find(({ name }) => name === 'highlineD')!;
  expect(expires - Date.now() / 1000).toBeLessThanOrEqual(60);
  expect(expires).toBeGreaterThanOrEqual(clicked / 1000 + 59);
  await rows(page).filter({ hasText: running!.serial }).getByRole('link', { name: 'Subscribed', exact: true }).click();
  await expect(page).toHaveURL(/\/devices\/service/u);
});

test('the main account extends a subscription on the device page, and the open service status of its admin follows', async ({
  page,
  browser,
  tenant,
}) => {
  const group = await tenant.seeding.group(tenant.org, `Extended ${tenant.mark}`);
  const [router] = await tenant.routers(1, { group, expired: '02/01/2026' });
  const theirs = await (await browser.newContext({ baseURL: tenant.server.url })).newPage();
  await enter(theirs, tenant.users.admin, `/devices/service?group=${encodeURIComponent(group)}&service=expiring`);
  await expect(theirs.getByText('No matched results.')).toBeVisible();
  await enter(page, tenant.users.main, `/devices/orgList?field=serial&search=${router!.serial}`);
  await rows(page).first().press('Enter');
  await expect(page).toHaveURL(/\/devices\/setting\?device=/u);
  await waitUntilLoaded(page);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Subscription' });
  await expect(panel).toContainText('Not Subscribed');
  await expect(page.getByLabel('Notes')).not.toBeEditable();
  await expectAccessible(page);
  const save = panel.getByRole('button', { name: 'Save' });
  const expiry = panel.getByLabel('Expiry Date');
  await expiry.fill('01/01/2025');
  await expiry.blur();
  await expect(panel.getByText('The expiry date must not be before the start date.').first()).toBeVisible();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
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
