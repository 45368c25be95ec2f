import { enter, expect, headers, rows, waitUntilLoaded, test } from './fixtures.ts';

const columns = ['#', 'Service Status', 'Expiration Date', 'Device Serial#', 'Device Model', 'Org'];

test('OGL-01 OGL-04 the main account gives devices to another organization in three dialogs; history goes along, bindings do not, and open pages follow', async ({
  page,
  browser,
  tenant,
}) => {
  const group = await tenant.seeding.group(tenant.org, `Moving ${tenant.mark}`);
  const moving = await tenant.routers(2, { group });
  const [staying] = await tenant.routers(2);
  const fleet = tenant.fleet(moving);
  await fleet.whenAllConnected();
  const search = `/devices/orgList?size=20&sort=serial&org=${tenant.org.organizationId}`;

  // Meanwhile a user of the old organization has its list and one of the devices open.
  const theirs = await browser.newContext({ baseURL: tenant.server.url });
  const their = await theirs.newPage();
  await enter(their, tenant.users.admin, `/devices/list?size=20&search=${moving[0]!.serial}`);
  await expect(rows(their)).toHaveCount(1);
  const other = await tenant.seeding.account(tenant.other, `other-${tenant.mark.toLowerCase()}@highline.example`, 'admin');

  await enter(page, tenant.users.main, '/devices/orgList');
  await expect(rows(page)).toHaveCount(3);
  // The first column has the checkboxes.
  await expect.poll(async () => (await headers(page)).slice(1)).toEqual(columns);
  await expect(rows(page).locator('td:nth-child(2)')).toHaveText(['1', '2', '3']);
  await expect(page.getByLabel('Rows', { exact: true })).toHaveValue('3');
  await expect(page.getByRole('button', { name: 'Clear', exact: true })).toBeDisabled();
  for (const [filter, options] of [
    ['Service Status', ['All status', 'Subscribed', 'Expiring', 'Not subscribed']],
    ['Expiration date', ['All dates', 'Today', 'This week', 'This month']],
  ] as const) {
    await page
      .getByRole('button', { name: new RegExp(filter, 'u') })
      .first()
      .click();
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText(options);
    await page.keyboard.press('Escape');
  }
  await expect(page.getByLabel('Search in').locator('option')).toHaveText(['Serial #', 'Organization', 'Vehicle #']);
  await expect(page.getByRole('link', { name: 'Add', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Download(.csv)' })).toBeVisible();
  await page.goto(search);
  await waitUntilLoaded(page);
  await expect(rows(page)).toHaveCount(4);

  // The mode: nothing picked, nothing done; Cancel forgets.
  await page.getByRole('button', { name: 'Transfer / Delete' }).click();
  await expect(page.getByRole('button', { name: 'Transfer(0)' })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('button', { name: 'Delete(0)' })).toHaveAttribute('aria-disabled', 'true');
  const pick = (serial: string) => rows(page).filter({ hasText: serial }).getByRole('checkbox').check();
  await pick(moving[0]!.serial);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Transfer / Delete' }).click();
  await expect(page.getByRole('button', { name: 'Transfer(0)' })).toBeVisible();
  for (const { serial } of moving) await pick(serial);

  // The target, the confirmation, and the typed text.
  await page.getByRole('button', { name: 'Transfer(2)' }).click();
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  await expect(dialog.getByRole('button', { name: 'Continue' })).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('combobox', { name: 'Target organization' }).fill(`Other ${tenant.mark}`);
  await dialog.getByRole('option', { name: `Other ${tenant.mark}` }).click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toContainText(`transfer the 2 selected devices to Other ${tenant.mark}`);
  await expect(dialog).toContainText(moving[1]!.serial);
  await dialog.getByRole('button', { name: 'Yes' }).click();
  const transfer = dialog.getByRole('button', { name: 'Transfer', exact: true });
  for (const wrong of ['', 'transfer', ' TRANSFER', 'TRANSFER ', 'TRANSFERS']) {
    await dialog.getByRole('textbox').fill(wrong);
    await expect(transfer).toHaveAttribute('aria-disabled', 'true');
    await dialog.getByRole('textbox').press('Enter');
  }
  await dialog.getByRole('textbox').fill('TRANSFER');
  await transfer.click();
  await expect(dialog).toHaveCount(0);
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).filter({ hasText: staying!.serial })).toBeVisible();

  // The open page of the old organization has lost it; the new one has it, online, in its default group, with its history.
  await expect(their.getByText('No matched results.')).toBeVisible();
  await theirs.close();
  const theOthers = await browser.newContext({ baseURL: tenant.server.url });
  const have = await theOthers.newPage();
  const person = { id: other, email: '', bearer: await tenant.seeding.bearer(other) };
  await enter(have, person, `/devices/list?search=${moving[0]!.serial}`);
  await expect(rows(have)).toHaveCount(1);
  await expect(rows(have)).toContainText('default');
  await rows(have).getByText(moving[0]!.serial).click();
  await waitUntilLoaded(have);
  await expect(have.getByText('Online', { exact: true }).first()).toBeVisible();
  await theOthers.close();
  const { rows: intervals } = await tenant.owner.query(
    `select o.organization_id = $2 as gone_to_other from router_ownership o join routers r on r.id = o.router_id
      where r.serial = $1 order by o.owned_from`,
    [moving[0]!.serial, tenant.other.organizationId],
  );
  expect(intervals).toEqual([{ gone_to_other: false }, { gone_to_other: true }]);
});

test('OGL-04-partial a transfer names the vehicles that the target starts an update on, and asks again when that has changed', async ({
  page,
  tenant,
}) => {
  const [moving] = await tenant.routers(1);
  const fleet = tenant.fleet([moving!]);
  await fleet.whenAllConnected();
  const vehicle = `Bus ${tenant.mark}`;
  await tenant.owner.query('update devices set vehicle_number = $2 where serial = $1', [moving!.serial, vehicle]);
  const bind = async (name: string) =>
    tenant.seeding.binding(tenant.other, {
      kind: 'config',
      group: 'default+group+id',
      file: await tenant.seeding.config(tenant.other, { name }),
      schedule: 'immediate',
    });
  await bind('one.cfg');

  await enter(page, tenant.users.main, `/devices/orgList?size=20&sort=serial&org=${tenant.org.organizationId}`);
  await page.getByRole('button', { name: 'Transfer / Delete' }).click();
  await rows(page).filter({ hasText: moving!.serial }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Transfer(1)' }).click();
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  await dialog.getByRole('combobox', { name: 'Target organization' }).fill(`Other ${tenant.mark}`);
  await dialog.getByRole('option', { name: `Other ${tenant.mark}` }).click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toContainText(`Config file one.cfg is bound in the default group of Other ${tenant.mark}.`);
  await expect(dialog).toContainText('1 vehicle reconnects with it now:');
  await expect(dialog).toContainText(vehicle);
  await dialog.getByRole('button', { name: 'Yes' }).click();

  // Another file is bound before the word is typed.
  await bind('two.cfg');
  await dialog.getByRole('textbox').fill('TRANSFER');
  await dialog.getByRole('button', { name: 'Transfer', exact: true }).click();
  await expect(dialog).toContainText('This has changed since you confirmed it.');
  await expect(dialog).toContainText('Config file two.cfg is bound');
  await dialog.getByRole('button', { name: 'Yes' }).click();
  await dialog.getByRole('textbox').fill('TRANSFER');
  await dialog.getByRole('button', { name: 'Transfer', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(rows(page).filter({ hasText: moving!.serial })).toHaveCount(0);
});
