import type { Locator, Page } from '@playwright/test';
import { findSsh } from '../scripts/machine.mjs';
import { enter, expect, expectAccessible, waitUntilLoaded, test } from './fixtures.ts';
import { watchInbound } from './inbound.ts';
import { type SshCredentials, visitBySsh } from './stock-ssh.ts';
import type { Tenant, TenantRouter } from './tenant.ts';

const EXISTS = 'A remote connection exists. Cancel the connection to build a new connection.';

async function deviceOf(tenant: Tenant, { serial }: TenantRouter): Promise<string> {
  const { rows } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [serial]);
  return rows[0]!.id;
}

const connectButton = (page: Page) => page.getByRole('button', { name: 'Connect', exact: true });
const dialogOf = (page: Page) => page.getByRole('dialog');
const active = (page: Page) => page.getByRole('region', { name: 'Remote connection' });

/** Connect, a way, Next. */
async function connect(page: Page, way: 'SSH' | 'Web GUI (HTTPS)'): Promise<void> {
  await connectButton(page).click();
  await dialogOf(page).getByLabel(way).check();
  await dialogOf(page).getByRole('button', { name: 'Next' }).click();
}

/** A value that the dialog shows. */
const shownValue = (dialog: Locator, name: string) =>
  dialog.locator('dt', { hasText: name }).locator('xpath=following-sibling::dd').locator('code').innerText();

async function credentialsIn(dialog: Locator): Promise<SshCredentials> {
  return {
    host: await shownValue(dialog, 'IP'),
    port: await shownValue(dialog, 'Port'),
    username: await shownValue(dialog, 'Username'),
    password: await shownValue(dialog, 'Password'),
  };
}

test('RMT-01 RMT-03 RMT-04 RMT-07 a stock ssh and a browser reach a router by credentials that are shown once; one connection at a time', async ({
  page,
  browser,
  tenant,
}) => {
  test.skip(findSsh() === undefined, 'no ssh (apt-get install openssh-client)');
  const inbound = watchInbound();
  const [router] = await tenant.routers(1);
  await tenant.fleet([router!]).whenAllConnected();
  const address = `/devices/setting?device=${await deviceOf(tenant, router!)}`;
  await enter(page, tenant.users.admin, address);
  await connect(page, 'SSH');
  const shell = page.getByRole('dialog', { name: `SSH to ${router!.serial}` });
  await expect(shell.getByRole('timer')).toHaveText(/^0[45]:\d\d$/u);
  const credentials = await credentialsIn(shell);
  await expect(shell).toContainText(`ssh -p ${credentials.port} ${credentials.username}@${credentials.host}`);
  await expectAccessible(page);
  const kept = await page.evaluate(() => [location.href, localStorage, sessionStorage].map((storage) => JSON.stringify(storage)));
  expect(kept.join(' ')).not.toContain(credentials.password);
  const visit = await visitBySsh(credentials);
  await expect.poll(visit.output).toContain(`${router!.serial}# `);
  visit.type('status\n');
  await expect.poll(visit.output).toContain('Supply voltage');

  // Each way to close needs a confirmation every time, because the credentials cannot be shown again.
  const question = page.getByRole('alertdialog', { name: 'Close this dialog?' });
  const ways = [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 5),
    () => shell.getByRole('button', { name: 'Done' }).click(),
    () => page.keyboard.press('Escape'),
  ];
  for (const close of ways) {
    await close();
    await expect(question).toContainText('The credentials cannot be retrieved again.');
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await expect(shell.getByRole('timer')).toBeVisible();
  }

  // A colleague sees the active connection and cannot connect; one with an outdated page gets a message, and may end it.
  const colleague = await (await browser.newContext({ baseURL: tenant.server.url, reducedMotion: 'reduce' })).newPage();
  await enter(colleague, await tenant.person('admin'), address);
  await expect(active(colleague)).toContainText(`SSH · opened by ${tenant.users.admin.email}`);
  await expect(connectButton(colleague)).toHaveAttribute('aria-disabled', 'true');
  await expect(connectButton(colleague)).toHaveAccessibleDescription(/A remote connection is active/u);
  await colleague.route('**/dm/device/connection?*', (route) => route.fulfill({ json: { result: null } }));
  await colleague.reload();
  await waitUntilLoaded(colleague);
  await connectButton(colleague).click();
  await colleague.unroute('**/dm/device/connection?*');
  await dialogOf(colleague).getByRole('button', { name: 'Next' }).click();
  const exists = colleague.getByRole('alertdialog', { name: 'Connection Exists' });
  await expect(exists).toContainText(EXISTS);
  await expect(exists).toContainText(tenant.users.admin.email);
  await exists.getByRole('button', { name: 'Cancel Connection' }).click();
  expect(await visit.ended).not.toBe(0);
  await expect(shell).toContainText('The connection has ended.');
  await shell.getByRole('button', { name: 'Done' }).click();
  await expect(shell).toHaveCount(0);
  await expect(active(page)).toHaveCount(0);

  // The colleague takes the router's own pages, in a tab of their own that cannot reach back, and changes something there.
  await expect(connectButton(colleague)).not.toHaveAttribute('aria-disabled', 'true');
  const opening = colleague.context().waitForEvent('page');
  await connect(colleague, 'Web GUI (HTTPS)');
  const tab = await opening;
  const gui = colleague.getByRole('dialog', { name: `Web GUI of ${router!.serial}` });
  await expect(gui).toContainText("The router's page opened in a new tab.");
  await expect(gui.locator('dt')).toHaveText(['Username', 'Password']);
  expect(await tab.evaluate(() => [window.opener, document.referrer])).toEqual([null, '']);
  await expect(gui.getByRole('link', { name: 'Open web page' })).toHaveAttribute('href', tab.url().replace(/[^/]*$/u, ''));
  await tab.getByLabel('Username').fill(await shownValue(gui, 'Username'));
  await tab.getByLabel('Password').fill(await shownValue(gui, 'Password'));
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await expect(tab.getByRole('status')).toHaveText('Live');
  await expect(tab.getByText(router!.serial).first()).toBeVisible();
  await tab.getByRole('link', { name: 'Settings' }).click();
  await tab.getByLabel('Vehicle name').fill(`Bus ${tenant.mark}`);
  await tab.getByRole('button', { name: 'Save' }).click();
  await expect(tab.getByRole('status')).toBeVisible();
  await tab.reload();
  await expect(tab.getByLabel('Vehicle name')).toHaveValue(`Bus ${tenant.mark}`);

  // Closing the dialog keeps the connection until it is cancelled.
  await gui.getByRole('button', { name: 'Done' }).click();
  const sure = colleague.getByRole('alertdialog', { name: 'Close this dialog?' });
  await expect(sure).toContainText('The credentials cannot be retrieved again.');
  await sure.getByRole('button', { name: 'Close' }).click();
  await expect(gui).toHaveCount(0);
  await expect(active(colleague)).toContainText('Web GUI (HTTPS) · opened by you');
  await expectAccessible(colleague);
  await active(colleague).getByRole('button', { name: 'Cancel Connection' }).click();
  await expect(active(colleague)).toHaveCount(0);
  expect((await tab.reload())?.status()).toBe(410);

  // All that came to the router's services came from the router itself: it is reached only by connections that it made.
  expect(inbound.count).toBeGreaterThan(1);
  expect(inbound.fromOutside()).toEqual([]);
  inbound.stop();
  await colleague.context().close();
});
