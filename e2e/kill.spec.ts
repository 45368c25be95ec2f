import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { addDemoRouters, signInToDemo } from '@highline/testkit/calls';
import { type FleetHandle, startFleet } from '@highline/testkit/router';
import { type ServerProcess, startServerProcess } from '@highline/testkit/server';
import { expect, rows, waitUntilLoaded, test } from './fixtures.ts';
import { INDEFINITE_MS } from './tenant.ts';

// A server of this file only, on its own PostgreSQL, with routers in this process and a user who watches and writes.

const ROUTERS = 5;
const identities = Array.from({ length: ROUTERS }, (_, index) => ({ serial: `CRASH${100 + index}`, mac: `00B2D0C0FF0${index}` }));
const serials = identities.map(({ serial }) => serial);

let folder: string;
let server: ServerProcess;
let fleet: FleetHandle;
let admin: { id: string; vap: string };

// While nothing answers, the browser notes it.
test.use({ expectedNotes: [/Failed to load resource: the server responded with a status of 50[023]/u] });

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highline-e2e-kill-'));
  server = await startServerProcess(folder, 10);
  admin = await signInToDemo(server.url, 'admin');
  const main = await signInToDemo(server.url, 'main');
  const { secrets } = await addDemoRouters(server.url, { main: main.vap, admin: admin.vap }, identities);
  fleet = startFleet({
    server: server.url.replace('http', 'ws'),
    routers: identities.map((router) => ({ ...router, secret: secrets.get(router.serial)!, model: 'HL-R320' })),
    timing: { silenceMs: 12_000, backoff: { minMs: 200, maxMs: 1_500, rejectedMs: 2_000, serverRestartMs: 1_000 } },
  });
  await fleet.whenAllConnected();
});

test.afterAll(async () => {
  await fleet?.stop();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const row = (page: Page, serial: string) => rows(page).filter({ hasText: serial });
const online = (page: Page) => rows(page).filter({ hasText: /Online/u });

/** Press Save, and wait for the server's confirmation. */
async function save(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Save' });
  const [result] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'PATCH'),
    button.click(),
  ]);
  expect(result.status()).toBe(200);
  await expect(button).toHaveAttribute('aria-disabled', 'true');
}

/** Open a device from the list, write a note and save it. */
async function writeNote(page: Page, serial: string, note: string): Promise<void> {
  await row(page, serial).press('Enter');
  await waitUntilLoaded(page);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByLabel('Notes').fill(note);
  await save(page);
}

/** From any tab of a device. */
async function toList(page: Page): Promise<void> {
  await page.goBack();
}

async function watchList(page: Page): Promise<void> {
  await page.goto(`${server.url}/devices/list?search=CRASH&size=10&sort=serial&id=${admin.id}&vap=${admin.vap}`);
  await waitUntilLoaded(page);
  await expect(online(page)).toHaveCount(ROUTERS);
  await expect(page.getByText(/ · live/u)).toBeVisible();
  await page.evaluate(() => Object.assign(window, { stayed: true }));
}

/** The page recovered without a reload: it is the one that was opened before. */
async function expectSamePage(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'stayed' in window)).toBe(true);
}

test('kill -9 of the server: the console recovers, saved data is there, every router is online again', async ({ page }) => {
  test.slow();
  await watchList(page);
  await writeNote(page, serials[0]!, 'saved before the kill');
  await server.kill();
  await expect(page.getByLabel('Notes')).toHaveValue('saved before the kill');
  // A user who writes meanwhile sees the failure and keeps the input.
  await page.getByLabel('Notes').fill('written while it was down');
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Error Message');
  await expect(dialog).toContainText('Cannot reach the server. What you typed is kept; try again.');
  await dialog.getByRole('button', { name: 'OK' }).click();
  // This one lost its power too, so its state is unknown until its window is over.
  const dark = fleet.routers.get(serials[4]!)!;
  dark.powerCut(INDEFINITE_MS);
  await server.start();
  await expect(page.getByLabel('Notes')).toHaveValue('written while it was down');
  await save(page);
  await toList(page);
  await expect(row(page, serials[0]!)).toContainText('written while it was down');
  await expect(online(page)).toHaveCount(ROUTERS - 1, { timeout: 90_000 });
  await expect(row(page, serials[4]!)).toContainText('Offline', { timeout: 90_000 });
  await expect(page.getByText(/ · live/u)).toBeVisible({ timeout: 90_000 });
  dark.reboot();
  await expect(online(page)).toHaveCount(ROUTERS, { timeout: 90_000 });
  await expectSamePage(page);
});
