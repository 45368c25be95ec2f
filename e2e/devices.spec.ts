import { enter, expect, expectAccessible, headers, leave, rows, waitUntilLoaded, showRows, test, visit } from './fixtures.ts';
import type { Page } from '@playwright/test';
import { INDEFINITE_MS } from './tenant.ts';

const row = (page: Page, serial: string) => rows(page).filter({ hasText: serial });

test('DEV-08 DEV-09 a router is online while it is connected, reports its details, goes offline when it dies and reconnects on its own', async ({
  page,
  tenant,
}) => {
  const [router, silent] = await tenant.routers(2);
  await enter(page, tenant.users.admin, '/devices/list');
  await showRows(page, 20);
  await expect(row(page, router!.serial)).toContainText('Never connected');
  const fleet = tenant.fleet([router!, silent!]);
  const mine = row(page, router!.serial);
  await expect(mine).toContainText('Online');
  for (const reported of ['HL-R520 5G', '2.8.1', 'depot.cfg', 'Verizon']) await expect(mine).toContainText(reported);
  await expect(mine).toContainText(/\d+d \d\d:\d\d:\d\d/u);
  await visit(page, `/dashboard`);
  await showRows(page, 20);
  for (const number of [/\d{15}/u, /89\d{17,18}/u, /1\d{10}/u]) await expect(row(page, router!.serial)).toContainText(number);
  await visit(page, '/devices/list?size=20');
  const [plain, still] = [router!, silent!].map(({ serial }) => fleet.routers.get(serial)!);
  plain!.powerCut(INDEFINITE_MS);
  await expect(mine).toContainText('Offline');
  plain!.reboot();
  await expect(mine).toContainText('Online', { timeout: 90_000 });
  // No close of the connection, only silence.
  still!.lostCoverage(INDEFINITE_MS);
  await expect(row(page, silent!.serial)).toContainText('Offline', { timeout: 90_000 });
  still!.lostCoverage(0);
  await expect(row(page, silent!.serial)).toContainText('Online', { timeout: 90_000 });
});

test('DEV-01 DEV-02 the list has its columns, pages of three, filters, searches and a CSV of the visible data', async ({
  page,
  tenant,
}) => {
  const group = await tenant.seeding.group(tenant.org, `Depot ${tenant.mark}`);
  const soon = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10).split('-');
  const [subscribed] = await tenant.routers(1, { group });
  const [expiring] = await tenant.routers(1, { group, expired: `${soon[1]}/${soon[2]}/${soon[0]}` });
  const [ended] = await tenant.routers(1, { group, expired: '02/01/2026' });
  await tenant.owner.query("update devices set vehicle_number = 'Bus 77', note = 'Spare SIM' where serial = $1", [
    subscribed!.serial,
  ]);
  await tenant.owner.query("update devices set presence_since = now() - interval '1 hour' where serial = any ($1)", [
    [expiring!.serial, ended!.serial],
  ]);
  const fleet = tenant.fleet([subscribed!]);
  await fleet.whenAllConnected();
  await enter(page, tenant.users.admin, '/dashboard');
  const [extra] = await tenant.routers(1, { group });
  await visit(page, `/devices/list?group=${encodeURIComponent(group)}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Devices');
  await expect(page.getByText('1–3 of 4')).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  await expect
    // The first column has the checkboxes.
    .poll(async () => (await headers(page)).slice(1))
    .toEqual([
      'Device Serial#',
      'Online Status',
      'Service Status',
      'Vehicle#',
      'Device Model',
      'Group',
      'Carrier',
      'Uptime',
      'Firmware',
      'Config File',
      'Notes',
    ]);
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByText('4–4 of 4')).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  for (const [filter, options] of [
    ['Service Status', ['All status', 'Subscribed', 'Expiring', 'Not subscribed']],
    ['Online Status', ['Online and offline', 'Online', 'Offline']],
  ] as const) {
    await page
      .getByRole('button', { name: new RegExp(filter, 'u') })
      .first()
      .click();
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText(options);
    await page.keyboard.press('Escape');
  }
  await expect(page.getByLabel('Search in').locator('option')).toHaveText(['Serial #', 'Vehicle #', 'Group', 'Config file']);
  await tenant.owner.query('delete from devices where serial = $1', [extra!.serial]);
  await visit(page, `/devices/list?group=${encodeURIComponent(group)}`);
  await expect(rows(page)).toHaveCount(3);
  await expect(row(page, subscribed!.serial)).toContainText('Subscribed');
  await expect(row(page, subscribed!.serial)).toContainText('Bus 77');
  await expect(row(page, subscribed!.serial)).toContainText('Spare SIM');
  await expect(row(page, expiring!.serial)).toContainText('Expiring');
  await expect(row(page, ended!.serial)).toContainText('Not Subscribed');
  const icon = (serial: string, word: string) => row(page, serial).locator('.status', { hasText: word }).locator('svg');
  await expect(icon(subscribed!.serial, 'Subscribed')).toHaveAttribute('data-icon', 'online');
  await expect(icon(expiring!.serial, 'Expiring')).toHaveAttribute('data-icon', 'expired');
  await expect(icon(ended!.serial, 'Not Subscribed')).toHaveAttribute('data-icon', 'expired');

  const pick = async (filter: string, option: string) => {
    await page
      .getByRole('button', { name: new RegExp(filter, 'u') })
      .first()
      .click();
    await page.getByRole('option', { name: option, exact: true }).click();
    await waitUntilLoaded(page);
  };
  await pick('Service Status', 'Expiring');
  await expect(rows(page)).toHaveCount(1);
  await expect(row(page, expiring!.serial)).toBeVisible();
  await pick('Service Status', 'Not subscribed');
  await expect(row(page, ended!.serial)).toBeVisible();
  await pick('Service Status', 'All status');
  await expect(rows(page)).toHaveCount(3);
  await pick('Online Status', 'Online');
  await expect(rows(page)).toHaveCount(1);
  await expect(row(page, subscribed!.serial)).toBeVisible();
  await pick('Online Status', 'Offline');
  await expect(rows(page)).toHaveCount(2);
  // The same by hand: the group from its list, and each field that can be searched.
  await visit(page, '/devices/list?size=50');
  await pick('Filter by Group', `Depot ${tenant.mark}`);
  await expect(rows(page)).toHaveCount(3);
  for (const [field, text] of [
    ['Serial #', subscribed!.serial],
    ['Vehicle #', 'Bus 77'],
    ['Config file', 'depot.c'],
  ] as const) {
    await page.getByLabel('Search in').selectOption({ label: field });
    await page.getByRole('searchbox').fill(text);
    await expect(rows(page)).toHaveCount(1);
    await expect(row(page, subscribed!.serial)).toBeVisible();
  }
  await page.getByLabel('Search in').selectOption({ label: 'Group' });
  await page.getByRole('searchbox').fill(`Depot ${tenant.mark}`);
  await expect(rows(page)).toHaveCount(3);
  await visit(page, `/devices/list?field=vehicle&search=Bus%2077&group=${encodeURIComponent(group)}`);
  await expect(rows(page)).toHaveCount(1);
  await visit(page, `/devices/list?field=group&search=${encodeURIComponent(`Depot ${tenant.mark}`)}`);
  await expect(rows(page)).toHaveCount(3);
  await visit(page, `/devices/list?field=config&search=depot.c&group=${encodeURIComponent(group)}`);
  await expect(rows(page)).toHaveCount(1);
  // A group is searched by name; the filter by a deleted one stays and is labelled so.
  await visit(page, '/devices/list?group=no-such-group');
  await expect(page.getByText('Group: a deleted group')).toBeVisible();
  await expect(rows(page).filter({ hasText: tenant.mark })).toHaveCount(0);
  await page.getByRole('button', { name: 'Filter by Group' }).click();
  await page.getByRole('combobox', { name: 'Group' }).fill(`Depot ${tenant.mark}`);
  await expect(page.getByRole('option', { name: 'All groups' })).toHaveCount(0);
  await page.getByRole('option', { name: `Depot ${tenant.mark}`, exact: true }).click();
  await expect(page.getByText(`Group: Depot ${tenant.mark}`)).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  await visit(page, `/devices/list?field=config&search=depot.c&group=${encodeURIComponent(group)}`);
  await expect(rows(page)).toHaveCount(1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download(.csv)' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Devices_export.csv');
  const text = await (await import('node:fs/promises')).readFile(await download.path(), 'utf8');
  const lines = text.trim().split('\r\n');
  expect(text.codePointAt(0)).toBe(0xfeff);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(subscribed!.serial);
  expect(lines[0]).toBe(
    'Device Serial#,Online Status,Service Status,Vehicle#,Device Model,Group,Carrier,Uptime,Firmware,Config File,Notes',
  );
});

test('DEV-03 a click on a row opens the device for an admin; a user has a View link instead, to the read-only page; service status and group lead to their lists', async ({
  page,
  tenant,
}) => {
  const name = `Leads ${tenant.mark}`;
  const group = await tenant.seeding.group(tenant.org, name);
  const [router] = await tenant.routers(1, { group });
  await enter(page, tenant.users.admin, `/devices/list?search=${router!.serial}`);
  await row(page, router!.serial).locator('td').nth(4).click();
  await expect(page).toHaveURL(/\/devices\/setting\?device=/u);
  // The way back keeps the filters.
  await page.locator('.page-header').getByRole('link', { name: 'Devices', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/devices/list\\?search=${router!.serial}$`, 'u'));
  for (const [link, address] of [
    ['Subscribed', /\/devices\/service(\?|$)/u],
    [name, /\/groups\/list(\?|$)/u],
  ] as const) {
    await visit(page, `/devices/list?search=${router!.serial}`);
    await row(page, router!.serial).getByRole('link', { name: link, exact: true }).click();
    await expect(page).toHaveURL(address);
    await waitUntilLoaded(page);
  }
  // The group is found on its own page of the list, and marked.
  await expect(rows(page).filter({ hasText: name })).toBeVisible();
  await leave(page);
  await enter(page, tenant.users.user, `/devices/list?search=${router!.serial}`);
  const mine = row(page, router!.serial);
  await mine.locator('td').nth(4).click();
  await expect(page).toHaveURL(/\/devices\/list/u);
  // Without a vehicle number the link is named by the serial number.
  const view = mine.getByRole('link', { name: `View ${router!.serial}`, exact: true });
  await expect(view).toHaveText('View');
  await tenant.owner.query("update devices set vehicle_number = 'Bus 12' where serial = $1", [router!.serial]);
  await page.reload();
  await expect(mine).toContainText('Bus 12');
  await expectAccessible(page);
  await mine.getByRole('link', { name: 'View Bus 12', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/devices\/setting\?device=/u);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bus 12');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect(page.getByLabel('Vehicle#')).toHaveAttribute('readonly', '');
});

test('DEV-04 SHR-07-partial SHR-03-partial delete mode selects rows, counts them, confirms, deletes and reports it; a user may not', async ({
  page,
  tenant,
}) => {
  const routers = await tenant.routers(3);
  const fleet = tenant.fleet([routers[0]!]);
  await fleet.whenAllConnected();
  await enter(page, tenant.users.admin, `/devices/list?search=${tenant.mark}&size=50&sort=-serial`);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const remove = page.getByRole('button', { name: /^Delete\(/u });
  await expect(remove).toHaveText('Delete(0)');
  await expect(remove).toHaveAttribute('aria-disabled', 'true');
  await row(page, routers[0]!.serial).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  for (const { serial } of routers.slice(0, 2)) await row(page, serial).getByRole('checkbox').check();
  await expect(remove).toHaveText('Delete(2)');
  await remove.click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Warning');
  await expect(dialog).toContainText('Are you sure you want to delete the selected devices?');
  await expect(dialog).toContainText('This action is permanent and cannot be undone.');
  await expect(dialog).toContainText('running updates stop');
  await expect(dialog).toContainText(routers[0]!.serial);
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Delete Success')).toBeVisible();
  await expect(row(page, routers[0]!.serial)).toHaveCount(0);
  await expect(row(page, routers[2]!.serial)).toHaveCount(1);
  await leave(page);
  await enter(page, tenant.users.user, '/devices/list');
  await expect(page.getByRole('button', { name: 'Delete', exact: true })).toHaveAttribute('aria-disabled', 'true');
});

test('DEV-05 DEV-06-partial devices are added by hand, for a chosen organization by the main account; every error is shown at its field', async ({
  page,
  tenant,
}) => {
  const [first, second, third] = await tenant.routers(3, { claimed: false });
  await enter(page, tenant.users.admin, '/devices/list');
  await page.getByRole('link', { name: 'Add' }).click();
  await expect(page).toHaveURL(/\/devices\/add/u);
  await page.getByLabel('Add manually').check();
  const serial = page.getByLabel('Serial number');
  const mac = page.getByLabel('MAC address');
  await expect(page.getByRole('button', { name: 'Group default' })).toBeVisible();
  await serial.fill('NO-SUCH-ROUTER');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('Please enter the MAC address')).toBeVisible();
  await expect(page.getByText('Please enter the Start Date')).toBeVisible();
  await expect(mac).toBeFocused();
  await expect(page.getByText('00B2D056C227')).toBeVisible();
  await mac.fill('00:B2:D0');
  await page.getByLabel('Start Date').fill('12/31/2026');
  await page.getByLabel('Expiry Date').fill('01/01/2026');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('Invalid MAC address format')).toBeVisible();
  await expect(page.getByText('The expiry date must not be before the start date.')).toBeVisible();
  await page.getByLabel('Start Date').fill('01/01/2026');
  await page.getByLabel('Expiry Date').fill('12/31/2027');
  await mac.fill(first!.mac);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('Incorrect serial number')).toBeVisible();
  await expect(serial).toBeFocused();
  await serial.fill(first!.serial);
  await mac.fill(second!.mac);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('Incorrect MAC address')).toBeVisible();
  await expect(mac).toBeFocused();
  await mac.fill(first!.mac.toLowerCase().replaceAll(/(..)(?=.)/gu, '$1:'));
  const adding = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/dm/devices'));
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  expect((await adding).postDataJSON()).toMatchObject({ realm: 'highline', device_type_id: 'highline-router' });
  await expect(page).toHaveURL(/\/devices\/list/u);
  await expect(page.getByText('Device Save Success')).toBeVisible();
  const { rows: stored } = await tenant.owner.query<{ mac: string; group_key: string; started_on: string }>(
    'select mac, group_key, started_on::text from devices where serial = $1',
    [first!.serial],
  );
  expect(stored).toEqual([{ mac: first!.mac, group_key: 'default+group+id', started_on: '2026-01-01' }]);
  await visit(page, '/devices/add?method=manual');
  await serial.fill(first!.serial);
  await mac.fill(first!.mac);
  await page.getByLabel('Start Date').fill('01/01/2026');
  await page.getByLabel('Expiry Date').fill('12/31/2027');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('Existing serial number')).toBeVisible();
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page.getByRole('alertdialog')).toContainText(
    'There are unsaved changes. Do you want to save them before leaving?',
  );
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL(/\/devices\/list/u);

  await leave(page);
  await enter(page, tenant.users.main, '/devices/orgList');
  await page.getByRole('link', { name: 'Add', exact: true }).click();
  await page.getByLabel('Add manually').check();
  await serial.fill(third!.serial);
  await mac.fill(third!.mac);
  await page.getByLabel('Start Date').fill('01/01/2026');
  await page.getByLabel('Expiry Date').fill('12/31/2027');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('Please select an org')).toBeVisible();
  // More organizations than the list offers: the server finds the others.
  for (let number = 0; number < 21; number += 1) await tenant.seeding.organization(tenant.main, `0 ${tenant.mark} ${number}`);
  await page.getByRole('button', { name: /^Org/u }).click();
  await expect(page.getByText('Keep typing to narrow down.')).toBeVisible();
  await expect(page.getByRole('option', { name: tenant.otherName, exact: true })).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Org' }).fill(tenant.otherName.toLowerCase());
  await page.getByRole('option', { name: tenant.otherName, exact: true }).click();
  await expect(serial).toHaveValue(third!.serial);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page).toHaveURL(/\/devices\/orgList/u);
  await expect(row(page, third!.serial)).toBeVisible();

  await leave(page);
  await enter(page, tenant.users.user, '/devices/add');
  await expect(page).toHaveURL(/\/dashboard$/u);
});

test('DEV-06 a CSV shows its result row by row, and the list highlights the added devices', async ({ page, tenant }) => {
  await tenant.routers(2);
  const [good, wrong, third] = await tenant.routers(3, { claimed: false });
  await enter(page, tenant.users.admin, '/devices/add');
  await page.getByRole('button', { name: 'File format' }).click();
  const [template] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the template' }).click(),
  ]);
  expect(template.suggestedFilename()).toBe(`Devices_template_${tenant.orgName}.csv`);
  // Two routers that the organization has.
  const { readFile } = await import('node:fs/promises');
  const lines = (await readFile(await template.path(), 'utf8')).trim().split('\r\n').slice(1);
  const { rows: known } = await tenant.owner.query<{ serial: string }>(
    'select serial from devices where organization_id = $1 and archived_at is null order by serial collate "C" limit 2',
    [tenant.org.organizationId],
  );
  expect(known).toHaveLength(2);
  expect(lines.map((line) => line.split(',')[0])).toEqual(known.map((one) => one.serial));
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.setInputFiles('input[type=file]', { name: 'devices.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
  await expect(page.getByText('file type error')).toBeVisible();
  const csv = `\u{feff}MAC;SN;Expiry Date;Start Date\r\n"${good!.mac}";${good!.serial};12/31/2027;01/01/2026\r\n\r\n${good!.mac};${wrong!.serial};12/31/2027;01/01/2026\r\n001122334455;=cmd|'x';13/45/2027;01/01/2026\r\n`;
  await page.setInputFiles('input[type=file]', { name: 'devices.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Successfully added: 1 of 3.');
  await expect(dialog).toContainText(`Row 4, ${wrong!.serial}:`);
  await expect(dialog).toContainText('Incorrect MAC address');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/\/devices\/list/u);
  await expect(row(page, good!.serial)).toHaveAttribute('data-highlighted', /.*/u);
  await visit(page, '/devices/add');
  await page.setInputFiles('input[type=file]', { name: 'devices.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog).toContainText('Successfully added: 0 of 3.');
  await expect(dialog).toContainText('Existing serial number');
  await dialog.getByRole('button', { name: 'Close' }).click();

  // From Excel for Windows, with dates that can be read in two ways and a column of its own.
  await visit(page, '/devices/add');
  const saved = `SN;MAC;Start Date;Expiry Date;Vehicle#;Depot\r\n${third!.serial};${third!.mac};03/04/2026;05/06/2027;Stra\xdfe;x\r\n`;
  await page.setInputFiles('input[type=file]', {
    name: 'devices.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(saved, 'latin1'),
  });
  await page.getByRole('button', { name: 'Check first' }).click();
  await expect(dialog).toContainText('What day is 03/04/2026?');
  await dialog.getByRole('button', { name: 'April 3, 2026' }).click();
  const check = page.getByRole('status').filter({ hasText: '1 row can be imported' });
  await expect(check).toContainText('it was read as windows-1252');
  await expect(check).toContainText('Start Date: 03/04/2026 was read as April 3, 2026.');
  await expect(check).toContainText('Ignored columns: Depot');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog).toContainText('Successfully added: 1 of 1.');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(row(page, third!.serial)).toContainText('Straße');
});

test("DEV-07 SHR-04-partial SHR-06-partial SHR-09-partial the device page saves vehicle, group and note after a change; Save, Reset PWD and Connect are an admin's alone", async ({
  page,
  tenant,
}) => {
  const [router] = await tenant.routers(1);
  const group = `Edit ${tenant.mark}`;
  await tenant.seeding.group(tenant.org, group);
  await enter(page, tenant.users.admin, `/devices/list?search=${router!.serial}`);
  await row(page, router!.serial).press('Enter');
  await waitUntilLoaded(page);
  await expect(page.getByText('Waiting for first contact')).toBeVisible();
  const tab = (name: string) => page.getByRole('link', { name, exact: true }).click();
  await tab('Diagnostics');
  // What is ruled out says why: this router never connected.
  for (const [name, why] of [
    ['Reset PWD', 'The password cannot be reset because the device is offline or the subscription has expired.'],
    ['Connect', 'The connection cannot be built because the device is offline.'],
  ] as const)
    await expect(page.getByRole('button', { name, exact: true })).toHaveAccessibleDescription(why);
  await tab('Settings');
  const save = page.getByRole('button', { name: 'Save' });
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  const hostile = '<img src=x onerror=alert(1)> evil 🚌';
  await page.getByLabel('Vehicle#').fill(hostile);
  await page.getByRole('button', { name: 'Group default' }).click();
  await page.getByRole('combobox', { name: 'Group' }).fill(group);
  // The list becomes shorter with the answer to the search, under the pointer.
  await expect(page.getByRole('option')).toHaveText([group]);
  await page.getByRole('option', { name: group, exact: true }).click();
  await expect(page.getByRole('button', { name: `Group ${group}` })).toBeVisible();
  await page.getByLabel('Notes').fill('=HYPERLINK("http://evil")');
  await page.getByRole('link', { name: 'Devices' }).first().click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('There are unsaved changes. Do you want to save them before leaving?');
  await expect(dialog.getByRole('button', { name: 'Discard' })).toBeVisible();
  await page.keyboard.press('Escape');
  await save.click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await expect(save).toBeFocused();
  await page.getByRole('link', { name: 'Devices' }).first().click();
  await expect(page).toHaveURL(/\/devices\/list/u);
  await expect(row(page, router!.serial)).toContainText('<img src=x onerror=alert(1)>');
  await expect(row(page, router!.serial)).toHaveAttribute('data-highlighted', /.*/u);
  const { rows: stored } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [router!.serial]);
  for (const person of [tenant.users.main, tenant.users.user]) {
    await leave(page);
    await enter(page, person, `/devices/setting?device=${stored[0]!.id}&tab=diagnostics`);
    for (const name of ['Reset PWD', 'Connect']) {
      const button = page.getByRole('button', { name, exact: true });
      await expect(button).toHaveAttribute('aria-disabled', 'true');
      await expect(button).toHaveAccessibleDescription('Only admins can connect to a router or reset its password.');
    }
    await tab('Settings');
    await expect(page.getByLabel('Vehicle#')).toHaveAttribute('readonly', '');
    const record = page.getByRole('region', { name: 'Device', exact: true });
    await expect(record.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
  }
  await expectAccessible(page);
});

test("two users who save one device: the second sees the first one's changes, and nothing is lost silently", async ({
  page,
  tenant,
  request,
}) => {
  const [router] = await tenant.routers(1);
  const { rows: stored } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [router!.serial]);
  await enter(page, tenant.users.admin, `/devices/setting?device=${stored[0]!.id}&tab=settings`);
  await page.getByLabel('Notes').fill('mine');
  const headers = { authorization: `Bearer ${tenant.users.admin.bearer}` };
  expect(
    (await request.patch('/data_manager/v1/dm/device', { headers, data: { device: stored[0]!.id, note: 'theirs' } })).status(),
  ).toBe(200);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('theirs');
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
  await expect(page.getByLabel('Notes')).toHaveValue('mine');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Edit success')).toBeVisible();
});
