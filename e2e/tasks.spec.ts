import { randomBytes } from 'node:crypto';
import type { FileChooser, Locator, Page } from '@playwright/test';
import { EID } from './esims.ts';
import { enter, expect, rows, test, waitUntilLoaded } from './fixtures.ts';
import { used } from './usage.ts';

// The ten everyday tasks of the console's review (docs/tasks.md), each without a mouse.

/** Controls between the place of the focus and what a task needs next. */
const MOST_TABS = 60;

/** Move the focus with Tab, as far as it takes. */
async function reach(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let count = 0; count <= MOST_TABS; count += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The focus does not reach ${target.toString()} within ${MOST_TABS} tabs.`);
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await reach(page, target);
  await page.keyboard.press(key);
}

async function write(page: Page, field: Locator, text: string): Promise<void> {
  await reach(page, field);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** Open what the palette finds first. */
async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Find a device or page' }).getByRole('combobox')).toBeFocused();
  await page.keyboard.type(text);
  await expect(page.getByRole('option').first()).toContainText(new RegExp(text, 'iu'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await waitUntilLoaded(page);
}

/** Choose an option of a list that a button opens, by the arrow keys. */
async function choose(page: Page, opener: Locator, option: RegExp): Promise<void> {
  await press(page, opener);
  await page.keyboard.press('Home');
  const entry = page
    .getByRole('option', { name: option })
    .or(page.getByRole('menuitemradio', { name: option }))
    .first();
  await expect(entry).toBeVisible();
  const isAt = () =>
    entry.evaluate(
      (element) =>
        element === document.activeElement ||
        element.contains(document.activeElement) ||
        document.activeElement?.getAttribute('aria-activedescendant') === element.id,
    );
  for (let count = 0; !(await isAt()); count += 1) {
    if (count > MOST_TABS) throw new Error(`The arrow keys do not reach ${entry.toString()}.`);
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

async function chooseFile(page: Page, button: Locator, name: string, text: string): Promise<void> {
  const chosen: Promise<FileChooser> = page.waitForEvent('filechooser');
  await press(page, button);
  await (await chosen).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

test.beforeEach(async ({ page }) => {
  // A task that uses the mouse by mistake fails: what it would press does not get it.
  await page.addInitScript(() => {
    addEventListener('pointerdown', (event) => event.stopImmediatePropagation(), true);
    addEventListener('click', (event) => event.detail > 0 && event.stopImmediatePropagation(), true);
  });
});

test('task a: which vehicles of a customer are offline for more than a day, and why', async ({ page, tenant }) => {
  const [router] = await tenant.routers(1);
  await tenant.owner.query(
    `with gone as (update devices set presence = 'offline', presence_since = now() - interval '2 days',
        presence_reason = 'connection-lost' where serial = $1 returning router_id)
      insert into router_contacts (router_id, last_contact_at) select router_id, now() - interval '2 days' from gone`,
    [router!.serial],
  );
  await enter(page, tenant.users.main);
  await find(page, tenant.orgName);
  await press(page, page.getByRole('navigation', { name: 'Organization' }).getByRole('link', { name: 'Devices' }));
  await waitUntilLoaded(page);
  await choose(page, page.getByRole('button', { name: 'Filter by Offline for' }), /1 day/u);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(router!.serial);
  await press(page, rows(page).first());
  await expect(page.locator('.device-status')).toContainText(/Offline ?since .*connection lost/iu);
});

test('task b: bind firmware to a group, follow it, and retry the router that failed', async ({ page, tenant }) => {
  test.setTimeout(400_000);
  const name = `Task ${tenant.mark} ${randomBytes(2).toString('hex')}`;
  const version = `21.1.${tenant.mark}`;
  const group = await tenant.seeding.group(tenant.org, name);
  const [router] = await tenant.routers(1, { group });
  await tenant.fleet([router!]).whenAllConnected();
  // It boots, and never reaches the cloud.
  const payload = Buffer.concat([Buffer.from('highline-simulation: never-connects\n'), randomBytes(5_000)]);
  await tenant.seeding.firmware(tenant.main, { version, model: 'HL-R520 5G', payload });
  await enter(page, tenant.users.admin);
  await find(page, name);
  await choose(page, page.getByRole('button', { name: /^Firmware /u }), new RegExp(`^${version}`, 'u'));
  await press(page, page.getByRole('button', { name: 'Save', exact: true }));
  await press(page, page.getByRole('alertdialog').getByRole('button', { name: 'Save', exact: true }));
  const panel = page.getByRole('region', { name: `Rollout of firmware ${version}` });
  await expect(panel).toContainText("couldn't reach the cloud", { timeout: 90_000 });
  await press(page, panel.getByRole('button', { name: 'Retry 1 failed' }));
  await press(page, page.getByRole('alertdialog').getByRole('button', { name: 'Retry 1 failed' }));
  // Whatever step of the second attempt it is in by now.
  await expect(panel).toContainText(/attempt 2/u);
});

test('task c: add eSIMs by CSV, some rows of it faulty', async ({ page, tenant }) => {
  const [router] = await tenant.routers(1);
  const lines = [`${router!.serial},${EID},1$dp.example$TASK,,fleet,,Task`, `NO-SUCH,${EID},1$dp.example$NONE,,fleet,,None`];
  await enter(page, tenant.users.admin);
  await find(page, 'SIMs');
  await press(page, page.getByRole('button', { name: 'Add', exact: true }));
  await waitUntilLoaded(page);
  await chooseFile(
    page,
    page.getByRole('button', { name: 'Choose a file' }),
    'esims.csv',
    `SN,EID,Activation Code,ICCID,APN1,APN2,NAME\r\n${lines.join('\r\n')}\r\n`,
  );
  const send = page.getByRole('button', { name: 'Import', exact: true });
  await expect(send).not.toHaveAttribute('aria-disabled', 'true');
  await press(page, send);
  await expect(page.getByRole('dialog')).toContainText('Successfully added: 1 of 2. Failed to add:');
});

test('task d: open a shell at a router', async ({ page, tenant }) => {
  const [router] = await tenant.routers(1);
  await tenant.fleet([router!]).whenAllConnected();
  await enter(page, tenant.users.admin);
  await find(page, router!.serial);
  await press(page, page.getByRole('button', { name: 'Connect', exact: true }));
  await press(page, page.getByRole('dialog').getByLabel('SSH'), 'Space');
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Next' }));
  const shell = page.getByRole('dialog', { name: `SSH to ${router!.serial}` });
  await expect(shell).toContainText(/ssh -p \d+ /u);
  await press(page, shell.getByRole('button', { name: 'Cancel Connection' }));
  await expect(shell).toHaveCount(0);
});

test('task e: invite a colleague', async ({ page, tenant }) => {
  const email = `task-${tenant.mark.toLowerCase()}@highline.example`;
  await enter(page, tenant.users.admin);
  await find(page, 'Cloud Users');
  await press(page, page.getByRole('link', { name: 'Add', exact: true }));
  await waitUntilLoaded(page);
  await write(page, page.getByLabel('Username'), 'Ann');
  await write(page, page.getByLabel('Email'), email);
  await press(page, page.getByRole('button', { name: 'Add', exact: true }));
  await expect(page).toHaveURL(/\/users(\?|$)/u);
  await expect.poll(async () => (await tenant.mailsTo(email)).length).toBe(1);
});

test('tasks f, g and j: the SIM with the most data this month, who changed a group yesterday, and an alert rule', async ({
  page,
  tenant,
}) => {
  const [busy, quiet] = await tenant.routers(2);
  const iccid = '89014103211118510720';
  await used(tenant, busy!.serial, iccid, 0, 1_000_000_000, 2_000_000_000);
  await used(tenant, quiet!.serial, '8944110068123456783', 0, 5, 7);
  const yesterday = new Date(Date.now() - 24 * 3_600_000);
  await tenant.audit(
    tenant.org,
    { email: 'kim@highline.example', address: '192.0.2.77' },
    'Changed group North depot',
    yesterday,
  );
  await enter(page, tenant.users.admin);
  await find(page, 'Logs');
  await choose(page, page.getByRole('button', { name: 'Filter by Date' }), /^Yesterday/u);
  // Shortly after midnight what was set up for this test is of yesterday as well.
  await expect(rows(page).filter({ hasText: 'kim@highline.example' })).toHaveCount(1);

  await find(page, 'Data Use');
  const most = page.getByRole('table', { name: 'Data use by SIM, vehicle or group' }).locator('tbody tr').first();
  await expect(most).toContainText(iccid);
  await expect(most).toContainText('3.00 GB');

  await find(page, 'Alerts');
  await press(page, page.getByRole('link', { name: 'Rules', exact: true }));
  await waitUntilLoaded(page);
  for (const [name, isWeak] of [
    ['Lost', false],
    ['Weak', true],
  ] as const) {
    await press(page, page.getByRole('button', { name: 'Add rule' }));
    const dialog = page.getByRole('dialog');
    await write(page, dialog.getByLabel('Name'), name);
    if (isWeak) {
      await reach(page, dialog.getByLabel('Condition'));
      await page.keyboard.type('Signal');
      await reach(page, dialog.getByLabel('Fires when it is'));
      await page.keyboard.type('below');
      await write(page, dialog.getByLabel('Threshold (dBm)'), '-110');
    }
    await write(page, dialog.getByLabel('For how long, in minutes'), '30');
    await press(page, dialog.getByRole('button', { name: 'Save' }));
    await press(page, page.getByRole('button', { name: 'Save it anyway' }));
    await expect(dialog).toHaveCount(0);
  }
  await expect(rows(page).filter({ hasText: 'Lost' })).toContainText('Offline for longer than 30 min');
  await expect(rows(page).filter({ hasText: 'Weak' })).toContainText(/below .110 dBm/u);
});

test('task h: a new customer with three routers and an admin', async ({ page, tenant }) => {
  const name = `Customer ${tenant.mark}`;
  const email = `customer-${tenant.mark.toLowerCase()}@highline.example`;
  await tenant.routers(3, { claimed: false });
  await enter(page, tenant.users.main);
  await press(page, page.getByRole('link', { name: 'Add', exact: true }));
  await waitUntilLoaded(page);
  await write(page, page.getByLabel('Org name'), name);
  await write(page, page.getByLabel('Contact email'), email);
  await press(page, page.getByRole('button', { name: 'Continue', exact: true }));
  // Out of the stock: what the search finds, with a subscription of twelve months.
  await write(page, page.getByRole('searchbox'), `E2E-${tenant.mark}`);
  await expect(rows(page)).toHaveCount(3);
  await press(page, page.getByRole('checkbox', { name: 'Select all rows on this page' }), 'Space');
  await expect(page.getByText('3 routers selected')).toBeVisible();
  await press(page, page.getByRole('button', { name: '12 months' }));
  await press(page, page.getByRole('button', { name: 'Continue', exact: true }));
  await expect(page.locator('[aria-current="step"]')).toHaveText('3Summary');
  await press(page, page.getByRole('main').getByRole('button', { name: 'Add Org', exact: true }));
  await expect(rows(page).filter({ hasText: name })).toContainText(email);
  await expect.poll(async () => (await tenant.mailsTo(email)).length).toBe(1);
});

test('task i: where a vehicle is', async ({ page, tenant }) => {
  const [router] = await tenant.routers(1);
  // Positions have whole seconds: the first one may be older than the device by less than a second.
  await tenant.owner.query(
    `update router_ownership set owned_from = now() - interval '1 day' where router_id = (select router_id from devices where serial = $1)`,
    [router!.serial],
  );
  await tenant.fleet([router!], { home: [41.85, -87.65] }).whenAllConnected();
  // The page asks again after a minute only; a router without a position yet would be shown as such for longer than a test waits.
  const stored = 'select 1 from router_positions where router_id = (select router_id from devices where serial = $1)';
  await expect.poll(async () => (await tenant.owner.query(stored, [router!.serial])).rows.length).toBe(1);
  await tenant.owner.query(`update devices set vehicle_number = 'Snow Plow 12' where serial = $1`, [router!.serial]);
  await enter(page, tenant.users.admin);
  await find(page, 'snow plow 12');
  await press(page, page.getByRole('navigation', { name: 'Parts of this device' }).getByRole('link', { name: 'Location' }));
  await expect(page.getByRole('region', { name: 'Last position' })).toContainText(/41\.\d+, -87\.\d+/u);
});
