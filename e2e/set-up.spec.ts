import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../apps/server/src/testing/process.ts';
import { createTestDatabase, type TestDatabase } from '../apps/server/src/testing.ts';
import { node24, root } from '../scripts/toolchain.mjs';
import { expect, expectAccessible, settled, test } from './fixtures.ts';
import { PASSWORD } from './world.ts';

// A new installation, in production's own mode, on a database that holds nobody.

let folder: string;
let database: TestDatabase;
let server: ChildProcess;
let url: string;
let printed = '';

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
  await expect.poll(() => /https?:\/\/\S+setup=\S+/u.exec(printed)?.[0], { timeout: 40_000 }).toBeTruthy();
  const link = /https?:\/\/\S+setup=\S+/u.exec(printed)![0];
  await page.goto(link);
  // The secret stays in no history.
  await expect(page).toHaveURL(`${url}/account.html`);
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByText('Please fill this in').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Company').fill('Transit');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('E-mail address').fill('Ada@Transit.example');
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repeat the new password').fill(`${PASSWORD}!`);
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByText('The two passwords are not the same.')).toBeVisible();
  await page.getByLabel('Repeat the new password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByText('Highline is set up. You can sign in now.')).toBeVisible();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/login/u);
  const frame = page.frameLocator('iframe');
  await frame.getByLabel('E-mail address').fill('ada@transit.example');
  await frame.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await frame.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/organization/u);
  await settled(page);
  await expect(page.locator('header.header')).toContainText('Transit');

  await page.context().clearCookies();
  await page.goto(link);
  await page.getByLabel('Company').fill('Somebody else');
  await page.getByLabel('Your name').fill('Eve');
  await page.getByLabel('E-mail address').fill('eve@elsewhere.example');
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repeat the new password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByRole('alert')).toContainText('This link has expired or was used already.');
});
