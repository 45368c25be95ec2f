import type { Page } from '@playwright/test';
import { makeIccid } from '@highline/usp';
import { EID, row } from './esims.ts';
import { enter, expect, expectAccessible, leave, TAKES_PICTURES, test, waitUntilLoaded, visit } from './fixtures.ts';
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

/** Pictures for a person: light and wide, dark and narrow, in Chinese. */
async function picture(page: Page, name: string, text: string): Promise<void> {
  if (!TAKES_PICTURES) return;
  for (const [suffix, width, colorScheme, language] of [
    ['1440-light', 1440, 'light', 'en-US'],
    ['390-dark', 390, 'dark', 'en-US'],
    ['1440-light-zh', 1440, 'light', 'zh-TW'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.evaluate((value) => localStorage.setItem('highline.language', value), language);
    await page.reload();
    await expect(page.getByText(text).first()).toBeVisible();
    await page.screenshot({ path: `test-results/screens/${name}-${suffix}.png`, fullPage: true });
  }
  await page.evaluate(() => localStorage.removeItem('highline.language'));
  await page.emulateMedia({ colorScheme: 'light' });
  await page.reload();
  await waitUntilLoaded(page);
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
  for (const [name, width, scheme] of [
    ['usage-1440-light', 1440, 'light'],
    ['usage-390-dark', 390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    if (TAKES_PICTURES) await page.screenshot({ path: `test-results/screens/${name}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
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
  await picture(page, 'usage-sims-tab', '3.00 GB');

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

test('USE-03 plans of SIMs and of a pool, with cycle day, cost and forecast, are tried, saved and given SIMs; at their shares and allowance a person gets a mail, a router runs a command, and another switches its eSIM', async ({
  page,
  tenant,
}) => {
  test.slow();
  const org = await tenant.seeding.organization(tenant.main, `Plans ${tenant.mark}`);
  const email = `plans-${tenant.mark.toLowerCase()}@highline.example`;
  const account = await tenant.seeding.account(org, email, 'admin');
  const routers = await tenant.routers(4, { org });
  const iccids = routers.map((_, index) => makeIccid(index));
  const [bus, van, east, west] = iccids as [string, string, string, string];
  for (const [index, gb] of [4, 2, 1, 0.5].entries()) {
    const { serial } = routers[index]!;
    await tenant.owner.query('update devices set iccid = $2, vehicle_number = $3 where serial = $1', [
      serial,
      iccids[index],
      `Bus ${index + 1}`,
    ]);
    await used(tenant, serial, iccids[index]!, 0, 0, gb * GB);
  }
  // So that there is a forecast on the first of a month as well.
  await used(tenant, routers[0]!.serial, bus, new Date().getUTCDate() + 1, 0, GB);
  // Two of the vehicles are there: one with a second eSIM, and one that can run a command.
  for (const [code, iccid, name] of [
    ['preload', bus, ''],
    ['1$smdp.t-mobile.example$NEW-1', makeIccid(3_000_009), 'Reserve'],
  ] as const)
    await tenant.seeding.esim(org, { serial: routers[0]!.serial, eid: EID, code, iccid, apn: 'fleet', apn2: '', name });
  tenant.fleet([routers[0]!], { eid: EID, iccid: bus });
  tenant.fleet([routers[1]!], { iccid: van });
  const statuses = async () =>
    (
      await tenant.owner.query<{ text: string }>(
        `select string_agg(status, ', ' order by iccid = $2 desc) as text from esim_profiles where serial = $1`,
        [routers[0]!.serial, bus],
      )
    ).rows[0]!.text;
  await expect.poll(statuses, { timeout: 60_000 }).toBe('In Use, Activated');
  await enter(page, { id: account, email, bearer: await tenant.seeding.bearer(account) }, '/usage');
  await page.evaluate(() =>
    fetch('/data_manager/v1/dm/commands', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Blink', kind: 'identify', argument: '5' }),
    }),
  );
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
  const save = async () => {
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
  };
  const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
  const choose = async (name: string, sims: readonly string[]) => {
    await card(name).getByRole('button', { name: 'Choose SIMs' }).click();
    await dialog.getByLabel('ICCIDs').fill(`name,iccid\n${sims.map((iccid) => `Bus,${iccid}`).join('\n')}`);
    await dialog.getByRole('button', { name: 'Assign the plan' }).click();
    await expect(dialog).toBeHidden();
  };
  /** SIMs are matched with their plans within seconds. */
  const says = (name: string, ...texts: readonly string[]) =>
    expect(async () => {
      await page.reload();
      for (const text of texts) await expect(card(name)).toContainText(text, { timeout: 3_000 });
    }).toPass();

  // A pool, with a cost for each GB: both SIMs bring their allowance.
  await page.getByRole('button', { name: 'Add plan' }).click();
  await dialog.getByLabel('Name').fill('Pool');
  await dialog.getByLabel('Allowance (GB)').fill('1');
  await dialog.getByLabel('Allowance is for').selectOption('pool');
  await dialog.getByLabel('Cost per GB').fill('2.5');
  await dialog.getByLabel('Currency').fill('usd');
  await dialog.getByLabel('Send an email at (percent)').fill('70');
  await save();
  await choose('Pool', [east, west]);
  await says('Pool', '2 SIMs', '1.50 GB of 2.00 GB', '3.75 USD');
  // 75 percent of the pool: a mail at once.
  await expect.poll(async () => (await tenant.mailsTo(recipient)).join('')).toContain('70% · Pool');

  // A command at the allowance, in a cycle that begins today.
  await page.getByRole('button', { name: 'Add plan' }).click();
  await dialog.getByLabel('Name').fill('Two');
  await dialog.getByLabel('Cycle begins on day').selectOption(String(Math.min(28, new Date().getUTCDate())));
  await dialog.getByLabel('Allowance (GB)').fill('2');
  await dialog.getByLabel('At the allowance').selectOption('command');
  await dialog.getByLabel('Command').selectOption('Blink');
  await save();
  await choose('Two', [van]);
  await says('Two', '1 SIM', '2.00 GB of 2.00 GB');
  if (new Date().getUTCDate() <= 28) await expect(card('Two')).toContainText('ForecastAfter 24 hours of the cycle');
  await expect
    .poll(async () => {
      const items = `select i.serial, i.state from bulk_job_items i join bulk_jobs j on j.id = i.job_id where j.organization_id = $1`;
      return (await tenant.owner.query(items, [org.organizationId])).rows;
    })
    .toEqual([{ serial: routers[1]!.serial, state: 'done' }]);

  // Another profile at the allowance, for all others; first as a dry run, which does nothing.
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
  if (TAKES_PICTURES) await page.screenshot({ path: 'test-results/screens/usage-plan-dialog.png' });
  expect(await statuses()).toBe('In Use, Activated');
  await save();
  await says('Four', '4.00 GB of');
  // At least as much as so far: the cycle has not ended.
  const forecast = await card('Four').locator('dl > div').filter({ hasText: 'Forecast' }).locator('dd').textContent();
  expect(Number.parseFloat(forecast ?? '')).toBeGreaterThanOrEqual(4);
  await expectAccessible(page);
  await picture(page, 'usage-plans', 'Four');

  // The router has switched, and what was reached since the first mail is in the next one.
  await expect.poll(statuses, { timeout: 60_000 }).toBe('Activated, In Use');
  await tenant.owner.query('update notification_throttles set until = now() where organization_id = $1', [org.organizationId]);
  await expect
    .poll(async () => (await tenant.mailsTo(recipient)).join(''), { timeout: 30_000 })
    .toContain(`Bus 1, ${bus}: 100% · Four`);
});

test('USE-03-partial a plan whose author has left says that nothing was done, until an admin takes it over', async ({
  page,
  tenant,
}) => {
  test.slow();
  const org = await tenant.seeding.organization(tenant.main, `Left ${tenant.mark}`);
  const person = async (name: string) => {
    const email = `${name}-${tenant.mark.toLowerCase()}@highline.example`;
    const id = await tenant.seeding.account(org, email, 'admin');
    return { id, email, bearer: await tenant.seeding.bearer(id) };
  };
  const [author, admin] = [await person('author'), await person('admin')];
  const [router] = await tenant.routers(1, { org });
  const iccid = makeIccid(3_000_010);
  await tenant.owner.query("update devices set iccid = $2, vehicle_number = 'Bus 1' where serial = $1", [router!.serial, iccid]);
  await used(tenant, router!.serial, iccid, 0, 0, GB);
  await enter(page, author, '/usage/plans');
  await page.evaluate(async (allowance) => {
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`/data_manager/v1/dm/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return ((await answer.json()) as { result: { id: string } }).result.id;
    };
    const command = await post('commands', { name: 'Blink', kind: 'identify', argument: '5' });
    const rule = { cycleDay: 1, isPool: false, costPerGb: null, currency: '', appliesTo: 'all', carrier: '', shares: [100] };
    await post('usage/plans', { name: 'Two', allowance, ...rule, action: 'command', command });
  }, 2 * GB);
  await leave(page);
  await tenant.owner.query('delete from accounts where id = $1', [author.id]);
  await used(tenant, router!.serial, iccid, 0, 0, GB);
  // Plans are looked at each minute, and at once after a change of plans or SIMs.
  await tenant.owner.query('insert into usage_matching (organization_id) values ($1) on conflict do nothing', [
    org.organizationId,
  ]);

  await enter(page, admin, '/usage/plans');
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Two' }) });
  const sentence = 'Not done for 1 SIM: the person who saved this plan is no longer allowed to do this.';
  await expect(card).toContainText(sentence, { timeout: 90_000 });
  await expectAccessible(page);
  await picture(page, 'usage-plan-left', 'Two');
  await card.getByRole('button', { name: 'Take over' }).click();
  await expect(card).not.toContainText(sentence);
  await expect
    .poll(async () => {
      const jobs = `select j.actor ->> 'email' as by from bulk_jobs j where j.organization_id = $1`;
      return (await tenant.owner.query(jobs, [org.organizationId])).rows;
    })
    .toEqual([{ by: admin.email }]);
});
