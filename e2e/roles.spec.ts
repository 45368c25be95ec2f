import { enter, expect, expectAccessible, leave, rows, test, visit, waitUntilLoaded } from './fixtures.ts';

test('IAM-03 an admin makes a role and gives it to a user, who finds what it opens, and loses a right at once', async ({
  page,
  browser,
  tenant,
}) => {
  const name = `Dispatcher ${tenant.mark}`;
  const { admin, user } = tenant.users;
  await enter(page, admin, '/users');
  await page.getByRole('button', { name: 'Sign-in and access' }).click();
  await page.getByRole('menuitem', { name: 'Roles', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Roles' })).toBeVisible();
  await page.getByRole('button', { name: 'Make a role' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make a role' });
  await dialog.getByLabel('Name').fill(name);
  for (const right of ['Read: Alerts', 'Read: Groups', 'Change: Groups'])
    await dialog.getByRole('checkbox', { name: right, exact: true }).check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Make', exact: true }).click();
  await expect(rows(page).filter({ hasText: name })).toContainText('0 people');
  await expectAccessible(page);

  await visit(page, `/users/detail?user=${user.id}`);
  await page.getByLabel('Role').selectOption({ label: name });
  await expect(page.getByText('Reads and changes')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await expectAccessible(page);

  const own = await browser.newContext();
  const theirs = await own.newPage();
  await enter(theirs, user, '/groups/list');
  await waitUntilLoaded(theirs);
  const menu = theirs.getByRole('navigation', { name: 'Menu' });
  await expect(menu.getByRole('link', { name: 'Devices', exact: true })).toBeVisible();
  await expect(menu.getByRole('link', { name: 'Geofences' })).toHaveCount(0);
  await expect(theirs.getByRole('button', { name: 'Add', exact: true })).toBeVisible();
  await visit(theirs, '/geofences');
  await expect(theirs.getByText(`Your role ${name} does not have the right “Read: Geofences”.`)).toBeVisible();
  await expectAccessible(theirs);

  // The right to read groups goes: the open console follows.
  await visit(theirs, '/groups/list');
  await visit(page, '/roles');
  await page.getByRole('button', { name, exact: true }).click();
  const edited = page.getByRole('dialog', { name: `Role ${name}` });
  await expect(edited.getByText(user.email)).toBeVisible();
  for (const right of ['Read: Groups', 'Change: Groups'])
    await edited.getByRole('checkbox', { name: right, exact: true }).uncheck();
  await edited.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(theirs.getByText(`Your role ${name} does not have the right “Read: Groups”.`)).toBeVisible();
  await own.close();

  // A role that someone has goes with another one for them.
  await page.getByRole('button', { name: `Delete the role ${name}` }).click();
  const deletion = page.getByRole('dialog', { name: `Delete the role ${name}?` });
  await expect(deletion.getByText('1 person has it and needs another role.')).toBeVisible();
  await expectAccessible(page);
  await deletion.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(rows(page).filter({ hasText: name })).toHaveCount(0);
  await leave(page);
});
