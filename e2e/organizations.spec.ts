import { enter, expect, expectAccessible, rows, waitUntilLoaded, test } from './fixtures.ts';

test('ORG-01 ORG-02 ORG-04 ORG-05 an organization is searched, opened and edited, a contact is invited and corrected, and its deletion signs its users out', async ({
  page,
  browser,
  tenant,
}) => {
  const name = `Ending ${tenant.mark}`;
  const org = await tenant.seeding.organization(tenant.main, name);
  await tenant.routers(2, { org });
  const person = await tenant.seeding.account(org, `ending-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const theirs = await browser.newContext({ baseURL: tenant.server.url });
  const their = await theirs.newPage();
  await enter(their, { id: person, email: '', bearer: await tenant.seeding.bearer(person) }, '/devices/list');

  await enter(page, tenant.users.main, '/organization');
  await page.getByRole('searchbox').fill(name);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('0/2');
  await rows(page).getByText(name).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Address', { exact: true }).fill('12 Canal Street');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await page.reload();
  await waitUntilLoaded(page);
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue('12 Canal Street');

  await page.getByRole('link', { name: 'Add contact' }).click();
  const email = `rosa-${tenant.mark.toLowerCase()}@highline.example`;
  await page.getByLabel('Username').fill('Rosa Lind');
  await page.getByLabel('Email').fill(`mis-${email}`);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText(`mis-${email} was invited`)).toBeVisible();
  const contact = page.getByRole('listitem').filter({ hasText: email });
  await expect(contact).toContainText('not accepted yet');
  await contact.getByRole('button', { name: 'Correct the address' }).click();
  const form = page.getByRole('dialog', { name: 'Correct the address' });
  await form.getByLabel('Email').fill(email);
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(contact).not.toContainText(`mis-${email}`);
  await expect.poll(() => tenant.mailsTo(email)).toHaveLength(1);

  await page.goto(`/organization?search=${encodeURIComponent(name)}`);
  await waitUntilLoaded(page);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await rows(page).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Delete(1)' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('textbox').fill('DELETE ORG');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(dialog).toContainText(`${name}: deleted, 2 devices returned to your inventory`);
  await expect(their).toHaveURL(/\/(login|logout)/u);
  await theirs.close();
});
