import type { Page } from '@playwright/test';
import { codeOf } from '@highline/testkit/people';
import {
  COMMITTED,
  enter,
  expect,
  expectAccessible,
  leave,
  rows,
  signInByPage,
  waitUntilLoaded,
  test,
  visit,
} from './fixtures.ts';
import { PASSWORD, type Tenant } from './tenant.ts';

// The most and longest tests of the last files: each runs on the next free worker, or one would run them alone at the end.
test.describe.configure({ mode: 'parallel' });

const row = (page: Page, text: string) => rows(page).filter({ hasText: text });

/** The link of the newest email to an address, as its reader would open it. */
async function mailedLink(tenant: Tenant, email: string): Promise<string> {
  const [newest] = await tenant.mailsTo(email);
  return /https?:\/\/\S+/u.exec(newest!)![0];
}

test('USR-02 an admin invites a person, who sets a password by the emailed link and signs in as a user', async ({
  page,
  tenant,
}) => {
  const email = `ann-${tenant.mark.toLowerCase()}@highline.example`;
  await enter(page, tenant.users.admin, '/users/add');
  const add = page.getByRole('button', { name: 'Add', exact: true });
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Username').focus();
  await page.getByLabel('Email').focus();
  await expect(page.getByText('Please enter the Username')).toBeVisible();
  await page.getByLabel('Username').fill(`Ann ${tenant.mark}`);
  await expect(page.getByText('Please enter the Email')).toBeVisible();
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Email').fill('ann at home');
  await add.click();
  await expect(page.getByText('The account is not vaild')).toBeVisible();
  // An existing user is reported at the field, and the input stays.
  for (const [taken, message] of [
    [tenant.users.user.email.toUpperCase(), 'Account already exists'],
    [tenant.users.admin.email, 'This is your own account.'],
  ] as const) {
    await page.getByLabel('Email').fill(taken);
    await add.click();
    await expect(page.getByText(message)).toBeVisible();
    await expect(page.getByLabel('Email')).toBeFocused();
    await expect(page.getByLabel('Username')).toHaveValue(`Ann ${tenant.mark}`);
  }
  await page.getByLabel('Email').fill(email.toUpperCase());
  await add.click();
  await expect(page).toHaveURL(/\/users(\?|$)/u);
  await visit(page, `/users?field=email&search=${encodeURIComponent(email)}`);
  await expect(row(page, email)).toContainText(`Ann ${tenant.mark}`);

  // The email was lost: another one is sent, and only its link works from now on.
  await row(page, email).click();
  const invitation = page.getByRole('region', { name: 'Invitation' });
  await expect(invitation).toContainText('not accepted yet');
  const lost = await mailedLink(tenant, email);
  await invitation.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => mailedLink(tenant, email)).not.toBe(lost);
  await expectAccessible(page);
  await leave(page);
  const link = await mailedLink(tenant, email);
  const setPassword = async (address: string) => {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Welcome to Highline' })).toBeVisible();
    for (const field of await page.locator('input[type=password]').all()) await field.fill(PASSWORD);
    await page.locator('button[type=submit]').click();
  };
  const invitationCall = '**/dmp_aa/api/v1/auth/invitation';
  await page.route(invitationCall, (route) => route.abort());
  await page.goto(link);
  await expect(page.getByRole('alert')).toBeVisible();
  await page.unroute(invitationCall);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to Highline' })).toBeVisible();
  await expect(page.getByText(`invited you to ${tenant.orgName}.`)).toBeVisible();
  await expect(page.getByText(`Set a password to sign in as ${email}.`)).toBeVisible();
  await expectAccessible(page);
  await setPassword(link);
  // Accepting signs in.
  await expect(page).toHaveURL(/\/dashboard$/u);
  await waitUntilLoaded(page);
  await leave(page);
  // A used or truncated link leads to a new one.
  for (const dead of [lost, link, link.slice(0, link.indexOf('=') + 5)]) {
    await page.goto(dead);
    await expect(page.getByRole('alert')).toContainText('This link has expired or was already used.');
  }
  await page.getByRole('button', { name: 'Request a new link' }).click();
  await expect(page.getByRole('button', { name: 'Send link' })).toBeVisible();
  await page.goto('/login');
  const frame = page.frameLocator('iframe');
  await frame.getByLabel('Email address').fill(email);
  await frame.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await frame.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/dashboard/u);
  await waitUntilLoaded(page);
  await expect(page.getByRole('region', { name: 'Cloud Users', exact: true }).getByRole('link')).toHaveCount(0);
  await page.goto('/users');
  await expect(page.getByRole('heading', { level: 1, name: 'Your role may not open this page' })).toBeVisible();
  await visit(page, '/users/roleEdit');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('Role')).toHaveValue('User');
});

test('USR-01-partial USR-03 USR-04-partial AUTH-08-partial an admin promotes a person, whose open console follows, who then changes the password and is deleted', async ({
  page,
  browser,
  tenant,
}) => {
  const person = await tenant.person('user', PASSWORD);
  const theirs = await (await browser.newContext({ baseURL: tenant.server.url })).newPage();
  const elsewhere = await (await browser.newContext({ baseURL: tenant.server.url })).newPage();
  await enter(theirs, person, '/users/roleEdit');
  await enter(elsewhere, { ...person, bearer: await tenant.seeding.bearer(person.id) }, '/devices/list');
  await enter(page, tenant.users.admin, `/users?field=email&search=${encodeURIComponent(person.email)}`);
  await row(page, person.email).click();
  // The list, which is there until the page is loaded, has a filter of this name.
  await page.getByRole('combobox', { name: 'Role' }).selectOption('admin');
  await page.getByLabel('Username').fill('Renamed');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await expect(theirs.getByRole('link', { name: 'Cloud Users' })).toHaveAttribute('href', '/users');

  await theirs.goto('/profile');
  await theirs.getByRole('button', { name: 'Change PWD' }).click();
  await expect(theirs).toHaveURL(/\/account\.html$/u);
  await expectAccessible(theirs);
  const fresh = 'quite another passphrase';
  await theirs.getByLabel('Current password').fill(PASSWORD);
  await theirs.getByLabel('New password', { exact: true }).fill(fresh);
  await theirs.getByLabel('Repeat the new password').fill(fresh);
  await theirs.getByRole('button', { name: 'Set password' }).click();
  await expect(theirs.getByText('All earlier sessions of this account have ended.')).toBeVisible();
  await expect(elsewhere).toHaveURL(/\/login/u);
  await theirs.getByRole('button', { name: 'Sign in' }).click();
  await signInByPage(theirs, person.email, fresh);
  await expect(theirs).toHaveURL(/\/dashboard$/u);

  await visit(page, `/users?field=email&search=${encodeURIComponent(person.email)}`);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await row(page, person.email).getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Delete(1)' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Delete Success')).toBeVisible();
  await expect(theirs).toHaveURL(/\/login/u);
  await theirs.context().close();
  await elsewhere.context().close();
});

test('a second factor is turned on by a QR code, required at sign-in, used once, and reset by an admin', async ({
  page,
  browser,
  tenant,
}) => {
  const person = await tenant.person('user', PASSWORD);
  const theirs = await (await browser.newContext({ baseURL: tenant.server.url })).newPage();
  await enter(theirs, person, '/profile');
  const section = theirs.getByRole('region', { name: 'Second factor' });
  await section.getByRole('button', { name: 'Turn on' }).click();
  const dialog = theirs.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Next' }).click();
  const key = (await dialog.locator('code').innerText()).replaceAll(' ', '');
  await expectAccessible(theirs);
  const used = codeOf(key);
  await dialog.getByRole('textbox', { name: 'Code' }).fill(used);
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = theirs.getByRole('dialog', { name: 'Recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  const [recovery] = await codes.getByRole('listitem').allInnerTexts();
  await Promise.all([theirs.waitForEvent('download'), codes.getByRole('button', { name: 'Save as a file' }).click()]);
  await codes.getByRole('button', { name: 'Done' }).click();
  await expect(section).toContainText('10 recovery codes left');

  await theirs.goto('/logout', COMMITTED);
  await signInByPage(theirs, person.email);
  const frame = theirs.frameLocator('iframe');
  await expect(frame.getByLabel('Code')).toBeFocused();
  for (const code of [used, recovery!]) {
    await frame.getByLabel('Code').fill(code);
    await frame.getByRole('button', { name: 'Sign in' }).click();
    if (code === used) await expect(frame.getByText('This code is wrong or was already used.')).toBeVisible();
  }
  await expect(theirs).not.toHaveURL(/\/login/u);

  await enter(page, tenant.users.admin, `/users/detail?user=${person.id}`);
  await page.getByRole('button', { name: 'Reset the second factor' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset the second factor' }).click();
  await expect(page.getByText('The second factor was reset.')).toBeVisible();
  // Every session of the person has ended, this one too.
  await expect(theirs).toHaveURL(/\/login/u);
  await theirs.context().close();
});
