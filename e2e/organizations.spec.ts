import type { Page } from '@playwright/test';
import { enter, expect, expectAccessible, headers, rows, waitUntilLoaded, test, visit } from './fixtures.ts';
import { PASSWORD } from './tenant.ts';

const row = (page: Page, text: string) => rows(page).filter({ hasText: text });

test('ORG-01 the list shows name, contact, phone, address and ratio, searches them, has ten rows to a page and three to pick from, and opens one', async ({
  page,
  tenant,
}) => {
  const mark = `List ${tenant.mark}`;
  const orgs = [];
  for (let count = 0; count < 11; count += 1)
    orgs.push(await tenant.seeding.organization(tenant.main, `${mark} ${String(count).padStart(2, '0')}`));
  const first = orgs[0]!;
  const email = `contact-${tenant.mark.toLowerCase()}@highline.example`;
  const id = await tenant.seeding.account(first, email, 'admin');
  await tenant.owner.query('update accounts set is_contact = true where id = $1', [id]);
  // A user with the main account's role is not a contact of an organization, even if the account is marked as one.
  const chief = await tenant.seeding.account(first, `a-chief-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  await tenant.owner.query("update accounts set is_contact = true, roles = '{r.kmpService.vendor.super}' where id = $1", [chief]);
  await tenant.owner.query("update organizations set phone = '+886 2 5550', address = '7 Depot Road' where id = $1", [
    first.organizationId,
  ]);
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10).split('-');
  await tenant.routers(1, { org: first, expired: `${soon[1]}/${soon[2]}/${soon[0]}` });
  await tenant.routers(2, { org: first });
  await enter(page, tenant.users.main, `/organization?sort=name&search=${encodeURIComponent(mark)}`);
  await expect
    .poll(async () => (await headers(page)).slice(1))
    .toEqual(['Org name', 'Online', 'Rollouts', 'Expiring', 'Contact', 'Phone', 'Address', 'Expiring/All Devices']);
  await expect(rows(page)).toHaveCount(10);
  for (const text of [email, '+886 2 5550', '7 Depot Road', '1/3']) await expect(row(page, `${mark} 00`)).toContainText(text);
  await expect(page.getByText('a-chief-')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Add', exact: true })).toHaveAttribute('href', '/organization/add');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('1–3 of 11')).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(rows(page)).toHaveCount(10);
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByText('11–11 of 11')).toBeVisible();
  for (const [field, text] of [
    ['email', email],
    ['phone', '2 5550'],
    ['address', 'Depot Road'],
  ] as const) {
    await visit(page, `/organization?field=${field}&search=${encodeURIComponent(text)}`);
    await expect(row(page, `${mark} 00`)).toHaveCount(1);
  }
  // The search is live; Clear is there from the start, and disabled while the input is empty.
  await visit(page, '/organization');
  await expect(page.getByLabel('Search in').locator('option')).toHaveText(['Org name', 'Email', 'Phone', 'Address']);
  const clear = page.getByRole('button', { name: 'Clear', exact: true });
  const input = page.getByRole('searchbox');
  await expect(clear).toBeDisabled();
  await input.fill(`${mark} 00`);
  await expect(clear).toBeEnabled();
  await expect(rows(page)).toHaveCount(1);
  await clear.click();
  await expect(input).toHaveValue('');
  await expect(input).toBeFocused();
  await expect(clear).toBeDisabled();
  await expect(page).not.toHaveURL(/search=/u);
  await visit(page, `/organization?search=${encodeURIComponent(mark)}`);
  await page.getByRole('link', { name: /1\/3/u }).first().click();
  await expect(page).toHaveURL(new RegExp(`/devices/orgList\\?org=${first.organizationId}`, 'u'));
  await visit(page, `/organization?search=${encodeURIComponent(`${mark} 00`)}`);
  await page.getByText(`${mark} 00`).click();
  await expect(page).toHaveURL(new RegExp(`/organization/setting\\?org=${first.organizationId}`, 'u'));
});

test('ORG-02 organizations are selected, confirmed, and deleted one by one after DELETE ORG is typed exactly; a result lists each', async ({
  page,
  browser,
  tenant,
}) => {
  const names = ['A', 'B', 'C', 'D'].map((letter) => `Ending ${tenant.mark} ${letter}`);
  const [first, second] = await Promise.all(names.map((name) => tenant.seeding.organization(tenant.main, name)));
  await tenant.routers(2, { org: first! });
  const person = await tenant.seeding.account(first!, `ending-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const theirs = await browser.newContext({ baseURL: tenant.server.url });
  const their = await theirs.newPage();
  await enter(their, { id: person, email: '', bearer: await tenant.seeding.bearer(person) }, '/devices/list');

  await enter(page, tenant.users.main, `/organization?search=${encodeURIComponent(`Ending ${tenant.mark}`)}&sort=name`);
  await expect(rows(page)).toHaveCount(4);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Delete(0)' })).toHaveAttribute('aria-disabled', 'true');
  await row(page, names[2]!).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(rows(page)).toHaveCount(4);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Delete(0)' })).toBeVisible();
  for (const name of names.slice(0, 2)) await row(page, name).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Delete(2)' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Its users are signed out now, rollouts stop');
  await expect(dialog).toContainText('This action is permanent and cannot be undone.');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  const remove = dialog.getByRole('button', { name: 'Delete', exact: true });
  for (const wrong of ['delete org', 'DELETE ORG ', ' DELETE ORG', 'DELETE  ORG', 'DELETE']) {
    await dialog.getByRole('textbox').fill(wrong);
    await expect(remove).toHaveAttribute('aria-disabled', 'true');
    await dialog.getByRole('textbox').press('Enter');
  }
  await expectAccessible(page);
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') calls.push(request.postData() ?? '');
  });
  // One of the two is already deleted when its turn comes: the other is deleted anyway, and both are reported.
  await tenant.owner.query('update organizations set deleted_at = now() where id = $1', [second!.organizationId]);
  await dialog.getByRole('textbox').fill('DELETE ORG');
  await remove.click();
  await expect(dialog).toContainText('1 organization was deleted.');
  await expect(dialog).toContainText(`${names[0]}: deleted, 2 devices returned to your inventory`);
  await expect(dialog).toContainText(`${names[1]}: Not found`);
  expect(calls).toHaveLength(2);
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(their).toHaveURL(/\/(login|logout)/u);
  await theirs.close();
});

test('ORG-04 ORG-05 ORG-06 NAV-05-partial SHR-06-partial an organization is edited and gets a contact; errors are shown in an alert, and the screen starts over', async ({
  page,
  tenant,
}) => {
  const name = `Edited ${tenant.mark}`;
  const org = await tenant.seeding.organization(tenant.main, name);
  await tenant.routers(1, { org });
  const [year, month, day] = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10).split('-');
  await tenant.routers(1, { org, expired: `${month}/${day}/${year}` });
  for (const path of ['/organization/setting', '/organization/addUser']) {
    await enter(page, tenant.users.main, path);
    await expect(page).toHaveURL(/\/organization(\?|$)/u);
  }
  await page.goto(`/organization?search=${encodeURIComponent(name)}`);
  await waitUntilLoaded(page);
  await row(page, name).getByText(name).click();
  await expect(page).toHaveURL(/\/organization\/setting\?org=/u);
  await page.getByRole('link', { name: 'Settings' }).click();

  // Name, phone and address; the rest only to look at.
  await expect(page.getByLabel('Contact', { exact: true })).toHaveAttribute('readonly', '');
  await expect(page.getByLabel('Expiring or expired / all devices')).toHaveValue('1/2');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Phone').fill('+1 312 555 0199');
  await page.getByLabel('Address').fill('12 Canal Street');
  await save.click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await page.reload();
  await waitUntilLoaded(page);
  await expect(page.getByLabel('Address')).toHaveValue('12 Canal Street');

  // Another user saved first: a message says so, and no input is lost.
  await page.getByLabel('Phone').fill('+1 312 555 0100');
  await tenant.owner.query(`update organizations set address = 'Elsewhere', version = version + 1 where id = $1`, [
    org.organizationId,
  ]);
  await save.click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Elsewhere');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(page.getByLabel('Phone')).toHaveValue('+1 312 555 0100');

  // Without a network the save reports it, and the input stays.
  await page.context().setOffline(true);
  await save.click();
  await expect(dialog).toContainText('Cannot reach the server.');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await page.context().setOffline(false);
  await expect(page.getByLabel('Phone')).toHaveValue('+1 312 555 0100');
  await expect(save).toBeEnabled();

  // Leaving warns, with Discard and Save.
  await page.getByRole('link', { name: 'Add contact' }).click();
  await expect(dialog).toContainText('There are unsaved changes. Do you want to save them before leaving?');
  await expect(dialog.getByRole('button', { name: 'Discard' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/organization\/addUser\?org=/u);
  expect((await tenant.owner.query('select phone from organizations where id = $1', [org.organizationId])).rows).toEqual([
    { phone: '+1 312 555 0100' },
  ]);

  // The second factor of an admin who lost phone and recovery codes is reset.
  const lost = await tenant.seeding.account(org, `lost-${tenant.mark.toLowerCase()}@highline.example`, 'admin', PASSWORD);
  await tenant.owner.query(
    'insert into second_factors (account_id, sealed_secret, confirmed_at, last_step) values ($1, $2, now(), 0)',
    [lost, Buffer.from('no one signs in with it')],
  );
  await page.goto(`/organization/setting?org=${org.organizationId}`);
  await waitUntilLoaded(page);
  const admins = page.getByRole('region', { name: 'Admins' });
  await expect(admins).toContainText('Second factor on');
  await admins.getByRole('button', { name: 'Reset the second factor' }).click();
  await dialog.getByRole('button', { name: 'Reset the second factor' }).click();
  await expect(admins).toContainText('Second factor off');
  await page.getByRole('link', { name: 'Add contact' }).click();

  // A contact: both fields are required; an address that is taken is reported in an alert, and the form starts over.
  const add = page.getByRole('button', { name: 'Add', exact: true });
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Username').fill('Rosa Lind');
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Email').fill('not an address');
  await add.click();
  await expect(page.getByText('Invalid Email')).toBeVisible();
  await page.getByLabel('Email').fill(tenant.users.admin.email);
  await add.click();
  await expect(dialog).toContainText('Error Message');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(page.getByLabel('Username')).toHaveValue('');
  const email = `Rosa-${tenant.mark}@Highline.example`;
  await page.getByLabel('Username').fill('Rosa Lind');
  await page.getByLabel('Email').fill(email);
  await expectAccessible(page);
  await add.click();
  await expect(page.getByText(`${email} was invited`)).toBeVisible();
  await expect(page).toHaveURL(/\/organization\/setting\?org=/u);
  const contact = page.getByRole('listitem').filter({ hasText: email.toLowerCase() });
  await expect(contact).toContainText('not accepted yet');
  // The email was lost: it is sent again.
  const mails = 'select id from mails where recipient = $1 order by created_at desc limit 1';
  const newest = async () => (await tenant.owner.query<{ id: string }>(mails, [email.toLowerCase()])).rows[0]?.id;
  const first = await newest();
  expect(first).toBeDefined();
  await contact.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(newest).not.toBe(first);
  // The address is corrected; a taken or invalid one is reported at the field.
  const mistyped = email.toLowerCase();
  const right = `rosa.lind-${tenant.mark.toLowerCase()}@highline.example`;
  await contact.getByRole('button', { name: 'Correct the address' }).click();
  const form = page.getByRole('dialog', { name: 'Correct the address' });
  const sendIt = form.getByRole('button', { name: 'Send the invitation' });
  await expect(form.getByLabel('Email')).toHaveValue(mistyped);
  await expect(sendIt).toHaveAttribute('aria-disabled', 'true');
  for (const [typed, message] of [
    ['rosa at home', 'Invalid Email'],
    [tenant.users.admin.email, 'Account already exists'],
  ] as const) {
    await form.getByLabel('Email').fill(typed);
    await sendIt.click();
    await expect(form.getByText(message)).toBeVisible();
    await expect(form.getByLabel('Email')).toBeFocused();
  }
  await form.getByLabel('Email').fill(right.toUpperCase());
  await expectAccessible(page);
  await sendIt.click();
  await expect(form).toHaveCount(0);
  await expect(page.getByText(`An invitation is on its way to ${right}.`)).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: right })).toContainText('not accepted yet');
  await expect(page.getByText(mistyped)).toHaveCount(0);
  await expect.poll(() => tenant.mailsTo(right)).toHaveLength(1);
  const { rows: made } = await tenant.owner.query('select roles, is_contact from accounts where email = $1', [right]);
  expect(made).toEqual([{ roles: [`r.${org.organizationId}.vendor`], is_contact: true }]);

  // Cancel leaves immediately without changes, and warns with them; discarded changes are not saved.
  const address = page.url();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/organization(\?|$)/u);
  await page.goto(address);
  await waitUntilLoaded(page);
  await page.getByLabel('Org name').fill('Never saved');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL(/\/organization(\?|$)/u);
  await page.goto(address);
  await waitUntilLoaded(page);
  await expect(page.getByLabel('Org name')).toHaveValue(name);

  // A save that fails because the organization no longer exists: an alert, then the list.
  await page.getByLabel('Org name').fill('Never saved');
  await tenant.owner.query('update organizations set deleted_at = now() where id = $1', [org.organizationId]);
  await save.click();
  await expect(dialog).toContainText('Error Message');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(page).toHaveURL(/\/organization(\?|$)/u);
});
