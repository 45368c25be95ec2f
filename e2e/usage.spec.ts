import type { Page } from '@playwright/test';
import { makeIccid } from '@highline/usp';
import { EID, row } from './esims.ts';
import { enter, expect, expectAccessible, leave, test, waitUntilLoaded, visit } from './fixtures.ts';
import { used } from './usage.ts';

const BUS = makeIccid(4_000_001);
const VAN = '8944110068123456783';
const GB = 1_000_000_000;

/** Rows of the list, not of the table behind the chart. */
const rows = (page: Page) => page.getByRole('table', { name: 'Data use by SIM, vehicle or group' }).locator('tbody tr');
const shown = async (page: Page) => (await rows(page).allTextContents()).map((text) => text.replaceAll(/\s+/gu, ' ').trim());

/** Show a column that is hidden until a person chooses it. */
async function showUse(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: 'Data use this cycle' }).check();
  await page.keyboard.press('Escape');
}

test('USE-02 the SIM with the most data is two clicks away; vehicles, groups, last cycle, CSV, columns of lists, the SIMs tab; a main account by organization', async ({
  page,
  tenant,
}) => {
  const [bus, van] = await tenant.routers(2);
  await tenant.owner.query("update devices set vehicle_number = 'Bus 1' where serial = $1", [bus!.serial]);
  await used(tenant, bus!.serial, BUS, 0, GB, 2 * GB);
  await used(tenant, van!.serial, VAN, 0, 5, 7);
  const lastMonth = new Date().getUTCDate() + 1;
  await used(tenant, bus!.serial, BUS, lastMonth, 0, 4 * GB);
  await enter(page, tenant.users.admin, '/dashboard');
  // Task: which SIM used the most data this month. One click opens the list, which begins with it; the second one its vehicle.
  await page.getByRole('link', { name: 'Data Use' }).click();
  await waitUntilLoaded(page);
  await expect(rows(page).first()).toContainText(BUS);
  await expect(rows(page).first()).toContainText('3.00 GB');
  await expect(rows(page).first()).toContainText('4.00 GB');
  const month = page.getByRole('region', { name: 'This month by day' });
  await expect(month).toContainText('3.00 GB');
  await expect(month).toContainText(/4\.00 GB in all of [A-Z][a-z]+ \d{4}/u);
  await month.getByText('View as table').click();
  await expect(month.getByRole('row')).toHaveCount(32);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Vehicles' }).click();
  await expect(rows(page).first()).toContainText('Bus 1');
  await page.getByRole('button', { name: 'Groups' }).click();
  await expect.poll(() => shown(page)).toEqual([expect.stringMatching(/^default ?3\.00 GB/u)]);
  await visit(page, '/usage?cycle=last');
  await expect.poll(() => shown(page)).toEqual([expect.stringContaining('4.00 GB')]);
  await expect(page.getByRole('region', { name: 'Last month by day' })).toContainText('4.00 GB');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download(.csv)' }).click();
  const stream = await (await saved).createReadStream();
  const text = (await stream.toArray()).map(String).join('');
  expect(text).toContain(`${4 * GB}`);
  await rows(page).first().getByRole('link', { name: 'Bus 1' }).click();
  await expect(page).toHaveURL(/devices\/setting/u);
  await page.getByRole('main').getByRole('link', { name: 'SIMs' }).click();
  await expect(page.getByRole('region', { name: 'This cycle' })).toContainText('3.00 GB');
  await expect(page.getByRole('region', { name: 'This month by day' })).toContainText('3.00 GB');

  // In the lists of devices and SIMs.
  await tenant.seeding.esim(tenant.org, {
    serial: bus!.serial,
    eid: EID,
    code: 'preload',
    iccid: BUS,
    apn: 'fleet',
    apn2: '',
    name: '',
  });
  await visit(page, '/devices/list');
  await showUse(page);
  await expect(row(page, 'Bus 1')).toContainText('3.00 GB');
  await expect(row(page, van!.serial)).toContainText('12 B');
  await visit(page, '/devices/esimsList');
  await showUse(page);
  await expect(row(page, BUS)).toContainText('3.00 GB');

  await leave(page);
  await enter(page, tenant.users.main, '/usage');
  await waitUntilLoaded(page);
  await rows(page).filter({ hasText: tenant.orgName }).getByRole('link').click();
  await expect(rows(page).first()).toContainText(BUS);
  await page.getByRole('link', { name: 'All organizations' }).click();
  await expect(rows(page)).toHaveCount(1);
});

test('USE-03 a plan is tried and saved; at its allowance a person gets a mail and a router switches its eSIM', async ({
  page,
  tenant,
}) => {
  test.slow();
  const org = await tenant.seeding.organization(tenant.main, `Plans ${tenant.mark}`);
  const email = `plans-${tenant.mark.toLowerCase()}@highline.example`;
  const account = await tenant.seeding.account(org, email, 'admin');
  const [router] = await tenant.routers(1, { org });
  const { serial } = router!;
  const bus = makeIccid(0);
  await tenant.owner.query("update devices set iccid = $2, vehicle_number = 'Bus 1' where serial = $1", [serial, bus]);
  await used(tenant, serial, bus, 0, 0, 4 * GB);
  // So that there is a forecast on the first of a month as well.
  await used(tenant, serial, bus, new Date().getUTCDate() + 1, 0, GB);
  for (const [code, iccid, name] of [
    ['preload', bus, ''],
    ['1$smdp.t-mobile.example$NEW-1', makeIccid(3_000_009), 'Reserve'],
  ] as const)
    await tenant.seeding.esim(org, { serial, eid: EID, code, iccid, apn: 'fleet', apn2: '', name });
  tenant.fleet([router!], { eid: EID, iccid: bus });
  const statuses = async () =>
    (
      await tenant.owner.query<{ text: string }>(
        `select string_agg(status, ', ' order by iccid = $2 desc) as text from esim_profiles where serial = $1`,
        [serial, bus],
      )
    ).rows[0]!.text;
  await expect.poll(statuses).toBe('In Use, Activated');
  await enter(page, { id: account, email, bearer: await tenant.seeding.bearer(account) }, '/usage');
  const recipient = `used-${tenant.mark.toLowerCase()}@partner.example`;
  await visit(page, '/devices/service/noitify');
  const notify = page.getByRole('form', { name: 'Add a recipient' });
  await notify.getByLabel('Email').fill(recipient);
  await notify.getByLabel('Share of a data plan reached').check();
  await notify.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`${recipient} will be notified.`)).toBeVisible();
  await visit(page, '/usage');
  await page.getByRole('link', { name: 'Data Plans' }).click();
  await expect(page.getByText('No data plans yet.')).toBeVisible();
  const dialog = page.getByRole('dialog');
  const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
  /** SIMs are matched with their plans within seconds. */
  const says = (name: string, ...texts: readonly string[]) =>
    expect(async () => {
      await page.reload();
      for (const text of texts) await expect(card(name)).toContainText(text, { timeout: 3_000 });
    }).toPass();

  // First as a dry run, which does nothing.
  await page.getByRole('button', { name: 'Add plan' }).click();
  await dialog.getByLabel('Name').fill('Four');
  await dialog.getByLabel('Allowance (GB)').fill('4');
  await dialog.getByLabel('SIMs', { exact: true }).selectOption('all');
  await dialog.getByLabel('At the allowance').selectOption('profile');
  await dialog.getByRole('button', { name: 'What would happen now' }).click();
  await expect(dialog.getByRole('listitem')).toHaveText(
    new RegExp(`${bus} Bus 1 · 4\\.00 GB · 100% · Send an email, Switch to another eSIM`, 'u'),
  );
  await expectAccessible(page);
  expect(await statuses()).toBe('In Use, Activated');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await says('Four', '4.00 GB of');
  // At least as much as so far: the cycle has not ended.
  const forecast = await card('Four').locator('dl > div').filter({ hasText: 'Forecast' }).locator('dd').textContent();
  expect(Number.parseFloat(forecast ?? '')).toBeGreaterThanOrEqual(4);
  await expectAccessible(page);

  await expect.poll(statuses).toBe('Activated, In Use');
  await expect.poll(async () => (await tenant.mailsTo(recipient)).join('')).toContain(`Bus 1, ${bus}: 100% · Four`);
});
