import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMITTED, enter, expect, expectAccessible, waitUntilLoaded, test } from './fixtures.ts';
import { PASSWORD } from './tenant.ts';

test('AUTH-01 a console opened with id and vap keeps both in cookies and takes them out of the address', async ({
  page,
  tenant,
  context,
}) => {
  const { admin } = tenant.users;
  await page.goto(`/devices/list?search=x&id=${admin.id}&vap=${admin.bearer}`);
  await waitUntilLoaded(page);
  expect(new URL(page.url()).pathname).toBe('/devices/list');
  expect(new URL(page.url()).search).toBe('?search=x');
  const cookies = new Map((await context.cookies()).map((cookie) => [cookie.name, cookie]));
  expect(cookies.get('id')).toMatchObject({ value: admin.id, httpOnly: false, sameSite: 'Lax' });
  expect(cookies.get('vap')).toMatchObject({ value: admin.bearer, httpOnly: true, sameSite: 'Lax' });
  expect(await page.evaluate(() => document.cookie)).not.toContain(admin.bearer);
});

test('AUTH-02 AUTH-03 a visitor is sent to /login, signs in inside the frame and lands at the root', async ({ page, tenant }) => {
  const person = await tenant.person('admin', PASSWORD);
  const requested = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/dmp_aa/api/v1/auth/login'),
  );
  await page.goto('/devices/list', COMMITTED);
  await expect(page).toHaveURL(/\/login/u);
  const { data } = (await (await (await requested).response())!.json()) as { data: string };
  const frame = page.frameLocator('iframe');
  await expect(page.locator('iframe')).toHaveAttribute('src', new RegExp(new URL(data).pathname, 'u'));
  await frame.getByLabel('Email address').fill(person.email);
  await frame.getByLabel('Password', { exact: true }).fill('wrong one entirely');
  await frame.getByRole('button', { name: 'Sign in' }).click();
  await expect(frame.getByText('Wrong email or password.')).toBeVisible();
  // Messages of another window, even of our own origin, and of another origin are not the frame's.
  await page.evaluate(() => window.postMessage({ type: 'login', id: 'x', vap: 'y' }, location.origin));
  await page.evaluate(() =>
    window.dispatchEvent(
      new MessageEvent('message', { origin: 'https://elsewhere.example', data: { type: 'login', id: 'x', vap: 'y' } }),
    ),
  );
  await expect(page).toHaveURL(/\/login/u);
  await frame.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await frame.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).not.toHaveURL(/\/login/u);
  await waitUntilLoaded(page);
});

test('an address with an e-mail address, as the directory of cells makes it, has it filled in and keeps it out of the history', async ({
  page,
}) => {
  await page.goto('/login#email=someone%2Bfleet%40example.com');
  const frame = page.frameLocator('iframe');
  await expect(frame.getByLabel('Email address')).toHaveValue('someone+fleet@example.com');
  await expect(frame.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(page).toHaveURL(/\/login$/u);
});

test('AUTH-04 an account without roles reads that permissions are missing, and may log out', async ({ page, tenant }) => {
  const person = await tenant.person('none', PASSWORD);
  await page.goto('/');
  const frame = page.frameLocator('iframe');
  await frame.getByLabel('Email address').fill(person.email);
  await frame.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await frame.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/error_acc_invalid\.html/u);
  await expect(page.locator('body')).toContainText('Permissions have not been set yet.');
  await expect(page.locator('body')).toContainText(
    "This account has not yet been set up with permissions. Please contact your organization's administrator for help setting it up!",
  );
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Log Out' }).click();
  await expect(page).toHaveURL(/\/login/u);
});

test('AUTH-05 /logout ends the session, and the next load erases id and vap', async ({ page, tenant, context, request }) => {
  const person = await tenant.person('user');
  await enter(page, person);
  const before = (await context.cookies()).map(({ name }) => name);
  expect(before).toEqual(expect.arrayContaining(['id', 'vap']));
  await page.goto('/logout', COMMITTED);
  await expect(page).toHaveURL(/\/login$/u);
  // A user who signs out on purpose sees no timeout message.
  await expect(page.getByRole('status')).toHaveCount(0);
  await expect(page.locator('iframe')).toBeVisible();
  expect((await context.cookies()).filter(({ name }) => name === 'id' || name === 'vap')).toEqual([]);
  const answer = await request.get('/data_manager/v1/dm/statistics', { headers: { authorization: `Bearer ${person.bearer}` } });
  expect(answer.status()).toBe(401);
});

test('AUTH-06 a session that ended reads so and leads to the sign-in page', async ({ page, tenant, request }) => {
  const person = await tenant.person('admin');
  await enter(page, person, '/devices/list');
  const none = await request.get('/data_manager/v1/dm/devices');
  expect([none.status(), ((await none.json()) as { error: { message: string } }).error.message]).toEqual([
    401,
    'Access token not found',
  ]);
  await tenant.owner.query('delete from sessions where account_id = $1', [person.id]);
  await page.reload(COMMITTED);
  await expect(page).toHaveURL(/\/login/u);
  // Without the period of the API message, and with its meaning.
  await expect(page.getByRole('status')).toHaveText(
    'Auth token timeout Your session has ended. Sign in again; what you typed is kept.',
  );
  const late = await request.get('/data_manager/v1/dm/devices', { headers: { authorization: `Bearer ${person.bearer}` } });
  expect(((await late.json()) as { error: { message: string } }).error.message).toBe('Auth token timeout.');
});

test('AUTH-08 allTokenLogout ends every session of the account everywhere immediately', async ({
  page,
  tenant,
  browser,
  request,
}) => {
  const person = await tenant.person('admin');
  const second = await tenant.seeding.bearer(person.id);
  const elsewhere = await (await browser.newContext({ baseURL: tenant.server.url })).newPage();
  await enter(page, person, '/devices/list');
  await enter(elsewhere, { ...person, bearer: second }, '/devices/list');
  const answer = await request.post('/dmp_aa/api/v1/auth/allTokenLogout', {
    headers: { authorization: `Bearer ${person.bearer}` },
  });
  expect(answer.status()).toBe(200);
  // Both open consoles leave because their live streams end. (The console that requests it opens /logout: users.spec.ts.)
  for (const console of [page, elsewhere]) {
    await expect(console).toHaveURL(/\/login\?next=%2Fdevices%2Flist&ended=1$/u);
    await expect(console.getByRole('status')).toContainText('Auth token timeout');
  }
  await elsewhere.context().close();
});

test('a forgotten password is reset by an emailed link, once', async ({ page, tenant }) => {
  const person = await tenant.person('user', PASSWORD);
  await page.goto('/account.html');
  await page
    .getByRole('button', { name: 'Forgot password?' })
    .or(page.getByRole('link', { name: 'Forgot password?' }))
    .click();
  await page.getByLabel('Email address').fill(person.email);
  await page.getByRole('button', { name: /send|mail|link/iu }).click();
  const outbox = join(tenant.server.dataDir, 'outbox');
  const link = async () => {
    const names = await readdir(outbox).catch(() => []);
    const mails = await Promise.all(
      names.filter((name) => name.endsWith('.eml')).map((name) => readFile(join(outbox, name), 'utf8')),
    );
    const mail = mails.find((text) => text.includes(person.email));
    return mail
      ?.replaceAll(/=\r?\n/gu, '')
      .replaceAll('=3D', '=')
      .match(/http:\S+account\.html\?reset=[\w-]+/u)?.[0];
  };
  await expect.poll(link, { timeout: 90_000 }).toBeTruthy();
  await page.goto((await link())!);
  const fresh = 'quite another passphrase';
  for (const field of await page.locator('input[type=password]').all()) await field.fill(fresh);
  await page.locator('button[type=submit]').click();
  await expect(page.locator('input[type=password]')).toHaveCount(0);
  await page.goto('/login');
  const frame = page.frameLocator('iframe');
  await frame.getByLabel('Email address').fill(person.email);
  await frame.getByLabel('Password', { exact: true }).fill(fresh);
  await frame.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/dashboard/u);
});
