import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { COMMITTED, enter, expect, leave, rows, waitUntilLoaded, test } from './fixtures.ts';

// Untrusted input: messages of other windows, addresses, names and files crafted to do harm.

const script = '<script>window.hacked=1</script><img src=x onerror=hacked=1>';
const formula = `=HYPERLINK("http://evil.example","x")`;
const backwards = '\u{202e}gnp.exe\u{2066}';
const emoji = '🚌👩🏽‍🚒🇹🇼 \u{0}'.replace('\u{0}', '');

test.beforeEach(async ({ page }) => {
  page.on('dialog', (dialog) => {
    expect(dialog.type(), 'no script of a name may run').toBe('beforeunload');
    void dialog.accept();
  });
});

async function expectInert(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
  expect(scrollWidth).toBe(clientWidth);
}

test('AUTH-03-partial of all login messages only the one of the frame, from its origin, signs in', async ({ page, tenant }) => {
  const { admin } = tenant.users;
  const sessions: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/console/session')) sessions.push(request.postData() ?? '');
  });
  await page.goto('/login');
  await expect(page.frameLocator('iframe').getByLabel('Email address')).toBeVisible();
  await page.evaluate(() => Object.assign(window, { stayed: true }));
  const message = { type: 'login', id: admin.id, vap: admin.bearer };

  // Another window, of our own origin: its message really travels, and arrives.
  const popup = page.waitForEvent('popup');
  await page.evaluate(() => window.open('/error_acc_invalid.html'));
  const other = await popup;
  await other.waitForLoadState();
  const arrived = page.evaluate(() => new Promise((resolve) => addEventListener('message', () => resolve(true), { once: true })));
  const opener = await other.evaluate(() => window.opener !== null);
  if (opener) await other.evaluate((data) => (window.opener as Window).postMessage(data, '*'), message);
  else await page.evaluate((data) => window.postMessage(data, '*'), message);
  expect(await arrived).toBe(true);
  await other.close();

  const post = (origin: string, from: 'frame' | 'window', data: unknown) =>
    page.evaluate(
      ([where, who, what]) => {
        const source = who === 'frame' ? document.querySelector('iframe')!.contentWindow : window;
        dispatchEvent(new MessageEvent('message', { origin: where, source, data: what }));
      },
      [origin, from, data] as const,
    );
  const ours = new URL(page.url()).origin;
  await post('https://evil.example', 'frame', message);
  await post(ours.replace('127.0.0.1', 'localhost'), 'frame', message);
  await post('null', 'frame', message);
  await post(ours, 'window', message);
  await post('https://evil.example', 'frame', { type: 'invalid-account' });
  for (const odd of [null, 'login', { type: 'login' }, { type: 'login', id: 1, vap: 2 }, { ...message, type: 'other' }])
    await post(ours, 'frame', odd);
  expect(await page.evaluate(() => 'stayed' in window)).toBe(true);
  expect(sessions).toEqual([]);

  await post(ours, 'frame', message);
  await expect(page).toHaveURL(/\/dashboard$/u);
  await waitUntilLoaded(page);
  // The whole app was reloaded, and only one message was accepted.
  expect(await page.evaluate(() => 'stayed' in window)).toBe(false);
  expect(sessions).toHaveLength(1);
});

test('AUTH-01-partial a foreign or scripted hand-over does not sign in and leaves nothing in the address', async ({
  page,
  tenant,
  context,
}) => {
  for (const query of [
    `id=${encodeURIComponent(script)}&vap=${encodeURIComponent(script)}`,
    `id=${tenant.users.user.id}&vap=${tenant.users.admin.bearer}`,
    `id=${tenant.users.admin.id}&vap=`,
  ]) {
    await page.goto(`/devices/list?${query}`, COMMITTED);
    await expect(page).toHaveURL(/\/login/u);
    expect(page.url()).not.toContain('vap=');
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('vap');
    await expectInert(page);
  }
  for (const next of ['//evil.example/', '/\\evil.example', 'https://evil.example/', 'javascript:window.hacked=1']) {
    await page.goto(`/login?next=${encodeURIComponent(next)}`);
    await expect(page.frameLocator('iframe').getByLabel('Email address')).toBeVisible();
    await page.evaluate(
      (data) =>
        dispatchEvent(
          new MessageEvent('message', {
            origin: location.origin,
            source: document.querySelector('iframe')!.contentWindow,
            data,
          }),
        ),
      { type: 'login', id: tenant.users.admin.id, vap: tenant.users.admin.bearer },
    );
    await expect(page).toHaveURL(new RegExp(`^${tenant.server.url}/dashboard$`, 'u'));
    await leave(page);
  }
});

test('a signed-in user confirms before another account handed over replaces the session', async ({ page, tenant }) => {
  await enter(page, tenant.users.admin, '/dashboard');
  const { user } = tenant.users;
  await page.goto(`/devices/list?id=${user.id}&vap=${user.bearer}`);
  await expect(page.getByText(`Continue as ${user.email} instead of ${tenant.users.admin.email}?`)).toBeVisible();
  expect(page.url()).not.toContain(user.bearer);
  await page.getByRole('button', { name: 'No' }).click();
  await waitUntilLoaded(page);
  await page.getByRole('button', { name: 'Account' }).click();
  await expect(page.getByText(tenant.users.admin.email)).toBeVisible();
  await page.goto(`/devices/list?id=${user.id}&vap=${user.bearer}`);
  await page.getByRole('button', { name: 'Yes' }).click();
  await expect(page).toHaveURL(/\/devices\/list$/u);
  await waitUntilLoaded(page);
  await page.getByRole('button', { name: 'Account' }).click();
  await expect(page.getByText(user.email)).toBeVisible();
});

test('names that are script, formula, right-to-left or emoji are shown unchanged, on every screen and in the CSV', async ({
  page,
  tenant,
}) => {
  // A form rejects what writes from right to left; names from before may have it.
  const names = [script, formula, backwards, emoji];
  const org = await tenant.seeding.organization(tenant.main, `${script} ${tenant.mark}`);
  for (const name of names) await tenant.seeding.group(org, name);
  const account = await tenant.seeding.account(org, `hostile-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const admin = { id: account, email: '', bearer: await tenant.seeding.bearer(account) };
  const routers = await tenant.routers(names.length, { org });
  for (const [index, name] of names.entries())
    await tenant.owner.query('update devices set vehicle_number = $1, note = $2 where serial = $3', [
      name,
      name,
      routers[index]!.serial,
    ]);
  // A router may report anything about itself.
  const fleet = tenant.fleet(routers.slice(0, 1), { model: 'M'.repeat(64), carrier: script.slice(0, 64), config: formula });
  await fleet.whenAllConnected();

  await enter(page, admin, '/devices/list?size=10&sort=serial');
  for (const [index, name] of names.entries()) {
    const cells = rows(page).nth(index).getByRole('cell', { name, exact: true });
    await expect(cells.first()).toBeVisible();
    const texts = () => rows(page).nth(index).locator('td').allTextContents();
    await expect.poll(async () => (await texts()).filter((text) => text === name)).toHaveLength(2);
  }
  await expect(rows(page).first()).toContainText('MMMM');
  await expectInert(page);
  await page.getByRole('button', { name: 'Filter by Group' }).click();
  for (const name of names) await expect(page.getByRole('option', { name, exact: true })).toBeVisible();
  await page.getByRole('option', { name: script, exact: true }).click();
  await waitUntilLoaded(page);
  await expectInert(page);
  await page.goto('/devices/list?sort=serial');
  await waitUntilLoaded(page);
  const text = await downloaded(page);
  // Nothing that a spreadsheet would run: every such cell begins with an apostrophe.
  expect(text).toContain(`"'=HYPERLINK(""http://evil.example"",""x"")"`);
  expect(text).not.toMatch(/(?:^|,)"?=/mu);
  expect(text).toContain(emoji.trim());
  await page.goto('/dashboard');
  await waitUntilLoaded(page);
  await expect(page.getByRole('button', { name: new RegExp(`^${script.slice(0, 8)}`, 'u') })).toBeVisible();
  await expectInert(page);
  const { rows: stored } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [
    routers[0]!.serial,
  ]);
  await page.goto(`/devices/setting?device=${stored[0]!.id}&tab=settings`);
  await waitUntilLoaded(page);
  await expect(page.getByLabel('Vehicle#')).toHaveValue(script);
  await expectInert(page);

  await leave(page);
  await enter(page, tenant.users.main, `/organization?search=${encodeURIComponent(script)}`);
  await expect(rows(page).first()).toContainText(script);
  await expectInert(page);
  await rows(page).first().getByRole('link').last().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(script);
  await expectInert(page);
});

test('10,000 characters are rejected with a clear message, and stay in the form', async ({ page, tenant }) => {
  const [router] = await tenant.routers(1);
  const { rows: stored } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [router!.serial]);
  await enter(page, tenant.users.admin, `/devices/setting?device=${stored[0]!.id}&tab=settings`);
  const endless = 'x'.repeat(10_000);
  await page.getByLabel('Vehicle#').evaluate((input) => input.removeAttribute('maxlength'));
  await page.getByLabel('Vehicle#').fill(endless);
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Error Message');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(page.getByLabel('Vehicle#')).toHaveValue(endless);
  await expectInert(page);
  await page.goto(`/devices/list?search=${endless.slice(0, 5_000)}`);
  await waitUntilLoaded(page);
  await expectInert(page);
});

test('an address that was made to do harm shows a list, and nothing else', async ({ page, tenant }) => {
  await enter(page, tenant.users.admin, '/dashboard');
  for (const query of [
    `search=${encodeURIComponent(script)}`,
    `group=${encodeURIComponent(script)}&carrier=${encodeURIComponent(script)}`,
    'sort=serial;drop table devices&page=-1&size=1e9&field=secret',
    'page=999999999',
  ]) {
    await page.goto(`/devices/list?${query}`);
    await waitUntilLoaded(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Devices');
    await expectInert(page);
  }
  await page.goto(`/devices/setting?device=${encodeURIComponent(`' or 1=1 --${script}`)}`);
  await waitUntilLoaded(page);
  await expect(page.getByText('This device no longer exists.')).toBeVisible();
  await expectInert(page);
});

test('a CSV that is invalid, has another header, is empty or has 50,000 wrong rows ends in a clear message', async ({
  page,
  tenant,
}) => {
  test.slow();
  await enter(page, tenant.users.admin, '/devices/add?method=import');
  const give = async (buffer: Buffer) => {
    await page.setInputFiles('input[type=file]', { name: 'devices.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
  };
  const expectRejected = async (text: RegExp) => {
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    await expect(dialog).toContainText(text);
    await dialog.getByRole('button', { name: /Close|OK/u }).click();
    await expect(dialog).toHaveCount(0);
    await page.goto('/devices/add?method=import');
  };
  const header = 'SN,MAC,Start Date,Expiry Date';
  await give(Buffer.from('Name,Colour\r\nx,red\r\n'));
  await expectRejected(/column|header|SN/iu);
  await give(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2, 0xff, 0xfe, 0, 0]));
  await expectRejected(/file|column|header|CSV/iu);
  await give(Buffer.from(`${header}\r\n`));
  await expectRejected(/row|empty|file/iu);
  const [reversed] = await tenant.routers(1, { claimed: false });
  await give(
    Buffer.from(
      `${header}\r\n${reversed!.serial},${reversed!.mac},12/31/2027,01/01/2026\r\n${reversed!.serial},${reversed!.mac},02/30/2026,01/01/2027\r\n`,
    ),
  );
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Successfully added: 0 of 2.');
  await expect(dialog).toContainText(`Row 2, ${reversed!.serial}: The expiry date must not be before the start date.`);
  await expect(dialog).toContainText(new RegExp(`Row 3, ${reversed!.serial}: .*Start Date`, 'u'));
  await page.goto('/devices/add?method=import');
  const lines = Array.from({ length: 50_000 }, (_, index) => `${formula.slice(0, 4)}${index},001122334455,01/01/2026,12/31/2027`);
  await give(Buffer.from(`${header}\r\n${lines.join('\r\n')}\r\n`));
  await expect(dialog).toContainText('Successfully added: 0 of 50,000.', { timeout: 60_000 });
  await expect(dialog).toContainText('and 49990 more');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download Report' }).click(),
  ]);
  const report = await readFile(await download.path(), 'utf8');
  expect(report.trim().split('\r\n').length).toBeGreaterThan(1_000);
  expect(report).not.toMatch(/(?:^|,)"?=/mu);
});

test('a day that does not exist, or an end before its start, is rejected at its field', async ({ page, tenant }) => {
  const [router] = await tenant.routers(1, { claimed: false });
  await enter(page, tenant.users.admin, '/devices/add?method=manual');
  const fill = async (started: string, expired: string) => {
    await page.getByLabel('Serial number').fill(router!.serial);
    await page.getByLabel('MAC address').fill(router!.mac);
    await page.getByLabel('Start Date').fill(started);
    await page.getByLabel('Expiry Date').fill(expired);
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
  };
  await fill('02/30/2026', '12/31/2026');
  await expect(page.getByText(/(Please enter the|Invalid) Start Date/u)).toBeVisible();
  await expect(page.getByLabel('Start Date')).not.toHaveValue('03/02/2026');
  await fill('13/45/2026', '99/99/9999');
  await expect(page.getByText(/(Please enter the|Invalid) Start Date/u)).toBeVisible();
  await expect(page.getByText(/(Please enter the|Invalid) Expiry Date/u)).toBeVisible();
  await fill('12/31/2026', '01/01/2026');
  await expect(page.getByText('The expiry date must not be before the start date.')).toBeVisible();
  const { rows: stored } = await tenant.owner.query('select 1 from devices where serial = $1', [router!.serial]);
  expect(stored).toEqual([]);
});

async function downloaded(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download(.csv)' }).click(),
  ]);
  return readFile(await download.path(), 'utf8');
}
