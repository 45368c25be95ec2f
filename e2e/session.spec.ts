import { COMMITTED, enter, expect, expectAccessible, leave, signInByPage, waitUntilLoaded, test } from './fixtures.ts';
import { PASSWORD } from './tenant.ts';

// How a session begins and ends, with the real cookies and the real frame.

test('AUTH-01 a console opened with id and vap keeps both in cookies and takes them out of the address', async ({
  page,
  tenant,
  context,
}) => {
  const { admin } = tenant.users;
  await page.goto(`/devices/list?search=x&id=${admin.id}&vap=${admin.bearer}`);
  await waitUntilLoaded(page);
  await expect(page).toHaveURL(/\/devices\/list\?search=x$/u);
  const cookies = new Map((await context.cookies()).map((cookie) => [cookie.name, cookie]));
  expect(cookies.get('id')).toMatchObject({ value: admin.id, httpOnly: false, sameSite: 'Lax' });
  expect(cookies.get('vap')).toMatchObject({ value: admin.bearer, httpOnly: true, sameSite: 'Lax' });
  expect(await page.evaluate(() => document.cookie)).not.toContain(admin.bearer);
});

test('AUTH-02 AUTH-03 AUTH-05 a visitor signs in inside the frame and lands at the requested page, with everything loaded again; signing out, also without a network, erases id and vap', async ({
  page,
  tenant,
  context,
  request,
}) => {
  const person = await tenant.person('admin', PASSWORD);
  const names = async () => (await context.cookies()).map(({ name }) => name).filter((name) => name === 'id' || name === 'vap');
  await page.goto('/devices/list?search=x', COMMITTED);
  await expect(page).toHaveURL(/\/login\?next=/u);
  await page.evaluate(() => Object.assign(window, { stayed: true }));
  await signInByPage(page, person.email, 'wrong one entirely');
  await expect(page.frameLocator('iframe').getByText('Wrong email or password.')).toBeVisible();
  await signInByPage(page, person.email);
  await expect(page).toHaveURL(/\/devices\/list\?search=x$/u);
  await waitUntilLoaded(page);
  expect(await page.evaluate(() => 'stayed' in window)).toBe(false);

  // The network fails while signing out: the session still exists, only the flag says that it ended here.
  expect((await names()).toSorted()).toEqual(['id', 'vap']);
  await page.route('**/auth/logout', (route) => route.abort());
  await page.goto('/logout', COMMITTED);
  await expect(page).toHaveURL(/\/login$/u);
  await expect(page.locator('iframe')).toBeVisible();
  expect(await names()).toEqual([]);
  await page.unrouteAll();

  await signInByPage(page, person.email);
  await expect(page).toHaveURL(/\/dashboard$/u);
  const bearer = (await context.cookies()).find(({ name }) => name === 'vap')!.value;
  await page.goto('/logout', COMMITTED);
  await expect(page).toHaveURL(/\/login$/u);
  // A user who signs out on purpose sees no timeout message.
  await expect(page.getByRole('status')).toHaveCount(0);
  const headers = { authorization: `Bearer ${bearer}` };
  expect((await request.get('/data_manager/v1/dm/statistics', { headers })).status()).toBe(401);
});

test('AUTH-04 a person whose roles are taken away is signed out, reads at the next sign-in that permissions are missing, and may log out', async ({
  page,
  tenant,
}) => {
  const person = await tenant.person('user', PASSWORD);
  await enter(page, person, '/devices/list');
  await tenant.owner.query("update accounts set roles = '{}' where id = $1", [person.id]);
  await page.reload(COMMITTED);
  await expect(page).toHaveURL(/\/login/u);
  await signInByPage(page, person.email);
  await expect(page).toHaveURL(/\/error_acc_invalid\.html/u);
  const body = page.locator('body');
  await expect(body).toContainText('Permissions have not been set yet.');
  await expect(body).toContainText(
    "This account has not yet been set up with permissions. Please contact your organization's administrator for help setting it up!",
  );
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Log Out' }).click();
  await expect(page).toHaveURL(/\/login/u);
});

test('AUTH-06 AUTH-08 sessions end live: of one browser in each of its windows, then of the account everywhere', async ({
  page,
  tenant,
  context,
  browser,
}) => {
  const person = await tenant.person('admin');
  const elsewhere = await (await browser.newContext({ baseURL: tenant.server.url })).newPage();
  const enterElsewhere = async () =>
    enter(elsewhere, { ...person, bearer: await tenant.seeding.bearer(person.id) }, '/devices/list');
  await enter(page, person, '/devices/list');
  await expect(page.getByText(/ · live/u)).toBeVisible();
  const other = await context.newPage();
  await other.goto('/dashboard');
  await waitUntilLoaded(other);
  await other.getByRole('button', { name: 'Account' }).click();
  await other.getByRole('menuitem', { name: 'Log Out' }).click();
  for (const window of [other, page]) await expect(window).toHaveURL(/\/login/u);
  await other.close();
  await leave(page);

  // One session from the profile, then all of them: this console opens /logout, the other one leaves by its live stream.
  await enterElsewhere();
  await enter(page, { ...person, bearer: await tenant.seeding.bearer(person.id) }, '/profile');
  await expect(page.getByText('This session')).toHaveCount(1);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await expect(elsewhere).toHaveURL(/\/login\?next=%2Fdevices%2Flist&ended=1$/u);
  await expect(elsewhere.getByRole('status')).toHaveText('Auth token timeout Your session has ended. Sign in again.');
  await enterElsewhere();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page).toHaveURL(/\/logout/u);
  await expect(page.getByRole('status')).toHaveText('You are signed out everywhere. Every session of your account has ended.');
  await expect(elsewhere).toHaveURL(/\/login/u);
  expect((await context.cookies()).filter(({ name }) => name === 'id' || name === 'vap')).toEqual([]);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/login$/u);
  await elsewhere.context().close();
});
