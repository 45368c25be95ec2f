import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { type FleetHandle, startFleet } from '@highline/testkit/router';
import { freePort } from '@highline/testkit/server';
import { createTestDatabase, type TestDatabase } from '@highline/testkit/database';
import { node24, root } from '../scripts/toolchain.mjs';
import { expect, expectAccessible, leave, rows, waitUntilLoaded, test } from './fixtures.ts';
import { PASSWORD } from './tenant.ts';

// A new installation in production mode, on an empty database, and then its first customer.

const ROUTERS = [1, 2, 3].map((number) => ({ serial: `FIRST-00${number}`, mac: `00B2D0F1A00${number}` }));

let folder: string;
let database: TestDatabase;
let server: ChildProcess;
let url: string;
let printed = '';
let fleet: FleetHandle | undefined;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highline-e2e-set-up-'));
  database = await createTestDatabase();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  server = spawn(node24(), ['--disable-warning=ExperimentalWarning', join(root, 'apps/server/src/main.ts'), 'serve'], {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: url,
      HIGHLINE_DATA_DIR: folder,
      HIGHLINE_MASTER_KEY: randomBytes(32).toString('base64'),
      SMTP_URL: 'none',
      DATABASE_URL: database.ownerUrl,
      DATABASE_SERVE_URL: database.serveUrl,
      LOG_LEVEL: 'fatal',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  server.stderr!.on('data', (chunk: Buffer) => (printed += chunk.toString()));
});

test.afterAll(async () => {
  await fleet?.stop();
  const gone = new Promise((resolve) => {
    server.once('exit', resolve);
  });
  if (server.exitCode === null) {
    server.kill('SIGTERM');
    await gone;
  }
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

test('a new installation is set up by the printed link, once, and its first person signs in', async ({ page }) => {
  await expect.poll(() => /https?:\/\/\S+setup=\S+/u.exec(printed)?.[0]).toBeTruthy();
  const link = /https?:\/\/\S+setup=\S+/u.exec(printed)![0];
  await page.goto(link);
  // The secret stays in no history.
  await expect(page).toHaveURL(`${url}/account.html`);
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByText('Fill in this field').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Company').fill('Transit');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Email address').fill('Ada@Transit.example');
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repeat the new password').fill(`${PASSWORD}!`);
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByText('The passwords do not match.')).toBeVisible();
  await page.getByLabel('Repeat the new password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByText('Highline is set up. You can sign in now.')).toBeVisible();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/login/u);
  const frame = page.frameLocator('iframe');
  await frame.getByLabel('Email address').fill('ada@transit.example');
  await frame.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await frame.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/organization/u);
  await waitUntilLoaded(page);
  await expect(page.locator('header.header')).toContainText('Transit');

  await leave(page);
  await page.goto(link);
  await page.getByLabel('Company').fill('Another company');
  await page.getByLabel('Your name').fill('Eve');
  await page.getByLabel('Email address').fill('eve@elsewhere.example');
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repeat the new password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByRole('alert')).toContainText('This link has expired or was already used.');
});

/** The link of the newest email to an address, from the outbox. */
async function mailedLink(email: string): Promise<string> {
  const outbox = join(folder, 'outbox');
  const read = async (): Promise<string | undefined> => {
    const names = await readdir(outbox).catch(() => []);
    const mails = await Promise.all(
      names.filter((name) => name.endsWith('.eml')).map((name) => readFile(join(outbox, name), 'utf8')),
    );
    const mine = mails.findLast((mail) => mail.includes(`To: ${email}`));
    // Long lines of an email are wrapped, with soft line breaks.
    return /https?:\/\/[^\s"<]+/u.exec(mine?.replaceAll('=\n', '').replaceAll('=3D', '=') ?? '')?.[0];
  };
  await expect.poll(read).toBeTruthy();
  return (await read())!;
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${url}/login`);
  const frame = page.frameLocator('iframe');
  await frame.getByLabel('Email address').fill(email);
  await frame.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await frame.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).not.toHaveURL(/\/login/u);
  await waitUntilLoaded(page);
}

/** The invited person opens the email's link, sets a password and is signed in, in a separate browser. */
async function accept(browser: Browser, email: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(await mailedLink(email));
  await expect(page.getByRole('heading', { name: 'Welcome to Highline' })).toBeVisible();
  const fields = page.locator('input[type=password]');
  await fields.nth(0).fill(PASSWORD);
  await fields.nth(1).fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  // Accepting signs in.
  await expect(page).not.toHaveURL(/account\.html/u);
  await waitUntilLoaded(page);
  return page;
}

/** Three routers in the inventory, from a CSV; their secrets are shown once. */
async function stock(page: Page): Promise<ReadonlyMap<string, string>> {
  const lines = ['SN,MAC', ...ROUTERS.map(({ serial, mac }) => `${serial},${mac}`)];
  const response = await page.request.post(`${url}/data_manager/v1/dm/inventory/batch`, {
    headers: { origin: url },
    multipart: { file: { name: 'routers.csv', mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\n')}\n`) } },
  });
  expect(response.status()).toBe(200);
  const { result } = (await response.json()) as { result: { minted: { serial: string; secret: string }[] } };
  return new Map(result.minted.map(({ serial, secret }) => [serial, secret]));
}

async function addOrganization(page: Page, name: string, contact: string, file?: string): Promise<void> {
  await page.goto(`${url}/organization`);
  await page.getByRole('link', { name: 'Add', exact: true }).click();
  await page.getByLabel('Org name').fill(name);
  await page.getByLabel('Contact email').fill(contact);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  if (file !== undefined) {
    await page.getByRole('button', { name: 'CSV file', exact: true }).click();
    await page.setInputFiles('input[type=file]', { name: 'routers.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
    await expect(page.getByText('3 of 3 rows can be added.')).toBeVisible();
  }
  await page.getByRole('button', { name: file === undefined ? 'Skip' : 'Continue', exact: true }).click();
  await page.getByRole('button', { name: 'Add Org', exact: true }).click();
  await expect(rows(page).filter({ hasText: name })).toBeVisible();
}

test('ORG-03-partial USR-02-partial OGL-04-partial the first customer: its admin accepts, sees its routers come online, invites a user with read access, and loses a router that is transferred away', async ({
  page,
  browser,
}) => {
  await signIn(page, 'ada@transit.example');
  const secrets = await stock(page);
  const file = ['SN,MAC', ...ROUTERS.map(({ serial, mac }) => `${serial},${mac}`)].join('\n');
  await addOrganization(page, 'Harbour Line', 'kim@harbour.example', `${file}\n`);
  await addOrganization(page, 'Hill Line', 'lee@hill.example');

  const kim = await accept(browser, 'kim@harbour.example');
  await expect(kim).toHaveURL(/\/dashboard/u);
  await kim.goto(`${url}/devices/list?sort=serial`);
  await expect(rows(kim)).toHaveCount(3);
  await expect(rows(kim).filter({ hasText: 'Online' })).toHaveCount(0);
  fleet = startFleet({
    server: url.replace('http', 'ws'),
    routers: ROUTERS.map((router) => ({ ...router, secret: secrets.get(router.serial)!, model: 'HL-R520 5G' })),
    timing: { silenceMs: 12_000, backoff: { minMs: 200, maxMs: 1_000, rejectedMs: 2_000, serverRestartMs: 1_000 } },
  });
  await expect(rows(kim).filter({ hasText: 'Online' })).toHaveCount(3);

  await kim.goto(`${url}/users/add`);
  await kim.getByLabel('Username').fill('Noor');
  await kim.getByLabel('Email').fill('noor@harbour.example');
  await kim.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(kim).toHaveURL(/\/users(\?|$)/u);
  const noor = await accept(browser, 'noor@harbour.example');
  await noor.goto(`${url}/devices/list`);
  await expect(rows(noor)).toHaveCount(3);
  await expect(noor.getByRole('link', { name: 'Add', exact: true })).toHaveCount(0);
  await expect(noor.getByRole('button', { name: 'Delete', exact: true })).toHaveAttribute('aria-disabled', 'true');
  await noor.goto(`${url}/users`);
  await expect(noor.getByRole('heading', { level: 1, name: 'Your role may not open this page' })).toBeVisible();

  await kim.goto(`${url}/devices/list?sort=serial`);
  await expect(rows(kim)).toHaveCount(3);
  await page.goto(`${url}/devices/orgList?sort=serial`);
  await waitUntilLoaded(page);
  await page.getByRole('button', { name: 'Transfer / Delete' }).click();
  await rows(page).filter({ hasText: ROUTERS[0]!.serial }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Transfer(1)' }).click();
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  await dialog.getByRole('option', { name: 'Hill Line' }).click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('button', { name: 'Yes' }).click();
  await dialog.getByRole('textbox').fill('TRANSFER');
  await dialog.getByRole('button', { name: 'Transfer', exact: true }).click();
  await expect(dialog).toHaveCount(0);

  // The open page of the admin has lost it, without a click.
  await expect(rows(kim)).toHaveCount(2);
  await expect(rows(kim).filter({ hasText: ROUTERS[0]!.serial })).toHaveCount(0);
  const lee = await accept(browser, 'lee@hill.example');
  await lee.goto(`${url}/devices/list`);
  await expect(rows(lee).filter({ hasText: ROUTERS[0]!.serial })).toContainText('Online');
  for (const visitor of [kim, noor, lee]) await visitor.context().close();
});
