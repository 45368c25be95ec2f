import type { Page } from '@playwright/test';
import { codeOf } from '@highline/testkit/people';
import { COMMITTED, enter, expect, expectAccessible, headers, leave, rows, waitUntilLoaded, test, visit } from './fixtures.ts';
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
  await expect(page).toHaveURL(/\/dashboard/u);
  await visit(page, '/users/roleEdit');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('Role')).toHaveValue('User');
});

test('USR-01 the list has three rows to a page, adds, deletes, downloads, filters by role, searches and opens a user', async ({
  page,
  tenant,
}) => {
  for (let count = 0; count < 3; count += 1) await tenant.person('user');
  const [chief, rider] = [await tenant.person('admin'), await tenant.person('user')];
  const found = async (query: string, email: string) => {
    await visit(page, `/users?field=email&search=${encodeURIComponent(email)}${query}`);
    return rows(page);
  };
  await enter(page, tenant.users.admin, '/users');
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByRole('link', { name: 'Add', exact: true })).toBeVisible();
  await expect.poll(async () => (await headers(page)).slice(1)).toEqual(['Username', 'Email', 'Role']);
  await page.getByRole('button', { name: /Role/u }).first().click();
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['All user roles', 'Admin', 'User']);
  await page.getByRole('option', { name: 'Admin', exact: true }).click();
  await expect(page).toHaveURL(/[?&]role=admin/u);
  await expect(rows(page).filter({ hasNotText: 'Admin' })).toHaveCount(0);
  await visit(page, '/users');
  await expect(page.getByLabel('Search in').locator('option')).toHaveText(['Username', 'Email']);
  await tenant.owner.query("update accounts set name = 'Rider of bus 9' where id = $1", [rider.id]);
  await page.getByLabel('Search in').selectOption({ label: 'Username' });
  await page.getByRole('searchbox').fill('of bus 9');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(rider.email);
  // Case counts (SHR-05).
  await page.getByRole('searchbox').fill('of Bus 9');
  await expect(page.getByText('No matched results.')).toBeVisible();
  await page.getByLabel('Search in').selectOption({ label: 'Email' });
  await page.getByRole('searchbox').fill(chief.email);
  await expect(rows(page)).toHaveCount(1);
  // Users of this test only: how many others there are depends on earlier tests.
  await expect(await found('&role=admin', chief.email)).toContainText(['Admin']);
  await expect(await found('&role=admin', rider.email)).toHaveCount(0);
  await expect(page.getByText('No matched results.')).toBeVisible();
  await expect(await found('', rider.email)).toContainText(['User']);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download(.csv)' }).click();
  expect((await download).suggestedFilename()).toBe('Users_export.csv');
  await row(page, rider.email).click();
  await expect(page).toHaveURL(new RegExp(`/users/detail\\?user=${rider.id}`, 'u'));
  await page.clock.install();
  await visit(page, '/users?role=admin&size=20');
  const again = page.waitForRequest(/\/accounts\/\?/u);
  await page.clock.fastForward(61_000);
  await again;
});

test('USR-03 an admin edits name and role, whose privileges are spelled out; a user reads the own profile and changes the password on the sign-in page', async ({
  page,
  browser,
  tenant,
}) => {
  const person = await tenant.person('user', PASSWORD);
  const theirs = await (await browser.newContext({ baseURL: tenant.server.url })).newPage();
  await enter(theirs, person, '/users/roleEdit');
  for (const [label, value] of [
    ['Username', person.email.split('@')[0]!],
    ['Email', person.email],
    ['Role', 'User'],
  ] as const) {
    await expect(theirs.getByLabel(label)).toHaveValue(value);
    await expect(theirs.getByLabel(label)).not.toBeEditable();
  }
  await enter(page, tenant.users.admin, `/users/detail?user=${person.id}`);
  await expect(page.getByLabel('Role').locator('option')).toHaveText(['Admin', 'User']);
  const privileges = page.getByRole('region', { name: 'Privileges' }).getByRole('listitem');
  await expect(privileges).toHaveText([
    'View devices',
    'Download device and group lists',
    "View groups' device lists",
    'Download the cloud log',
    "Can't change, connect to routers, or upload",
  ]);
  await page.getByLabel('Role').selectOption('admin');
  await expect(privileges).toHaveText([
    'View and manage devices, download the device list',
    'Create, edit and delete devices',
    'Remote administration (GUI, SSH)',
    'View and manage groups',
    'Set up firmware and config files, advanced settings',
    'Upload config files',
    'Download the cloud log',
  ]);
  await page.getByLabel('Username').fill('Renamed');
  // Another user saves first: the current values are shown, the input stays, and the next save is based on them.
  await tenant.owner.query("update accounts set name = 'Theirs', version = version + 1 where id = $1", [person.id]);
  await page.getByRole('button', { name: 'Save' }).click();
  const stale = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(stale).toContainText('The user is now: Theirs, User.');
  await stale.getByRole('button', { name: 'OK' }).click();
  await expect(page.getByLabel('Username')).toHaveValue('Renamed');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Renamed');
  await expect(theirs.getByRole('link', { name: 'Cloud Users' })).toHaveAttribute('href', '/users');
  await visit(page, '/users/detail');
  await expect(page).toHaveURL(/\/users(\?|$)/u);

  const elsewhere = await (await browser.newContext({ baseURL: tenant.server.url })).newPage();
  await enter(elsewhere, { ...person, bearer: await tenant.seeding.bearer(person.id) }, '/devices/list');
  await theirs.goto('/profile');
  await theirs.getByRole('button', { name: 'Change PWD' }).click();
  await expect(theirs).toHaveURL(/\/account\.html$/u);
  await expectAccessible(theirs);
  const fresh = 'quite another passphrase';
  await theirs.getByLabel('Current password').fill('not the old one');
  await theirs.getByLabel('New password', { exact: true }).fill(fresh);
  await theirs.getByLabel('Repeat the new password').fill(fresh);
  await theirs.getByRole('button', { name: 'Set password' }).click();
  await expect(theirs.getByText('The current password is wrong.')).toBeVisible();
  await theirs.getByLabel('Current password').fill(PASSWORD);
  await theirs.getByRole('button', { name: 'Set password' }).click();
  await expect(theirs.getByText('All earlier sessions of this account have ended.')).toBeVisible();
  await expect(elsewhere).toHaveURL(/\/login/u);
  await theirs.getByRole('button', { name: 'Sign in' }).click();
  await expect(theirs).toHaveURL(/\/login/u);
  const frame = theirs.frameLocator('iframe');
  await frame.getByLabel('Email address').fill(person.email);
  await frame.getByLabel('Password', { exact: true }).fill(fresh);
  await frame.getByRole('button', { name: 'Sign in' }).click();
  await expect(theirs).not.toHaveURL(/\/login/u);
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
  await dialog.getByLabel('Your password').fill('not this one');
  await dialog.getByRole('button', { name: 'Next' }).click();
  await expect(dialog.getByText('Wrong password.')).toBeVisible();
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Next' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code of the key' })).toBeVisible();
  await expectAccessible(theirs);
  const key = (await dialog.locator('code').innerText()).replaceAll(' ', '');
  const used = codeOf(key);
  await dialog.getByRole('textbox', { name: 'Code' }).fill(used);
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = theirs.getByRole('dialog', { name: 'Recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  const [recovery] = await codes.getByRole('listitem').allInnerTexts();
  const [file] = await Promise.all([
    theirs.waitForEvent('download'),
    codes.getByRole('button', { name: 'Save as a file' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('highline-recovery-codes.txt');
  await codes.getByRole('button', { name: 'Done' }).click();
  await expect(section).toContainText('10 recovery codes left');

  await theirs.goto('/logout', COMMITTED);
  await expect(theirs).toHaveURL(/\/login/u);
  const frame = theirs.frameLocator('iframe');
  await frame.getByLabel('Email address').fill(person.email);
  await frame.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await frame.getByRole('button', { name: 'Sign in' }).click();
  await expect(frame.getByLabel('Code')).toBeFocused();
  await frame.getByLabel('Code').fill(used);
  await frame.getByRole('button', { name: 'Sign in' }).click();
  await expect(frame.getByText('This code is wrong or was already used.')).toBeVisible();
  await frame.getByLabel('Code').fill(recovery!);
  await frame.getByRole('button', { name: 'Sign in' }).click();
  await expect(theirs).not.toHaveURL(/\/login/u);
  await theirs.goto('/profile');
  await expect(section).toContainText('9 recovery codes left');
  await section.getByRole('button', { name: 'Turn off' }).click();
  await expect(dialog.getByRole('button', { name: 'Turn off' })).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('textbox', { name: 'Code' }).fill(used);
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await expect(dialog.getByText('This code is wrong or was already used.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);

  await enter(page, tenant.users.admin, `/users/detail?user=${person.id}`);
  await page.getByRole('button', { name: 'Reset the second factor' }).click();
  await expectAccessible(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset the second factor' }).click();
  await expect(page.getByText('The second factor was reset.')).toBeVisible();
  // Every session of the person has ended, this one too.
  await expect(theirs).toHaveURL(/\/login/u);
  await theirs.context().close();
});

test('USR-04 deleting several users deletes those that can be deleted and names the others by reason in one error', async ({
  page,
  tenant,
}) => {
  const [one, two, three] = [await tenant.person('user'), await tenant.person('user'), await tenant.person('user')];
  const chief = await tenant.person('admin');
  const error = page.locator('[role=dialog], [role=alertdialog]').filter({ hasText: 'Error Message' });
  const remove = async (...users: readonly { readonly email: string }[]) => {
    await page.goto('/users?size=100');
    await waitUntilLoaded(page);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    for (const { email } of users) await row(page, email).getByRole('checkbox').click();
    return async () => {
      await page.getByRole('button', { name: `Delete(${users.length})` }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    };
  };
  const ok = () => error.getByRole('button', { name: 'OK' }).click();
  await enter(page, chief, '/users');

  // Others were quicker: two of the three are gone.
  const some = await remove(one, two, three);
  await tenant.owner.query('delete from accounts where id = any ($1)', [[two.id, three.id]]);
  await some();
  await expect(error.getByRole('listitem')).toHaveText([
    new RegExp(`^Invalid parameter: (${two.email}, ${three.email}|${three.email}, ${two.email})$`, 'u'),
  ]);
  await ok();
  await waitUntilLoaded(page);
  await expect(row(page, one.email)).toHaveCount(0);

  // A user who is no longer an admin when the calls run.
  const [four, five, six] = [await tenant.person('user'), await tenant.person('user'), await tenant.person('user')];
  // The page would load again when the stream says that the role has changed, at any moment from then on.
  await page.route('**/data_manager/v1/events*', (route) => route.abort());
  const rejected = await remove(four, five, six);
  let calls = 0;
  await page.route(/\/accounts\/[0-9a-f-]{36}\?/u, async (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback();
    calls += 1;
    // The first goes; between the first and the second the role is taken away.
    if (calls === 2)
      await tenant.owner.query('update accounts set roles = $2 where id = $1', [
        chief.id,
        [`r.${tenant.org.organizationId}.vendor`],
      ]);
    return route.fallback();
  });
  await rejected();
  await expect(error.getByRole('listitem')).toHaveText([/^Permission denied: \S+, \S+$/u]);
  const { rows: left } = await tenant.owner.query<{ email: string }>('select email from accounts where id = any ($1)', [
    [four, five, six].map(({ id }) => id),
  ]);
  expect(left).toHaveLength(2);
  for (const { email } of left) await expect(error).toContainText(email);
  await ok();

  // Both in one error; the others are deleted.
  await leave(page);
  await page.unrouteAll();
  await enter(page, tenant.users.admin, '/users');
  const stays = await tenant.person('user');
  const gone = await tenant.person('user');
  const both = await remove(stays, gone, ...left);
  await tenant.owner.query('delete from accounts where id = $1', [gone.id]);
  await page.route(`**/accounts/${stays.id}?*`, (route) =>
    route.fulfill({ status: 403, json: { error: { code: 403, key: 'permission.denied', message: 'Permission denied' } } }),
  );
  await both();
  await expect(error.getByRole('listitem')).toHaveCount(2);
  await expect(error.getByRole('listitem').filter({ hasText: 'Permission denied' })).toHaveText(
    `Permission denied: ${stays.email}`,
  );
  await expect(error.getByRole('listitem').filter({ hasText: 'Invalid parameter' })).toHaveText(
    `Invalid parameter: ${gone.email}`,
  );
  await expectAccessible(page);
  await ok();
  await waitUntilLoaded(page);
  for (const { email } of left) await expect(row(page, email)).toHaveCount(0);

  // All of them: a success.
  await page.unrouteAll();
  const all = await remove(stays);
  await all();
  await expect(page.getByText('Delete Success')).toBeVisible();
  await expect(row(page, stays.email)).toHaveCount(0);
});

test('the main account invites a colleague, who accepts, sees the organizations, signs in after losing a second factor, and is signed out immediately when deleted', async ({
  page,
  browser,
  tenant,
}) => {
  const email = `kim-${tenant.mark.toLowerCase()}@highline.example`;
  const { users, main } = tenant;
  const others = 'delete from accounts where main_account_id = $1 and organization_id is null and id <> $2';
  await tenant.owner.query(others, [main.mainAccountId, users.main.id]);
  await enter(page, tenant.users.main, '/colleagues');
  await expect(page.getByText("You're the only person here.")).toBeVisible();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const add = dialog.getByRole('button', { name: 'Add', exact: true });
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByLabel('Name').focus();
  await dialog.getByLabel('Email').focus();
  await expect(dialog.getByText('Please enter the Name')).toBeVisible();
  await dialog.getByLabel('Name').fill('Kim Lee');
  for (const [typed, message] of [
    ['kim at home', 'The account is not vaild'],
    [tenant.users.admin.email, 'Account already exists'],
    [tenant.users.main.email, 'This is your own account.'],
  ] as const) {
    await dialog.getByLabel('Email').fill(typed);
    await add.click();
    await expect(dialog.getByText(message)).toBeVisible();
    await expect(dialog.getByLabel('Email')).toBeFocused();
  }
  await dialog.getByLabel('Email').fill(email.toUpperCase());
  await add.click();
  await expect(dialog).toHaveCount(0);
  const kim = row(page, email);
  await expect(kim).toContainText('not accepted yet');
  await expect(page.getByText("You're the only person here.")).toHaveCount(0);
  const lost = await mailedLink(tenant, email);
  await kim.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => mailedLink(tenant, email)).not.toBe(lost);

  const theirs = await (await browser.newContext({ baseURL: tenant.server.url })).newPage();
  await theirs.goto(await mailedLink(tenant, email));
  await expect(theirs.getByRole('heading', { name: 'Welcome to Highline' })).toBeVisible();
  for (const field of await theirs.locator('input[type=password]').all()) await field.fill(PASSWORD);
  await theirs.locator('button[type=submit]').click();
  await expect(theirs).toHaveURL(/\/organization(\?|$)/u);
  await expect(row(theirs, tenant.orgName)).toBeVisible();

  // The first one's open page follows live.
  await expect(kim).not.toContainText('Invitation');
  await expect(kim.getByRole('button')).toHaveCount(0);
  const { rows: found } = await tenant.owner.query<{ id: string }>('select id from accounts where email = $1', [email]);
  const { id } = found[0]!;
  await tenant.owner.query(
    'insert into second_factors (account_id, sealed_secret, confirmed_at, last_step) values ($1, $2, now(), 0)',
    [id, Buffer.from('no one signs in with it')],
  );
  await page.reload();
  await kim.getByRole('button', { name: 'Reset the second factor' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset the second factor' }).click();
  await expect(theirs).toHaveURL(/\/login/u);
  await expect(kim).toContainText('Off');

  await enter(theirs, { id, email, bearer: await tenant.seeding.bearer(id) }, '/organization');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(row(page, tenant.users.main.email).getByRole('checkbox')).toHaveAttribute('aria-disabled', 'true');
  await kim.getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Delete(1)' }).click();
  await expect(page.getByRole('alertdialog')).toContainText(email);
  await expectAccessible(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(theirs).toHaveURL(/\/login/u);
  await expect(kim).toHaveCount(0);
  await expect(page.getByText("You're the only person here.")).toBeVisible();
  await theirs.context().close();
});

test('AUTH-08-partial one of the own sessions is ended from the profile, and its console leaves', async ({
  page,
  browser,
  tenant,
}) => {
  const person = await tenant.person('user');
  const elsewhere = await (await browser.newContext({ baseURL: tenant.server.url })).newPage();
  await enter(elsewhere, { ...person, bearer: await tenant.seeding.bearer(person.id) }, '/dashboard');
  await enter(page, person, '/dashboard');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Profile and sessions' }).click();
  await waitUntilLoaded(page);
  await expect(page.getByText('This session')).toHaveCount(1);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await expect(elsewhere).toHaveURL(/\/login/u);
  await expect(page.getByRole('button', { name: 'End', exact: true })).toHaveCount(0);

  // All sessions: this one opens /logout.
  await enter(elsewhere, { ...person, bearer: await tenant.seeding.bearer(person.id) }, '/dashboard');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page).toHaveURL(/\/logout/u);
  await expect(page.getByRole('status')).toHaveText('You are signed out everywhere. Every session of your account has ended.');
  await expect(elsewhere).toHaveURL(/\/login/u);
  expect((await page.context().cookies()).filter(({ name }) => name === 'id' || name === 'vap')).toEqual([]);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/login$/u);
  await elsewhere.context().close();
});

test('OVW-06 the Cloud Users card counts signed-in users, and links only an admin to the list', async ({ page, tenant }) => {
  await enter(page, tenant.users.user, '/dashboard');
  const card = page.getByRole('region', { name: 'Cloud Users' });
  await expect(card).toContainText(/\d+ online/u);
  await expect(card).toContainText(/\d+ offline/u);
  await expect(card.getByRole('link')).toHaveCount(0);
  await leave(page);
  await enter(page, tenant.users.admin, '/dashboard');
  await card.getByRole('link').click();
  await expect(page).toHaveURL(/\/users(\?|$)/u);
});
