import type { Page } from '@playwright/test';
import { COMMITTED, enter, expect, leave, waitUntilLoaded, test } from './fixtures.ts';
import { PASSWORD } from './tenant.ts';

// How a session begins and ends, beyond the way through the sign-in page.

async function signInByPage(page: Page, email: string): Promise<void> {
  const frame = page.frameLocator('iframe');
  await frame.getByLabel('Email address').fill(email);
  await frame.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await frame.getByRole('button', { name: 'Sign in' }).click();
}

test('AUTH-03-partial signing in reloads the app, at the root or at the requested page', async ({ page, tenant }) => {
  const person = await tenant.person('admin', PASSWORD);
  await page.goto('/', COMMITTED);
  await expect(page).toHaveURL(/\/login$/u);
  await page.evaluate(() => Object.assign(window, { stayed: true }));
  const root = page.waitForRequest((request) => request.isNavigationRequest() && new URL(request.url()).pathname === '/');
  await signInByPage(page, person.email);
  await root;
  await expect(page).toHaveURL(/\/dashboard$/u);
  expect(await page.evaluate(() => 'stayed' in window)).toBe(false);
  await waitUntilLoaded(page);
  await leave(page);
  await page.goto('/devices/list?search=x', COMMITTED);
  await expect(page).toHaveURL(/\/login/u);
  await signInByPage(page, person.email);
  await expect(page).toHaveURL(/\/devices\/list\?search=x$/u);
});

test('AUTH-04-partial a person whose roles are taken away is signed out, and reads why at the next sign-in', async ({
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
  await expect(page.locator('body')).toContainText('Permissions have not been set yet.');
});

test('AUTH-05-partial a load with the logout flag erases id and vap, regardless of who set it', async ({
  page,
  tenant,
  context,
}) => {
  await enter(page, tenant.users.admin, '/dashboard');
  // The network failed while signing out: the session still exists, only the flag says that it ended here.
  await page.route('**/auth/logout', (route) => route.abort());
  await page.goto('/logout', COMMITTED);
  await expect(page).toHaveURL(/\/login/u);
  const names = (await context.cookies()).map(({ name }) => name);
  expect(names).not.toContain('vap');
  expect(names).not.toContain('id');
  await page.goto('/dashboard', COMMITTED);
  await expect(page).toHaveURL(/\/login/u);
});

test('AUTH-06-partial any answer that mentions a token ends the session, no other one does, and the input is kept', async ({
  page,
  tenant,
}) => {
  const [router] = await tenant.routers(1);
  const { rows: stored } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [router!.serial]);
  const person = await tenant.person('admin');
  await enter(page, person, `/devices/setting?device=${stored[0]!.id}&tab=settings`);
  await page.getByLabel('Notes').fill('typed before the end');
  const save = page.getByRole('button', { name: 'Save' });
  await page.route('**/dm/device', (route) => route.fulfill({ status: 403, json: { error: 'Permission denied' } }), { times: 1 });
  await save.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
  await expect(page.getByLabel('Notes')).toHaveValue('typed before the end');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.route('**/dm/device', (route) => route.fulfill({ status: 400, json: { message: 'a bad token' } }), { times: 1 });
  await save.click();
  await expect(page).toHaveURL(/\/login/u);
  await expect(page.getByRole('status')).toHaveText(
    'Auth token timeout Your session has ended. Sign in again; what you typed is kept.',
  );
  await enter(page, person, `/devices/setting?device=${stored[0]!.id}&tab=settings`);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByLabel('Notes')).toHaveValue('typed before the end');
});

test('AUTH-05-partial logging out in one window ends every other window of that session', async ({ page, tenant, context }) => {
  const person = await tenant.person('user');
  await enter(page, person, '/devices/list');
  await expect(page.getByText(/ · live/u)).toBeVisible();
  const other = await context.newPage();
  await other.goto('/dashboard');
  await waitUntilLoaded(other);
  await other.getByRole('button', { name: 'Account' }).click();
  await other
    .getByRole('menuitem', { name: /log out|sign out/iu })
    .first()
    .click();
  await expect(other).toHaveURL(/\/login/u);
  await expect(page).toHaveURL(/\/login/u);
  await page.goto('/devices/list', COMMITTED);
  await expect(page).toHaveURL(/\/login/u);
});
