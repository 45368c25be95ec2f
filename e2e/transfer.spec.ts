import { enter, expect, rows, waitUntilLoaded, test } from './fixtures.ts';

test('OGL-04-partial the main account gives devices to another organization, and open pages follow: the old one loses them, the new one has them online in its default group', async ({
  page,
  browser,
  tenant,
}) => {
  const group = await tenant.seeding.group(tenant.org, `Moving ${tenant.mark}`);
  const moving = await tenant.routers(2, { group });
  await tenant.routers(2);
  const fleet = tenant.fleet(moving);
  await fleet.whenAllConnected();

  // Meanwhile a user of the old organization has its list open.
  const theirs = await browser.newContext({ baseURL: tenant.server.url });
  const their = await theirs.newPage();
  await enter(their, tenant.users.admin, `/devices/list?size=20&search=${moving[0]!.serial}`);
  await expect(rows(their)).toHaveCount(1);

  await enter(page, tenant.users.main, `/devices/orgList?size=20&sort=serial&org=${tenant.org.organizationId}`);
  await expect(rows(page)).toHaveCount(4);
  await page.getByRole('button', { name: 'Transfer / Delete' }).click();
  for (const { serial } of moving) await rows(page).filter({ hasText: serial }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Transfer(2)' }).click();
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  await dialog.getByRole('combobox', { name: 'Target organization' }).fill(`Other ${tenant.mark}`);
  await dialog.getByRole('option', { name: `Other ${tenant.mark}` }).click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('button', { name: 'Yes' }).click();
  await dialog.getByRole('textbox').fill('TRANSFER');
  await dialog.getByRole('button', { name: 'Transfer', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(rows(page)).toHaveCount(2);

  await expect(their.getByText('No matched results.')).toBeVisible();
  const other = await tenant.seeding.account(tenant.other, `other-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const person = { id: other, email: '', bearer: await tenant.seeding.bearer(other) };
  await theirs.close();
  const theOthers = await browser.newContext({ baseURL: tenant.server.url });
  const have = await theOthers.newPage();
  await enter(have, person, `/devices/list?search=${moving[0]!.serial}`);
  await expect(rows(have)).toContainText('default');
  await rows(have).getByText(moving[0]!.serial).click();
  await waitUntilLoaded(have);
  await expect(have.getByText('Online', { exact: true }).first()).toBeVisible();
  await theOthers.close();
});
