import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { unzip } from '@highline/testkit/zip';
import { enter, expect, expectAccessible, rows, test } from './fixtures.ts';
import type { Tenant, TenantRouter } from './tenant.ts';

test.use({ timezoneId: 'UTC' });

const DAY_MS = 86_400_000;
const startOfToday = () => Math.floor(Date.now() / DAY_MS) * DAY_MS;

/** The row of a router, owned since two days ago. */
async function ownedRouter({ owner }: Tenant, { serial }: TenantRouter): Promise<string> {
  const { rows: found } = await owner.query<{ router_id: string }>(
    `update router_ownership set owned_from = now() - interval '2 days'
     where router_id = (select router_id from devices where serial = $1) returning router_id`,
    [serial],
  );
  await owner.query("select ensure_partitions((now() - interval '2 days')::date, (now() + interval '1 day')::date)");
  return found[0]!.router_id;
}

async function saved(page: Page, name: string) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  return { name: download.suggestedFilename(), contents: await readFile(await download.path()) };
}

test('RPT-01-partial RPT-02-partial records of a router are found, downloaded as CSV and workbook, and saved as a report that is the same after a reload', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Reported ${tenant.mark}`);
  const email = `reported-${tenant.mark.toLowerCase()}@highline.example`;
  const id = await tenant.seeding.account(org, email, 'user');
  const [router] = await tenant.routers(1, { org });
  // 1 is RSSI.
  await tenant.owner.query(
    `insert into telemetry (router_id, at, parameter, value)
     select $1, to_timestamp($2) + n * interval '1 second', 1, -60 - n % 20 from generate_series(0, 74) n`,
    [await ownedRouter(tenant, router!), startOfToday() / 1000],
  );
  await enter(page, { id, email, bearer: await tenant.seeding.bearer(id) }, '/reports/list/record');
  const form = page.getByRole('form', { name: 'Report filters' });
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '/');
  await form.getByLabel('Property').selectOption({ label: 'Signal strength (RSSI) (dBm)' });
  await form.getByLabel('Value').fill('-60');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(rows(page)).toHaveCount(4);
  await expect(rows(page).first()).toContainText(`${today} 00:01:00`);
  await expect(rows(page).first()).toContainText('−60 dBm');
  const udid = await rows(page).first().getByRole('cell').nth(3).innerText();
  expect(udid).toMatch(new RegExp(`^os::[0-9A-F]{6}-${router!.serial}$`, 'u'));
  await expectAccessible(page);
  const csv = await saved(page, 'Download(.csv)');
  expect(csv.name).toBe(`${today.replaceAll('/', '-')} 00-00-00 - ${today.replaceAll('/', '-')} 23-59-59.csv`);
  const lines = csv.contents.toString('utf8').trimEnd().split('\r\n');
  expect(lines).toHaveLength(5);
  expect(lines[1]).toContain(`${today} 00:01:00`);
  const workbook = await saved(page, 'Excel export');
  expect(workbook.name).toMatch(/\.xlsx$/u);
  expect(unzip(workbook.contents).get('xl/worksheets/sheet1.xml')).toContain(udid);
  await form.getByLabel('Report name').fill('Weak signal');
  await page.getByRole('button', { name: 'Save report' }).click();
  await expect(page.getByText('Weak signal Save Success')).toBeVisible();
  await page.goto('/reports/list/record');
  await page.getByRole('button', { name: 'Saved reports' }).click();
  await page.getByRole('button', { name: 'Weak signal', exact: true }).click();
  await expect(rows(page)).toHaveCount(4);
  await page.reload();
  await expect(rows(page)).toHaveCount(4);
});
