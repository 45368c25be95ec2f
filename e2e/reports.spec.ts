import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { unzip } from '@highline/testkit/zip';
import { enter, expect, expectAccessible, rows, waitUntilLoaded, test, visit } from './fixtures.ts';
import type { Tenant, TenantRouter } from './tenant.ts';

test.use({ timezoneId: 'UTC' });

const DAY_MS = 86_400_000;
const columns = ['Device name', 'Type', 'Group name', 'UDID', 'Property', 'Date', 'Value'];
const startOfToday = () => Math.floor(Date.now() / DAY_MS) * DAY_MS;

/** The device of a router, owned since two days ago, so that yesterday's records are its organization's too. */
async function deviceOf(tenant: Tenant, { serial }: TenantRouter): Promise<{ device: string; router: string }> {
  const { rows: found } = await tenant.owner.query<{ id: string; router_id: string }>(
    'select id, router_id from devices where serial = $1',
    [serial],
  );
  const [{ id: device, router_id: router }] = found as [{ id: string; router_id: string }];
  await tenant.owner.query('update router_ownership set owned_from = $2 where router_id = $1', [
    router,
    new Date(startOfToday() - 2 * DAY_MS),
  ]);
  await tenant.owner.query("select ensure_partitions((now() - interval '2 days')::date, (now() + interval '1 day')::date)");
  return { device, router };
}

/** Values of a parameter, one a second from an instant on. 1 is RSSI, 4 the temperature, 6 the bytes sent. */
async function insertReadings(tenant: Tenant, router: string, parameter: number, from: number, count: number): Promise<void> {
  await tenant.owner.query(
    `insert into telemetry (router_id, at, parameter, value)
     select $1, to_timestamp($3) + n * interval '1 second', $2, -60 - n % 20 from generate_series(0, $4 - 1) n`,
    [router, parameter, from / 1000, count],
  );
}

async function saved(page: Page, name: string) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  return { name: download.suggestedFilename(), contents: await readFile(await download.path()) };
}

test('RPT-01 RPT-02-partial NAV-02-partial records are found by days, ids, property and value, paged, exported, and saved as a report', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Reported ${tenant.mark}`);
  const email = `reported-${tenant.mark.toLowerCase()}@highline.example`;
  const id = await tenant.seeding.account(org, email, 'user');
  const groupName = `Reported depot ${tenant.mark}`;
  const group = await tenant.seeding.group(org, groupName);
  const [inGroup] = await tenant.routers(1, { org, group });
  const [elsewhere] = await tenant.routers(1, { org });
  const one = await deviceOf(tenant, inGroup!);
  const other = await deviceOf(tenant, elsewhere!);
  await insertReadings(tenant, one.router, 1, startOfToday(), 75);
  await insertReadings(tenant, other.router, 4, startOfToday(), 3);
  await insertReadings(tenant, one.router, 4, startOfToday() - DAY_MS + 3_600_000, 2);

  await enter(page, { id, email, bearer: await tenant.seeding.bearer(id) }, '/dashboard');
  await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).click();
  await expect(page).toHaveURL(/\/reports\/list\/record$/u);
  await waitUntilLoaded(page);
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Reports' })).toHaveAttribute('aria-current', 'page');
  const form = page.getByRole('form', { name: 'Report filters' });
  await expect(page.getByRole('button', { name: 'Today' })).toHaveAttribute('aria-pressed', 'true');
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '/');
  await expect(form.getByLabel('Report name')).toHaveValue(`${today} 00:00:00 - ${today} 23:59:59`);
  await expect(page.getByRole('columnheader')).toHaveText(columns);
  await expectAccessible(page);

  // Ten rows, newest first; eight pages are too many to show them all.
  const search = async () => {
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await waitUntilLoaded(page);
  };
  await form.getByLabel('Property').selectOption({ label: 'Signal strength (RSSI) (dBm)' });
  await search();
  await expect(page).toHaveURL(/property=rssi/u);
  await expect(rows(page)).toHaveCount(10);
  await expect(rows(page).first()).toContainText(`${today} 00:01:14`);
  await expect(rows(page).first()).toContainText('−74 dBm');
  for (const text of [inGroup!.serial, groupName, 'Signal strength']) await expect(rows(page).first()).toContainText(text);
  // The UDID is the one that the device itself has, in the table and in what is exported.
  const own = await page.request.get(`/data_manager/v1/dm/devices?limit=1&field=serial&search=${inGroup!.serial}`);
  const { udid } = ((await own.json()) as { result: { udid: string }[] }).result[0]!;
  expect(udid).toMatch(new RegExp(`^os::[0-9A-F]{6}-${inGroup!.serial}$`, 'u'));
  await expect(rows(page).first().getByRole('cell').nth(3)).toHaveText(udid);
  await expect(page.getByText('1–10 of 75')).toBeVisible();
  await expect(page.getByLabel('Rows', { exact: true }).getByRole('option')).toHaveText(['10', '20', '30', '50', '100']);
  const foot = page.getByRole('navigation', { name: 'Pages of Collected records' });
  await expect(foot.getByRole('button', { name: /^Page \d/u })).toHaveText(['1', '2', '8']);
  await foot.getByRole('button', { name: 'Page 8' }).click();
  await expect(rows(page)).toHaveCount(5);
  await page.getByLabel('Go to page').fill('4');
  await page.getByLabel('Go to page').press('Enter');
  await expect(page.getByText('31–40 of 75')).toBeVisible();
  await expect(foot.getByRole('button', { name: /^Page \d/u })).toHaveText(['1', '3', '4', '5', '8']);
  await page.getByLabel('Rows', { exact: true }).selectOption('30');
  await expect(rows(page)).toHaveCount(30);
  await expect(foot.getByRole('button', { name: /^Page \d/u })).toHaveText(['1', '2', '3']);

  // A value is compared as text; the export equals the visible rows.
  await form.getByLabel('Value').fill('-60');
  await search();
  await expect(rows(page)).toHaveCount(4);
  const csv = await saved(page, 'Download(.csv)');
  expect(csv.name).toBe(`${today.replaceAll('/', '-')} 00-00-00 - ${today.replaceAll('/', '-')} 23-59-59.csv`);
  const lines = csv.contents
    .toString('utf8')
    .split('\r\n')
    .filter((line) => line !== '');
  expect(lines).toHaveLength(5);
  expect(lines[1]).toContain(`${today} 00:01:00`);
  expect(lines[0]!.slice(1).split(',')).toEqual(columns);
  expect(lines[1]!.split(',')[3]).toBe(udid);
  const workbook = await saved(page, 'Excel export');
  expect(workbook.name).toMatch(/\.xlsx$/u);
  expect(unzip(workbook.contents).get('xl/sharedStrings.xml')).toContain(udid);

  // The filters are saved under a name, and restored with one click.
  await form.getByLabel('Report name').fill('Weak signal');
  await page.getByRole('button', { name: 'Save report' }).click();
  await expect(page.getByText('Weak signal Save Success')).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(page.getByText(/of 8\d$|of 7[89]$/u)).toBeVisible();
  await page.getByRole('button', { name: 'Saved reports' }).click();
  await page.getByRole('button', { name: 'Weak signal', exact: true }).click();
  await expect(rows(page)).toHaveCount(4);
  await expect(form.getByLabel('Value')).toHaveValue('-60');
  await page.getByRole('button', { name: 'Saved reports' }).click();
  await page.getByRole('button', { name: 'Delete the saved report Weak signal' }).click();
  await expect(page.getByText('No saved reports yet.')).toBeVisible();
  await page.keyboard.press('Escape');

  // By id of a group or a device; an id of nothing finds nothing.
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  const temperatures = rows(page).filter({ hasText: 'Temperature' });
  for (const [queryId, count] of [
    [other.device, 3],
    [group, 0],
    ['unmatched', 0],
  ] as const) {
    await form.getByLabel('Query ID').fill(queryId);
    await form.getByLabel('Property').selectOption({ label: 'Temperature (°C)' });
    await search();
    await expect(temperatures).toHaveCount(count);
    if (count === 0) await expect(page.getByText('No matched results.')).toBeVisible();
  }
  await form.getByLabel('Query ID').fill('');
  await page.getByRole('button', { name: 'Yesterday' }).click();
  await search();
  await expect(temperatures).toHaveCount(2);
  await page.getByRole('button', { name: 'Date range' }).click();
  await page.getByLabel('Until').fill(
    new Date()
      .toISOString()
      .slice(0, 10)
      .replace(/(\d+)-(\d+)-(\d+)/u, '$2/$3/$1'),
  );
  await page.getByLabel('Until').press('Enter');
  await page.getByLabel('Until').press('Escape');
  await search();
  await expect(temperatures).toHaveCount(5);
  await form.getByRole('button', { name: /^Group/u }).click();
  await page.getByRole('combobox', { name: 'Group' }).fill('Reported');
  await page.getByRole('option', { name: groupName }).click();
  await search();
  await expect(temperatures).toHaveCount(2);
  await form.getByRole('button', { name: /^Device/u }).click();
  await page.getByRole('option', { name: inGroup!.serial }).click();
  await search();
  await expect(temperatures).toHaveCount(2);
  await page.reload();
  await waitUntilLoaded(page);
  await expect(temperatures).toHaveCount(2);
  await page.getByRole('button', { name: 'This month' }).click();
  await search();
  await expect(temperatures).not.toHaveCount(1);

  await visit(page, '/reports/list/nothing-known');
  await expect(page).toHaveURL(/\/reports\/list\/record$/u);
});

test('RPT-02 a chart leads to its records, page by page as far as they are counted, and then on from page to page', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Counted ${tenant.mark}`);
  const id = await tenant.seeding.account(org, `counted-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  for (const router of await tenant.routers(2, { org })) {
    const { router: key } = await deviceOf(tenant, router);
    await insertReadings(tenant, key, 6, startOfToday() - DAY_MS, 50_100);
  }
  // PostgreSQL's autovacuum would have analyzed this many rows before a user queries them.
  await tenant.owner.query('analyze telemetry');
  await enter(
    page,
    { id, email: '', bearer: await tenant.seeding.bearer(id) },
    '/reports/analysis?group=default%2Bgroup%2Bid&day=yesterday&property=bytes_sent&charts=device',
  );
  await page.getByRole('link', { name: 'Show records' }).click();
  await expect(page).toHaveURL(/\/reports\/list\/goto\?/u);
  await expect(page.getByText('1–10 of more than 100,000')).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText(columns);
  const [date, value] = [rows(page).first().getByRole('cell').nth(5), rows(page).first().getByRole('cell').nth(6)];
  await expect(date).toHaveText(/^\d{4}\/\d{2}\/\d{2} 13:54:59$/u);
  await expect(value).toHaveText('−79 B');
  const sizes = page.getByLabel('Rows', { exact: true });
  await expect(sizes.getByRole('option')).toHaveText(['10', '20', '30', '50', '100']);
  await sizes.selectOption('100');
  const foot = page.getByRole('navigation', { name: 'Pages of Collected records' });
  await expect(foot.getByRole('button', { name: /^Page \d/u })).toHaveText(['1', '2', '1,000']);
  await page.getByLabel('Go to page').fill('1000');
  await page.getByLabel('Go to page').press('Enter');
  await expect(page.getByText('99,901–100,000 of more than 100,000')).toBeVisible();
  const more = page.getByRole('button', { name: 'Continue fetching' });
  await more.click();
  await expect(page.getByText('100,001–100,100 of more than 100,000')).toBeVisible();
  await more.click();
  await expect(page.getByText('100,101–100,200 of more than 100,000')).toBeVisible();
  await expect(more).toHaveCount(0);
  await expect(rows(page)).toHaveCount(100);
  await expect(rows(page).last()).toContainText('00:00:00');
  await page.goBack();
  await expect(page.getByText('100,001–100,100 of more than 100,000')).toBeVisible();
});
