import { join } from 'node:path';
import { remoteAccess } from '@highline/contract';
import type { Locator, Page } from '@playwright/test';
import { type CommandDef, createModel, type Model, type ObjectDef, routerObjects } from '@highline/testkit/router';
import type { OperationOutcome } from '@highline/usp';
import { isPortClosed, openRemoteFixture } from '@highline/testkit/remote-access';
import { findSsh } from '../scripts/machine.mjs';
import { root } from '../scripts/toolchain.mjs';
import { enter, expect, expectAccessible, waitUntilLoaded, test } from './fixtures.ts';
import { watchInbound } from './inbound.ts';
import { type SshCredentials, visitBySsh } from './stock-ssh.ts';
import type { Tenant, TenantRouter } from './tenant.ts';

// A router that rejects the session is a server-side failure; the dialog reports it.
test.use({ expectedNotes: [/Failed to load resource: the server responded with a status of 502/u] });

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

async function expectError(page: Page, title: string, text: string): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: title });
  await expect(dialog).toContainText(text);
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(dialog).toHaveCount(0);
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

/** The default router, with different answers to these operations. */
function modelWith(commands: NonNullable<ObjectDef['commands']>): Model {
  return createModel(
    routerObjects.map((object) => {
      const changed = Object.entries(commands).filter(([name]) => object.commands?.[name] !== undefined);
      return { ...object, ...(changed.length > 0 && { commands: { ...object.commands, ...Object.fromEntries(changed) } }) };
    }),
  );
}

function command(inputs: readonly string[], run: () => OperationOutcome): CommandDef {
  return { kind: 'CMD_SYNC', inputs, outputs: [], run };
}

test('RMT-05 RMT-06 each reason for a failed connection is shown in a dialog; a password is reset, or the dialog reports the failure', async ({
  page,
  tenant,
}) => {
  const rejecting = (...inputs: string[]) =>
    command(inputs, () => ({ type: 'cmd_failure', errCode: 7022, errMsg: 'Locked by the depot.' }));
  const lockedModel = modelWith({
    'PasswordReset()': rejecting(),
    'X_HIGHLINE_OpenTunnel()': rejecting('Address', 'User', 'Secret', 'HostKey', 'Service'),
  });
  let resets = 0;
  const counted = command([], () => {
    resets += 1;
    return { type: 'req_output_args', outputArgs: new Map() };
  });
  const [offline, good, locked] = await tenant.routers(3);
  const [expired] = await tenant.routers(1, { expired: '02/01/2026' });
  await Promise.all([
    tenant.fleet([good!, expired!], {}, { model: modelWith({ 'PasswordReset()': counted }) }).whenAllConnected(),
    tenant.fleet([locked!], {}, { model: lockedModel }).whenAllConnected(),
  ]);
  await enter(page, tenant.users.admin);
  const open = async (router: TenantRouter | undefined) => {
    await page.goto(`/devices/setting?device=${await deviceOf(tenant, router!)}&tab=diagnostics`);
    await waitUntilLoaded(page);
  };
  // A page that does not know it yet: it shows the router as connected and subscribed.
  const openStale = async (router: TenantRouter | undefined) => {
    await page.route('**/dm/device?*', async (route) => {
      const answer = await route.fetch();
      const { result } = (await answer.json()) as { result: object };
      const json = { result: { ...result, presence: 'online', presence_since: 0, subscription_status: 'In Warranty' } };
      await route.fulfill({ response: answer, json });
    });
    await open(router);
    await expect(connectButton(page)).not.toHaveAccessibleDescription(/./u);
  };
  const reset = async () => {
    await page.getByRole('button', { name: 'Reset PWD' }).click();
    const question = page.getByRole('alertdialog', { name: 'Reset PWD' });
    await expect(question).toContainText('Reset the admin login of');
    await question.getByRole('button', { name: 'Reset', exact: true }).click();
  };
  const impossible = 'The password cannot be reset because the device is offline or the subscription has expired.';
  for (const [router, why] of [
    [offline, 'The connection cannot be built because the device is offline.'],
    [expired, 'The connection cannot be built because the subscription has expired.'],
  ] as const) {
    // A page that knows it: the tooltip says so before, and the dialog after the press.
    await open(router);
    await expect(connectButton(page)).toHaveAccessibleDescription(why);
    await connectButton(page).click();
    await expectError(page, 'Connection Error', why);
    const resetButton = page.getByRole('button', { name: 'Reset PWD' });
    await expect(resetButton).toHaveAccessibleDescription(impossible);
    await resetButton.click();
    await expectError(page, 'Connection Error', impossible);
    await openStale(router);
    await connect(page, 'SSH');
    await expectError(page, 'Connection Error', why);
    await reset();
    await expectError(page, 'Connection Error', impossible);
    await page.unroute('**/dm/device?*');
  }
  expect(resets).toBe(0);
  await open(locked);
  await connect(page, 'SSH');
  await expectError(page, 'Connection Error', 'Locked by the depot.');
  await reset();
  await expectError(page, 'Reset PWD', 'Password reset failed');

  await open(good);
  await reset();
  await expectError(page, 'Reset PWD', "The device's admin login credentials have been reset to default.");
  expect(resets).toBe(1);
});

test('RMT-02 credentials count down from 05:00 each second; at zero the dialog reports that they expired, the router has deleted them and the port is closed', async ({
  page,
}) => {
  test.skip(findSsh() === undefined, 'no ssh (apt-get install openssh-client)');
  // By this server's clock the five minutes have all but passed already, so its end and the router's can be waited for.
  const credentialMs = 20_000;
  const ahead = remoteAccess.CREDENTIAL_SECONDS * 1_000 - credentialMs;
  const tenant = await openRemoteFixture({
    clock: { now: () => new Date(Date.now() + ahead) },
    consoleFolder: join(root, 'apps/console/dist'),
    remote: { credentialMs },
  });
  try {
    const { id, serial } = await tenant.device();
    await page.clock.install();
    const admin = { id: tenant.adminId, email: '', bearer: tenant.bearer };
    await enter(page, admin, `${tenant.server.url}/devices/setting?device=${id}`);
    await connect(page, 'SSH');
    const shell = page.getByRole('dialog', { name: `SSH to ${serial}` });
    const left = shell.getByRole('timer');
    await expect(left).toHaveText(/^(?:05:00|04:[45]\d)$/u);
    const credentials = await credentialsIn(shell);
    const visit = await visitBySsh(credentials);
    await expect.poll(visit.output).toContain(`${serial}# `);

    const seconds = async () => {
      const [minutes = 0, rest = 0] = (await left.innerText()).split(':').map(Number);
      return minutes * 60 + rest;
    };
    const running = await seconds();
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 5_000));
    // The page draws a new second a little after its clock says so.
    await expect.poll(seconds).toBeLessThanOrEqual(running - 4);
    const before = await seconds();
    for (const ticks of [1, 2, 3]) {
      await page.clock.runFor(1_000);
      await expect.poll(seconds).toBe(before - ticks);
    }
    await page.clock.runFor((before - 4) * 1_000);
    // The page was paused somewhere within a second.
    await expect(left).toHaveText(/^00:0[12]$/u);
    await page.clock.runFor(2_000);
    await expect(shell.getByRole('alert')).toContainText('The credentials have expired.');
    await expect(shell.locator('code')).toHaveCount(0);

    await expect.poll(() => isPortClosed(Number(credentials.port)), { timeout: 90_000 }).toBe(true);
    const lateClient = await visitBySsh(credentials);
    expect(await lateClient.ended).not.toBe(0);
    expect(lateClient.output()).toContain('Connection refused');
    // A signed-in session continues, and shows the router's output.
    visit.type('show log\n');
    await expect.poll(visit.output).toMatch(/the credentials (?:have expired|were withdrawn)/u);
    await page.clock.resume();
    await shell.getByRole('button', { name: 'Cancel Connection' }).click();
    expect(await visit.ended).not.toBe(0);
    await expect(page.getByText('The connection was ended.')).toBeVisible();
    await expect(connectButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  } finally {
    await page.goto('about:blank');
    await tenant.close();
  }
});
