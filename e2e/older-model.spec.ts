import { enter, expect, expectAccessible, leave, waitUntilLoaded, test } from './fixtures.ts';
import type { Tenant } from './tenant.ts';

test('OLD-04 a batch number creates that many devices of one model from the stock, named name + number: all of them or none', async ({
  page,
  tenant,
}) => {
  const [first, second, third] = await tenant.routers(3, { claimed: false });
  const [taken] = await tenant.routers(1, { org: tenant.other });
  await tenant.owner.query("update devices set vehicle_number = 'Tram 010' where serial = $1", [taken!.serial]);
  const devices = async () => {
    const { rows } = await tenant.owner.query<{ vehicle_number: string; serial: string; expires_on: string }>(
      'select vehicle_number, serial, expires_on::text from devices where serial = any ($1) order by serial',
      [[first!.serial, second!.serial, third!.serial]],
    );
    return rows.map((row) => [row.vehicle_number, row.serial, row.expires_on]);
  };
  await enter(page, tenant.users.admin, '/devices/add');
  await expect(page.getByLabel('Add manually')).toBeVisible();
  await expect(page.getByLabel('Batch from stock')).toHaveCount(0);

  await leave(page);
  await enter(page, tenant.users.main, '/devices/add');
  await page.getByLabel('Batch from stock').check();
  const check = page.getByRole('button', { name: 'Check', exact: true });
  const name = page.getByRole('textbox', { name: 'Name' });
  const count = page.getByRole('textbox', { name: 'Number of devices' });
  await name.fill('Tram ');
  await check.click();
  await expect(page.getByText('Please select an org')).toBeVisible();
  await page.getByRole('button', { name: /^Org/u }).click();
  await page.getByRole('combobox', { name: 'Org' }).fill(tenant.otherName.toLowerCase());
  await page.getByRole('option', { name: tenant.otherName, exact: true }).click();
  await check.click();
  await expect(page.getByText('Please enter the Number of devices')).toBeVisible();
  await expect(page.getByText('Please enter the Expiry Date')).toBeVisible();
  await expect(count).toBeFocused();
  await page.getByRole('textbox', { name: 'First number' }).fill('008');
  await count.fill('3');
  await expect(page.getByText('Tram 008 to Tram 010')).toBeVisible();
  await page.getByLabel('Start Date').fill('01/01/2026');
  await page.getByLabel('Expiry Date').fill('12/31/2027');
  const serial = page.getByRole('textbox', { name: 'First serial number' });
  await serial.fill('NO-SUCH-ROUTER');
  await check.click();
  await expect(page.getByText('Incorrect serial number')).toBeVisible();
  await expect(serial).toBeFocused();
  await serial.fill(first!.serial);
  await check.click();
  await expect(page.getByText('A device with this name already exists. Device 3 of 3: Tram 010')).toBeVisible();
  await expect(name).toBeFocused();
  await count.fill('4');
  await check.click();
  await expect(page.getByText('Not enough routers of this model are in stock.').first()).toContainText('Device 4 of 4: Tram 011');
  expect(await devices()).toEqual([]);

  await name.fill('Bus ');
  await count.fill('3');
  await expectAccessible(page);
  await check.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('row')).toHaveText([
    'Vehicle #Serial #MAC',
    `Bus 008${first!.serial}${first!.mac}`,
    `Bus 009${second!.serial}${second!.mac}`,
    `Bus 010${third!.serial}${third!.mac}`,
  ]);
  await expectAccessible(page);
  expect(await devices()).toEqual([]);
  await dialog.getByRole('button', { name: 'Create 3 devices' }).click();
  await expect(page).toHaveURL(/\/devices\/orgList/u);
  await waitUntilLoaded(page);
  await expect(page.getByRole('row', { name: new RegExp(third!.serial, 'u') })).toHaveAttribute('data-highlighted', /.*/u);
  expect(await devices()).toEqual([
    ['Bus 008', first!.serial, '2027-12-31'],
    ['Bus 009', second!.serial, '2027-12-31'],
    ['Bus 010', third!.serial, '2027-12-31'],
  ]);
});

test("OLD-03 custom commands from a fixed set: an admin names them, pins at most two, confirms a run, and sees the router's answer", async ({
  page,
  tenant,
  request,
}) => {
  const [bus, dark] = await tenant.routers(2);
  tenant.fleet([bus!]);
  const { rows: devices } = await tenant.owner.query<{ id: string; serial: string }>(
    'select id, serial from devices where serial = any ($1) order by serial',
    [[bus!.serial, dark!.serial]],
  );
  const pageOf = (serial: string) =>
    `/devices/setting?device=${devices.find((one) => one.serial === serial)!.id}&tab=diagnostics`;
  const panel = page.getByRole('region', { name: 'Commands', exact: true });
  const dialog = page.getByRole('dialog');
  const question = page.getByRole('alertdialog');
  const head = page.locator('header', { has: page.getByRole('heading', { level: 1 }) });

  await enter(page, tenant.users.admin, pageOf(bus!.serial));
  await expect(panel).toContainText('No commands yet.');
  await expect(page.getByText('Online', { exact: true }).first()).toBeVisible();
  const define = async (name: string, kind: string, fill: () => Promise<void> = async () => {}) => {
    await panel.getByRole('button', { name: 'New command' }).click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await dialog.getByLabel('Action').selectOption({ label: kind });
    await fill();
    await dialog.getByRole('button', { name: 'Save' }).click();
  };
  await define('Find it', 'Blink the LEDs', async () => {
    await dialog.getByRole('textbox', { name: 'Seconds' }).fill('9000');
    await dialog.getByLabel('Pinned as a button').check();
  });
  await expect(dialog).toContainText('Invalid Seconds format');
  await expectAccessible(page);
  await dialog.getByRole('textbox', { name: 'Seconds' }).fill('60');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(panel.getByRole('listitem').filter({ hasText: 'Find it' })).toContainText('Blinks the LEDs for 60 s');
  await define('Find it', 'Restart');
  await expect(dialog).toContainText('A command with this name already exists.');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Start again');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await define('Abroad', 'Allow or block roaming', async () => {
    await dialog.getByLabel('Roaming').selectOption({ label: 'Blocked' });
  });
  await expect(panel.getByRole('listitem')).toHaveCount(3);
  await panel.getByRole('button', { name: 'Pin Start again' }).click();
  await expect(head.getByRole('button', { name: 'Find it' })).toBeVisible();
  await expect(head.getByRole('button', { name: 'Start again' })).toBeVisible();
  const third = panel.getByRole('button', { name: 'Pin Abroad' });
  await expect(third).toHaveAttribute('aria-disabled', 'true');
  await third.hover();
  await expect(page.getByText('Two commands are already pinned. Unpin one first.')).toBeVisible();
  await expectAccessible(page);

  await head.getByRole('button', { name: 'Find it' }).click();
  await expect(question).toContainText(`Run Find it on ${bus!.serial}?`);
  await question.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByRole('alertdialog')).toContainText(`${bus!.serial} has completed it.`);
  await page.getByRole('button', { name: 'OK' }).click();
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await expect(page.getByText(`Ran command Find it on device ${bus!.serial}`).first()).toBeVisible();
  await page.getByRole('link', { name: 'Diagnostics', exact: true }).click();

  // Another user is faster: the input stays, and is saved with the next save.
  await panel.getByRole('button', { name: 'Edit Find it' }).click();
  await dialog.getByRole('textbox', { name: 'Seconds' }).fill('30');
  const { rows: found } = await tenant.owner.query<{ id: string }>(
    "select id from custom_commands where organization_id = $1 and name = 'Find it'",
    [tenant.org.organizationId],
  );
  const faster = await request.patch(`/data_manager/v1/dm/commands/${found[0]!.id}`, {
    headers: { authorization: `Bearer ${tenant.users.admin.bearer}` },
    data: { argument: '90' },
  });
  expect(faster.status()).toBe(200);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(question).toContainText('It is now Find it: Blinks the LEDs for 90 s, pinned.');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'OK' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Seconds' })).toHaveValue('30');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(panel.getByRole('listitem').filter({ hasText: 'Find it' })).toContainText('Blinks the LEDs for 30 s');
  await expect(dialog).toHaveCount(0);

  await page.goto(pageOf(dark!.serial));
  await waitUntilLoaded(page);
  await head.getByRole('button', { name: 'Start again' }).click();
  await expect(question).toContainText('The router goes offline briefly while it restarts.');
  await question.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByText('The router is not connected. Nothing was sent.')).toBeVisible();
  await page.getByRole('button', { name: 'OK' }).click();
  await panel.getByRole('button', { name: 'Unpin Start again' }).click();
  await expect(head.getByRole('button', { name: 'Start again' })).toHaveCount(0);
  await page.goto(pageOf(bus!.serial));
  await waitUntilLoaded(page);
  await panel.getByRole('button', { name: 'Run Abroad' }).click();
  await expect(question).toContainText(`Run Abroad on ${bus!.serial}?`);
  await expect(question).toContainText('If this vehicle is roaming now, it loses its connection');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await panel.getByRole('button', { name: 'Delete Abroad' }).click();
  await question.getByRole('button', { name: 'Yes' }).click();
  await expect(panel.getByRole('listitem')).toHaveCount(2);

  await leave(page);
  await enter(page, tenant.users.user, pageOf(bus!.serial));
  await expect(panel.getByRole('listitem')).toHaveCount(2);
  await expect(panel.getByRole('button', { name: 'New command' })).toHaveCount(0);
  await expect(panel.getByRole('button', { name: 'Run Find it' })).toHaveAttribute('aria-disabled', 'true');
  await expect(head.getByRole('button', { name: 'Find it' })).toHaveAttribute('aria-disabled', 'true');
});

test('OLD-01 an organization lists its full-control and read-only accounts; an admin grants a user Full Control of a group, and changes it to Only Read', async ({
  page,
  tenant,
  request,
}) => {
  const name = `Controlled ${tenant.mark}`;
  const group = await tenant.seeding.group(tenant.org, name);
  const [bus] = await tenant.routers(1);
  const { email } = tenant.users.user;
  const organizations = await request.get('/dmp_aa/api/v1/services/', {
    headers: { authorization: `Bearer ${tenant.users.admin.bearer}` },
  });
  const { list } = (await organizations.json()).result as { list: { fullControl: string[]; onlyRead: string[] }[] };
  expect(list[0]!.fullControl).toContain(tenant.users.admin.email);
  expect(list[0]!.onlyRead).toContain(email);
  const dialog = page.getByRole('dialog');
  const inList = () => page.getByRole('row', { name: new RegExp(name, 'u') });

  await enter(page, tenant.users.user, '/groups/list?search=Controlled');
  await inList().click();
  await expect(dialog).toContainText(`Devices of ${name}`);
  await waitUntilLoaded(page);
  await expect(dialog.getByRole('button', { name: 'Edit group' })).toHaveCount(0);

  await leave(page);
  await enter(page, tenant.users.admin, `/groups/detail?group=${group}`);
  const permission = page.getByLabel(`Permission of ${email}`);
  const panel = page.getByRole('region', { name: 'Permissions' });
  await expect(panel).toContainText('0 users can change this group.');
  await expect(permission).toHaveCount(0);
  await panel.getByRole('button', { name: 'Edit' }).click();
  await expect(permission).toHaveValue('read');
  await permission.selectOption({ label: 'Full Control' });
  await expect.poll(async () => (await controls(tenant, group)).length).toBe(1);
  await expect(permission).toHaveValue('full');
  await expect(panel).toContainText('1 user can change this group.');
  await expectAccessible(page);

  await leave(page);
  await enter(page, tenant.users.user, '/groups/list?search=Controlled');
  await inList().click();
  await dialog.getByRole('button', { name: 'Edit group' }).click();
  await expect(dialog).toContainText('Only admins can change firmware, config file and schedule.');
  await dialog.getByRole('textbox', { name: 'Description' }).fill('night buses');
  await dialog.getByRole('button', { name: 'Devices Edit' }).click();
  const move = page.getByRole('dialog', { name: new RegExp(`Devices of ${name}`, 'u') });
  await move
    .getByRole('row', { name: new RegExp(bus!.serial, 'u') })
    .getByRole('checkbox')
    .check();
  await move.getByRole('button', { name: 'Move into group' }).click();
  await move.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('+1 / −0 devices');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(inList()).toContainText('night buses');
  const { rows: moved } = await tenant.owner.query('select group_key from devices where serial = $1', [bus!.serial]);
  expect(moved).toEqual([{ group_key: group }]);

  // Revoked while the user has the form open: the next save is rejected.
  await inList().click();
  await dialog.getByRole('button', { name: 'Edit group' }).click();
  await dialog.getByRole('textbox', { name: 'Description' }).fill('day buses');
  const taken = await request.patch(`/data_manager/v1/dm/group/${group}/accounts`, {
    headers: { authorization: `Bearer ${tenant.users.admin.bearer}` },
    data: { account: tenant.users.user.id, control: 'read' },
  });
  expect(taken.status()).toBe(200);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Permission denied')).toBeVisible();
  const { rows: kept } = await tenant.owner.query('select description from groups where key = $1', [group]);
  expect(kept).toEqual([{ description: 'night buses' }]);
});

async function controls({ owner }: Tenant, group: string) {
  return (await owner.query('select account_id from group_controls where group_key = $1', [group])).rows;
}

test('OLD-02 properties are bool, number, string or picture: adding one is confirmed and final, an admin sets them, a user reads them', async ({
  page,
  tenant,
  request,
}) => {
  const [bus] = await tenant.routers(1);
  const { rows } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [bus!.serial]);
  const path = `/devices/setting?device=${rows[0]!.id}`;
  const panel = page.getByRole('region', { name: 'Properties', exact: true });
  const dialog = page.getByRole('dialog');
  const question = page.getByRole('alertdialog');
  const line = (name: string) => panel.locator('.property').filter({ has: page.getByText(name, { exact: true }) });

  await enter(page, tenant.users.admin, path);
  await expect(panel).toContainText('No properties yet.');
  const save = dialog.getByRole('button', { name: 'Save' });
  const fill = async (name: string, type: string, unit = '') => {
    await panel.getByRole('button', { name: 'New property' }).click();
    await expect(save).toHaveAttribute('aria-disabled', 'true');
    await expect(dialog.getByLabel('Type').locator('option')).toHaveText(['Yes or no', 'Number', 'Text', 'Picture']);
    await dialog.getByLabel('Type').selectOption({ label: type });
    await expect(dialog.getByRole('textbox', { name: 'Unit' })).toHaveCount(type === 'Number' ? 1 : 0);
    if (unit !== '') await dialog.getByRole('textbox', { name: 'Unit' }).fill(unit);
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await save.click();
  };
  await fill('Mileage', 'Number', 'km');
  await expect(question).toContainText('Add the property Mileage (Number) to all devices?');
  await expect(question).toContainText('A property cannot be changed or removed later.');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'No', exact: true }).click();
  await expect(question).toHaveCount(0);
  const properties = 'select name from custom_properties where organization_id = $1';
  expect((await tenant.owner.query(properties, [tenant.org.organizationId])).rows).toEqual([]);
  await save.click();
  await question.getByRole('button', { name: 'Yes', exact: true }).click();
  await expect(line('Mileage')).toContainText('Not set');
  await expect(dialog).toHaveCount(0);
  for (const [name, type] of [
    ['Colour', 'Text'],
    ['Low floor', 'Yes or no'],
    ['Photo', 'Picture'],
  ] as const) {
    await fill(name, type);
    await question.getByRole('button', { name: 'Yes', exact: true }).click();
    await expect(line(name)).toContainText('Not set');
    await expect(dialog).toHaveCount(0);
  }
  await fill('Colour', 'Number');
  await question.getByRole('button', { name: 'Yes', exact: true }).click();
  await expect(dialog).toContainText('A property with this name already exists.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Yes', exact: true }).click();

  const edit = (name: string) => panel.getByRole('button', { name: `Edit ${name}` });
  await edit('Mileage').click();
  await dialog.getByRole('textbox', { name: 'Mileage (km)' }).fill('12 000');
  await save.click();
  await expect(dialog).toContainText('Invalid Mileage format');
  await dialog.getByRole('textbox', { name: 'Mileage (km)' }).fill('12000.5');
  await save.click();
  await expect(line('Mileage')).toContainText('12,000.5 km');
  await edit('Colour').click();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('textbox', { name: 'Colour' }).fill('Red & <b>white</b>');
  await save.click();
  await expect(line('Colour')).toContainText('Red & <b>white</b>');
  // Another user is faster: the input stays, and is saved with the next save.
  await edit('Colour').click();
  await dialog.getByRole('textbox', { name: 'Colour' }).fill('Green');
  const faster = await request.patch(`/data_manager/v1/dm/properties/colour/${rows[0]!.id}`, {
    headers: { authorization: `Bearer ${tenant.users.admin.bearer}` },
    data: { value: 'Blue' },
  });
  expect(faster.status()).toBe(200);
  await save.click();
  await expect(question).toContainText('Someone else changed Colour. It is now: Blue.');
  await question.getByRole('button', { name: 'OK' }).click();
  await expect(line('Colour')).toContainText('Blue');
  await expect(dialog.getByRole('textbox', { name: 'Colour' })).toHaveValue('Green');
  await save.click();
  await expect(line('Colour')).toContainText('Green');
  await expect(dialog).toHaveCount(0);

  const floor = panel.getByRole('combobox', { name: 'Low floor' });
  for (const [word, value] of [
    ['No', 'no'],
    ['Not set', 'unset'],
    ['Yes', 'yes'],
  ] as const) {
    await floor.selectOption({ label: word });
    await expect(floor).toHaveValue(value);
  }
  const auditQuery = 'select detail from audit_entries where action = $1 order by seq';
  const { rows: entries } = await tenant.owner.query<{ detail: { before: unknown; after: unknown } }>(auditQuery, [
    `Set Low floor of device ${bus!.serial}`,
  ]);
  expect(entries.map(({ detail }) => [detail.before, detail.after])).toEqual([
    [null, false],
    [false, null],
    [null, true],
  ]);

  await edit('Photo').click();
  const file = dialog.locator('input[type=file]');
  await file.setInputFiles({ name: 'photo.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') });
  await expect(dialog).toContainText('Only PNG, JPEG and WebP pictures are supported.');
  await file.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: Buffer.alloc(2 * 1024 * 1024 + 1) });
  await expect(dialog).toContainText('A picture can be at most 2 MB.');
  await file.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') });
  await save.click();
  await expect(dialog).toContainText('Only PNG, JPEG and WebP pictures are supported.');
  await file.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: await page.screenshot() });
  await save.click();
  const picture = panel.getByRole('img', { name: 'Picture of Photo' });
  const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBe(page.viewportSize()!.width);
  await expect(dialog).toHaveCount(0);
  await expect(panel.getByRole('button')).toHaveCount(4);
  await expect(page.getByText(`Set Photo of device ${bus!.serial}`)).toBeVisible();
  await expectAccessible(page);

  await leave(page);
  await enter(page, tenant.users.user, path);
  await expect(line('Mileage')).toContainText('12,000.5 km');
  await expect(line('Low floor')).toContainText('Yes');
  await expect.poll(width).toBe(page.viewportSize()!.width);
  await expect(panel.getByRole('button')).toHaveCount(0);
  await expect(panel.getByRole('combobox')).toHaveCount(0);
  await expectAccessible(page);

  await leave(page);
  await enter(page, tenant.users.admin, path);
  await edit('Photo').click();
  await dialog.getByRole('button', { name: 'Remove picture' }).click();
  await question.getByRole('button', { name: 'Yes', exact: true }).click();
  await expect(line('Photo')).toContainText('Not set');
});
