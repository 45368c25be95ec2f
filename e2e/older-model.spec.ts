import { enter, expect, leave, test } from './fixtures.ts';

test("OLD-01 OLD-02 OLD-03 a user with Full Control moves a vehicle into a group; a custom command shows the router's answer; a property has a picture", async ({
  page,
  tenant,
  request,
}) => {
  const name = `Controlled ${tenant.mark}`;
  const group = await tenant.seeding.group(tenant.org, name);
  const [bus] = await tenant.routers(1);
  await tenant.fleet([bus!]).whenAllConnected();
  const { email } = tenant.users.user;
  const organizations = await request.get('/dmp_aa/api/v1/services/', {
    headers: { authorization: `Bearer ${tenant.users.admin.bearer}` },
  });
  const { list } = (await organizations.json()).result as { list: { fullControl: string[]; onlyRead: string[] }[] };
  expect(list[0]!.fullControl).toContain(tenant.users.admin.email);
  expect(list[0]!.onlyRead).toContain(email);
  const dialog = page.getByRole('dialog');
  const question = page.getByRole('alertdialog');

  await enter(page, tenant.users.admin, `/groups/detail?group=${group}`);
  await page.getByRole('region', { name: 'Permissions' }).getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel(`Permission of ${email}`).selectOption({ label: 'Full Control' });
  await expect(page.getByRole('region', { name: 'Permissions' })).toContainText('1 user can change this group.');
  await leave(page);
  await enter(page, tenant.users.user, '/groups/list?search=Controlled');
  await page.getByRole('row', { name: new RegExp(name, 'u') }).click();
  await dialog.getByRole('button', { name: 'Edit group' }).click();
  await dialog.getByRole('button', { name: 'Devices Edit' }).click();
  const move = page.getByRole('dialog', { name: new RegExp(`Devices of ${name}`, 'u') });
  await move
    .getByRole('row', { name: new RegExp(bus!.serial, 'u') })
    .getByRole('checkbox')
    .check();
  await move.getByRole('button', { name: 'Move into group' }).click();
  await move.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Edit success')).toBeVisible();
  const { rows: moved } = await tenant.owner.query('select id, group_key from devices where serial = $1', [bus!.serial]);
  expect(moved[0]!.group_key).toBe(group);

  await leave(page);
  await enter(page, tenant.users.admin, `/devices/setting?device=${moved[0]!.id}&tab=diagnostics`);
  await page.getByRole('button', { name: 'New command' }).click();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Find it');
  await dialog.getByLabel('Action').selectOption({ label: 'Blink the LEDs' });
  await dialog.getByLabel('Pinned as a button').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  const head = page.locator('header', { has: page.getByRole('heading', { level: 1 }) });
  await head.getByRole('button', { name: 'Find it' }).click();
  await question.getByRole('button', { name: 'Run' }).click();
  await expect(question).toContainText(`${bus!.serial} has completed it.`);
  await page.getByRole('button', { name: 'OK' }).click();
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await expect(page.getByText(`Ran command Find it on device ${bus!.serial}`).first()).toBeVisible();

  await page.getByRole('link', { name: 'Overview', exact: true }).last().click();
  const panel = page.getByRole('region', { name: 'Properties', exact: true });
  await panel.getByRole('button', { name: 'New property' }).click();
  await dialog.getByLabel('Type').selectOption({ label: 'Picture' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Photo');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await question.getByRole('button', { name: 'Yes', exact: true }).click();
  await panel.getByRole('button', { name: 'Edit Photo' }).click();
  const file = dialog.locator('input[type=file]');
  await file.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Only PNG, JPEG and WebP pictures are supported.');
  await file.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: await page.screenshot() });
  await dialog.getByRole('button', { name: 'Save' }).click();
  const picture = panel.getByRole('img', { name: 'Picture of Photo' });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(page.viewportSize()!.width);
});
