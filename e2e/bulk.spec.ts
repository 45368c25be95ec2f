import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { enter, expect, expectAccessible, leave, rows, test, visit } from './fixtures.ts';

const row = (page: Page, text: string) => rows(page).filter({ hasText: text });
const check = (page: Page, text: string) => row(page, text).getByRole('checkbox').check();
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected devices' });
const toast = (page: Page) => page.locator('.toast').last();
const started = (page: Page) => page.locator('.toast', { hasText: 'Job started' });

const saved = async (page: Page, press: () => Promise<void>) => {
  const [download]: [Download, void] = await Promise.all([page.waitForEvent('download'), press()]);
  return readFile(await download.path(), 'utf8');
};

/** Lists with checkboxes, by the role that has them. */
const lists = {
  admin: [
    '/devices/list',
    '/devices/esimsList',
    '/devices/service',
    '/devices/service/noitify',
    '/groups/list',
    '/groups/firmwares',
    '/groups/config',
    '/users',
    '/logs',
    '/alerts',
    '/api-keys',
    '/jobs',
  ],
  main: ['/devices/orgList', '/organization', '/inventory', '/colleagues', '/firmware'],
} as const;

const everyListHasCheckboxes = async (page: Page, paths: readonly string[]) => {
  for (const path of paths) {
    await visit(page, path);
    await expect(page.getByRole('checkbox', { name: 'Select all rows on this page' }), path).toBeVisible();
  }
};

test('BLK-01 every list has checkboxes, all that match can be chosen, and a bar moves, subscribes, commands, tags, exports and deletes: one job each, with progress that survives leaving the page, a result for each, and retry of exactly the failed', async ({
  page,
  tenant,
}) => {
  test.slow();
  const { mark, seeding } = tenant;
  const [online, ...others] = await tenant.routers(4);
  const [theirs] = await tenant.routers(1, { org: tenant.other });
  const fleet = tenant.fleet([online!]);
  const depot = await seeding.group(tenant.org, `Depot ${mark}`);
  await fleet.whenAllConnected();
  const list = `/devices/list?search=${mark}&size=50`;
  const dialog = page.getByRole('dialog');
  const question = page.getByRole('alertdialog');
  await enter(page, tenant.users.admin, list);
  await page.evaluate(() =>
    fetch('/data_manager/v1/dm/commands', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Blink', kind: 'identify', argument: '5' }),
    }),
  );
  await expect(bar(page)).toHaveCount(0);

  // Tags of two, then a move of all that match, which is undone from its message.
  for (const { serial } of others.slice(0, 2)) await check(page, serial);
  await expect(bar(page)).toContainText('2 selected');
  await expectAccessible(page);
  await bar(page).getByRole('button', { name: 'Tags…' }).click();
  await dialog.getByLabel('Add', { exact: true }).fill('night');
  await dialog.getByLabel('Add', { exact: true }).press('Enter');
  await expect(dialog).toContainText('2 devices will change.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page)).toContainText('2 devices changed');
  await visit(page, `${list}&tag=night`);
  await expect(rows(page)).toHaveCount(2);
  await visit(page, list);
  await check(page, others[0]!.serial);
  await bar(page).getByRole('button', { name: 'Select all 4 that match' }).click();
  await expect(bar(page)).toContainText('4 selected');
  await bar(page).getByRole('button', { name: 'Move to group' }).click();
  await dialog.getByRole('button', { name: /^Group/u }).click();
  await page.getByRole('option', { name: `Depot ${mark}` }).click();
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(toast(page)).toContainText('4 devices changed');
  await expect(row(page, `Depot ${mark}`)).toHaveCount(4);
  const inGroup = async () => (await tenant.owner.query('select 1 from devices where group_key = $1', [depot])).rows.length;
  expect(await inGroup()).toBe(4);
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, `Depot ${mark}`)).toHaveCount(0);
  expect(await inGroup()).toBe(0);

  // A command: its effect first, a result for each device, and exactly the failed once more. And the file of the same two.
  for (const { serial } of [online!, others[0]!]) await check(page, serial);
  const file = parse(await saved(page, () => bar(page).getByRole('button', { name: 'Export' }).click()), { bom: true });
  expect(file).toHaveLength(3);
  await bar(page).getByRole('button', { name: 'Run command' }).click();
  await expect(dialog.getByLabel('Command')).toContainText('Blink');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(question).toContainText('1 is connected and will run it now.');
  await expect(question).toContainText('1 is not connected and will be listed as failed.');
  await question.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(started(page)).toBeVisible();
  await expect(toast(page)).toContainText('Run Blink on 2 devices: 1 done · 1 failed');
  await page.getByRole('link', { name: /Jobs?\b/u }).click();
  await row(page, 'Run Blink on 2 devices').first().getByRole('link').click();
  await expect(page).toHaveURL(/jobs\/detail/u);
  await expect(row(page, online!.serial)).toContainText('Done');
  await expect(row(page, others[0]!.serial)).toContainText('Not connected; nothing was sent');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Retry 1 failed' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Run Blink on 1 device');
  await expect(rows(page)).toHaveCount(1);
  await expect(row(page, others[0]!.serial)).toContainText('Failed');

  // Deletion of devices, and of rows of a list without devices.
  await visit(page, list);
  await check(page, others[2]!.serial);
  await bar(page).getByRole('button', { name: 'Delete' }).click();
  await question.getByRole('button', { name: 'Delete 1 device' }).click();
  await expect(toast(page)).toContainText('1 done');
  await expect(row(page, others[2]!.serial)).toHaveCount(0);

  const yards = [`Yard A ${mark}`, `Yard B ${mark}`, `Yard C ${mark}`, `Yard D ${mark}`];
  for (const name of yards) await seeding.group(tenant.org, name);
  const selected = page.getByRole('toolbar', { name: 'Selected rows' });
  await visit(page, '/groups/list?search=Yard&size=5');
  await page.getByRole('checkbox', { name: `Select ${yards[0]}` }).check();
  await selected.getByRole('button', { name: 'Select all 4 that match' }).click();
  await expect(selected).toContainText('4 selected');
  // Another transaction has the last group: the job waits for it, and its progress is seen on every page.
  await tenant.owner.query('begin');
  await tenant.owner.query('select 1 from groups where name = $1 for update', [yards[3]]);
  await selected.getByRole('button', { name: 'Delete(4)' }).click();
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(toast(page)).toContainText('Job started');
  await visit(page, '/users');
  const running = page.getByRole('link', { name: /Jobs? .*75 %|running/u });
  await expect(running).toContainText('75 %');
  await tenant.owner.query('commit');
  await expect(running).toHaveCount(0);
  await expect(toast(page)).toContainText('Delete 4 groups: 4 done');
  await visit(page, '/jobs');
  await row(page, 'Delete 4 groups').getByRole('link').click();
  for (const name of yards) await expect(row(page, name)).toContainText('Done');
  await expectAccessible(page);

  // One that fails is tried again alone, once its reason is gone.
  const bound = await seeding.config(tenant.org, { name: `bound-${mark}.cfg` });
  await seeding.config(tenant.org, { name: `free-${mark}.cfg` });
  await seeding.binding(tenant.org, { group: depot, kind: 'config', file: bound, schedule: 'immediate' });
  await visit(page, '/groups/config');
  for (const name of ['bound', 'free']) await page.getByRole('checkbox', { name: `Select ${name}-${mark}.cfg` }).check();
  await selected.getByRole('button', { name: 'Delete(2)' }).click();
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(toast(page)).toContainText('1 done · 1 failed');
  await toast(page).getByRole('button', { name: 'Details' }).click();
  await expect(row(page, `bound-${mark}.cfg`)).toContainText(`Groups are bound to this file: Depot ${mark}`);
  await page.evaluate(
    (group) => fetch(`/data_manager/v1/binding/group/config?group=${encodeURIComponent(group)}`, { method: 'DELETE' }),
    depot,
  );
  await page.getByRole('button', { name: 'Retry 1 failed' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Delete 1 config file');
  await expect(row(page, `bound-${mark}.cfg`)).toContainText('Done');
  await seeding.config(tenant.org, { name: `left-${mark}.cfg` });
  await everyListHasCheckboxes(page, lists.admin);

  // The subscriptions of several organizations, which the main account sets.
  await leave(page);
  await enter(page, tenant.users.main, `/devices/orgList?search=${mark}&size=50&sort=-serial`);
  for (const { serial } of [online!, theirs!]) await check(page, serial);
  await bar(page).getByRole('button', { name: 'Subscription…' }).click();
  await dialog.getByLabel('Start Date').fill('01/01/2026');
  await dialog.getByLabel('Expiry Date').fill('12/31/2031');
  await dialog.getByLabel('Expiry Date').press('Tab');
  await expect(dialog).toContainText('2 devices will change.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page)).toContainText('2 devices changed');
  for (const { serial } of [online!, theirs!]) await expect(row(page, serial)).toContainText('12/31/2031');
  await everyListHasCheckboxes(page, lists.main);
});

test('BLK-01-partial files of the selected rows on lists without a file of their own, and several notifications, keys and jobs at once', async ({
  page,
  tenant,
}) => {
  const [router] = await tenant.routers(1);
  await enter(page, tenant.users.admin, '/devices/service');
  const selection = page.getByRole('toolbar', { name: 'Selected rows' });
  const post = (path: string, body: object) =>
    page.evaluate(
      async ([to, text]) => {
        const { status } = await fetch(to!, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text! });
        if (status !== 200) throw new Error(`${to} answered ${status}`);
      },
      [path, JSON.stringify(body)],
    );
  for (const mail of ['one@bulk.example', 'two@bulk.example', '=three@bulk.example'])
    await post('/data_manager/v1/notify/user', { mail, events: ['BATTERY_LOW'] });
  for (const name of ['First', 'Second']) await post('/data_manager/v1/dm/api_keys', { name, operations: ['devices.list'] });
  const device = (await tenant.owner.query('select id from devices where serial = $1', [router!.serial])).rows[0].id as string;
  await post('/data_manager/v1/dm/jobs', { action: { kind: 'tags', add: ['bulk'] }, selection: { devices: [device] } });

  // The same bar as on the list of devices.
  await visit(page, `/devices/service?search=${router!.serial}`);
  await check(page, router!.serial);
  await expect(bar(page).getByRole('button', { name: 'Move to group' })).toBeVisible();

  await visit(page, '/devices/service/noitify');
  for (const mail of ['one@bulk.example', '=three@bulk.example'])
    await page.getByRole('checkbox', { name: `Select ${mail}`, exact: true }).check();
  const notified = parse(await saved(page, () => selection.getByRole('button', { name: 'Export' }).click()), { bom: true });
  expect(new Set(notified.map(([mail]: string[]) => mail))).toEqual(
    new Set(["'=three@bulk.example", 'Email', 'one@bulk.example']),
  );
  await selection.getByRole('button', { name: 'Delete(2)' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('one@bulk.example');
  await question.getByRole('button', { name: 'Delete(2)' }).click();
  await expect(toast(page)).toContainText('2 done');
  await expect(row(page, 'one@bulk.example')).toHaveCount(0);
  await expect(row(page, 'two@bulk.example')).toHaveCount(1);

  await visit(page, '/api-keys');
  for (const name of ['First', 'Second']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await selection.getByRole('button', { name: 'Revoke 2' }).click();
  // Someone else revokes one of them in the meantime: the result says it.
  await tenant.owner.query("update api_keys set revoked_at = now() where name = 'Second'");
  await question.getByRole('button', { name: 'Revoke 2' }).click();
  await expect(toast(page)).toContainText('1 done · 1 skipped');
  await expect(row(page, 'First')).toContainText('Revoked');

  await visit(page, '/jobs');
  await page.getByRole('checkbox', { name: 'Select Change tags of 1 device' }).first().check();
  await expect(selection.getByRole('button', { name: 'Cancel job' })).toHaveAttribute('aria-disabled', 'true');
  const jobs = parse(await saved(page, () => selection.getByRole('button', { name: 'Export' }).click()), { bom: true });
  expect(jobs[1]?.slice(0, 3)).toEqual(['Change tags of 1 device', 'Done', '1 done']);
  await row(page, 'Change tags of 1 device').first().getByRole('link').click();
  await page.getByRole('checkbox', { name: `Select ${router!.serial}` }).check();
  const results = parse(await saved(page, () => selection.getByRole('button', { name: 'Export' }).click()), { bom: true });
  expect(results[1]?.slice(0, 3)).toEqual([router!.serial, '', 'Done']);

  // The log: the rows that are chosen, by their positions; then all that match.
  await visit(page, '/logs?kind=notification&field=action&search=bulk.example&size=5');
  const entry = rows(page).first();
  const number = (await entry.getByRole('cell').nth(1).innerText()).replaceAll(',', '');
  await entry.getByRole('checkbox').check();
  const one = parse(await saved(page, () => selection.getByRole('button', { name: 'Export' }).click()), { bom: true });
  expect(one.map(([first]: string[]) => first)).toEqual(['#', number]);
  // Until the others are selected nothing is done with the one.
  const loaded = Promise.withResolvers<void>();
  await page.route(/\/operation_log\?/u, async (route) => {
    await loaded.promise;
    await route.continue();
  });
  await selection.getByRole('button', { name: /^Select all \d+ that match$/u }).click();
  await expect(selection.getByRole('button', { name: 'Export' })).toBeDisabled();
  loaded.resolve();
  const all = parse(await saved(page, () => selection.getByRole('button', { name: 'Export' }).click()), { bom: true });
  expect(all.length).toBeGreaterThan(3);

  // A user may export, and nothing else. On a phone no action is out of sight.
  await leave(page);
  await enter(page, tenant.users.user, `/devices/list?search=${router!.serial}`);
  await check(page, router!.serial);
  await expect(bar(page).getByRole('button')).toHaveText(['', 'Export']);
  await leave(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await enter(page, tenant.users.admin, `/devices/list?search=${router!.serial}`);
  await check(page, router!.serial);
  for (const button of await bar(page).getByRole('button').all()) await expect(button).toBeInViewport({ ratio: 1 });
});

const pickFile = (page: Page, text: string) =>
  page.setInputFiles('input[type=file]', { name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

test('BLK-02 BLK-05 tags come with an import that is checked first and whose faulty rows are mended, are a column and a filter of both lists, and the file has the visible columns', async ({
  page,
  tenant,
}) => {
  const [good, bad] = await tenant.routers(2, { claimed: false });
  await enter(page, tenant.users.admin, '/devices/add');
  const line = (one: { serial: string; mac: string }, started: string, tags: string) =>
    `${one.serial},${one.mac},${started},12/31/2031,Bus ${one.serial.at(-1)},"${tags}"`;
  const header = 'Serial Number,MAC Address,Started,Expiration Date,Vehicle,Tags';
  await pickFile(page, `${header}\n${line(good!, '01/01/2026', 'late, a\\,b')}\n${line(bad!, 'soon', 'late')}\n`);
  await page.getByRole('button', { name: 'Check first' }).click();
  const effect = page.locator('.import-effect');
  await expect(effect).toContainText('1 row can be imported. Nothing has been changed yet.');
  await expect(effect).toContainText('New tags: a,b, late');
  await effect.getByText('First row').click();
  await expect(effect.getByRole('row', { name: good!.serial })).toContainText('Group: default');
  await expect(page.getByText(`Row 3, ${bad!.serial}:`)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Successfully added: 1 of 2.');
  const report = await saved(page, () => dialog.getByRole('button', { name: 'Download Report' }).click());
  expect(parse(report, { bom: true })).toEqual([
    [...header.split(','), 'Error'],
    [
      bad!.serial,
      bad!.mac,
      'soon',
      '12/31/2031',
      `Bus ${bad!.serial.at(-1)}`,
      'late',
      'Start Date: must be a date such as 12/31/2026, 31.12.2026 or 2026-12-31',
    ],
  ]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await visit(page, '/devices/add');
  await pickFile(page, report.replace('soon', '02/01/2026'));
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog).toContainText('Successfully added: 1 of 1.');

  const marked = `search=${tenant.mark}&size=50`;
  const showTags = async () => {
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Tags' }).check();
    await page.keyboard.press('Escape');
  };
  await visit(page, `/devices/list?${marked}&tag=a%2Cb`);
  await showTags();
  await expect(rows(page)).toHaveCount(1);
  await expect(row(page, good!.serial)).toContainText('a,b, late');
  const file = parse(await saved(page, () => page.getByRole('button', { name: 'Download(.csv)' }).click()), {
    bom: true,
  });
  expect(file).toHaveLength(2);
  expect(file[0]!.at(-1)).toBe('Tags');
  expect(file[0]).toHaveLength((await page.locator('thead th').count()) - 1);
  expect(file[1]!.at(-1)).toBe('a\\,b, late');
  // The form of a device has its tags too.
  await row(page, good!.serial).click();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect(page.getByText('a,b', { exact: true })).toBeVisible();

  await leave(page);
  await enter(page, tenant.users.main, `/devices/orgList?${marked}&tag=late`);
  await showTags();
  await expect(rows(page)).toHaveCount(2);
  await expect(row(page, good!.serial)).toContainText('a,b, late');
  await visit(page, '/inventory');
  await page.getByRole('button', { name: 'Import CSV', exact: true }).click();
  await pickFile(page, `SN,MAC\n${tenant.mark}-NEW,001122AABB01\n${good!.serial},${good!.mac}\n`);
  await dialog.getByRole('button', { name: 'Check first' }).click();
  await expect(dialog).toContainText('1 row can be imported. Nothing has been changed yet.');
  await expect(dialog).toContainText('This serial number is already in the inventory.');
  await expectAccessible(page);
});

test('BLK-01-partial the file has the chosen rows, one row is deleted by its own call, and a phone shows the whole bar', async ({
  page,
  tenant,
}) => {
  const { mark, seeding } = tenant;
  const names = [`Yard A ${mark}`, `Yard B ${mark}`, `Yard C ${mark}`];
  for (const name of names) await seeding.group(tenant.org, name);
  const selected = page.getByRole('toolbar', { name: 'Selected rows' });
  const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
  await enter(page, tenant.users.admin, `/groups/list?search=Yard&size=5`);
  await select(names[0]!).check();
  await expect(selected).toContainText('1 selected');
  await selected.getByRole('button', { name: 'Select all 3 that match' }).click();
  await expect(selected).toContainText('3 selected');
  await select(names[2]!).uncheck();
  const file = parse(await saved(page, () => selected.getByRole('button', { name: 'Export' }).click()), {
    bom: true,
  });
  expect(file.slice(1).map((cells) => cells[1])).toEqual(names.slice(0, 2));
  await expectAccessible(page);
  await select(names[1]!).uncheck();
  await selected.getByRole('button', { name: 'Delete(1)' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Are you sure you want to delete the selected devices?');
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(selected).toHaveCount(0);
  await visit(page, '/groups/list');
  await select('default').check();
  await expect(selected.getByRole('button', { name: 'Delete(1)' })).toHaveAttribute('aria-disabled', 'true');

  // On a phone the vehicle comes first, the filters are behind one button, and the bar is one line.
  const [router] = await tenant.routers(1);
  await tenant.owner.query('update devices set vehicle_number = $2 where serial = $1', [router!.serial, `Bus ${mark}`]);
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, `/devices/list?search=${router!.serial}`);
  await expect(page.locator('thead th').nth(1)).toHaveText('Vehicle#');
  await expect(page.getByLabel('Online Status')).toBeHidden();
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(page.getByLabel('Online Status')).toBeVisible();
  await select(`Bus ${mark}`).check();
  await expect(bar(page)).toContainText('1 selected');
  for (const button of await bar(page).getByRole('button').all()) await expect(button).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
});

test('BLK-06 a new router takes over the device of a broken one: the effect is shown first, and both logs say it', async ({
  page,
  tenant,
}) => {
  const [broken] = await tenant.routers(1);
  const [spare] = await tenant.routers(1, { claimed: false });
  const { rows: found } = await tenant.owner.query<{ id: string }>(
    `update devices set vehicle_number = $2, tags = '{night}' where serial = $1 returning id`,
    [broken!.serial, `Bus ${tenant.mark}`],
  );
  await enter(page, tenant.users.admin, `/devices/setting?device=${found[0]!.id}&tab=settings`);
  await page.getByRole('button', { name: 'Replace router…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replace router' });
  await dialog.getByLabel('Serial').fill(spare!.serial);
  await dialog.getByLabel('MAC').fill(broken!.mac);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('Incorrect MAC address')).toBeVisible();
  await dialog.getByLabel('MAC').fill(spare!.mac);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  for (const text of [`Bus ${tenant.mark}`, 'night', `${broken!.serial} returns to stock`])
    await expect(dialog).toContainText(text);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Replace router', exact: true }).click();
  await expect(toast(page)).toContainText(`${broken!.serial} was replaced by ${spare!.serial}.`);
  await expect(page.getByText(spare!.serial).first()).toBeVisible();
  // It works at once: the new router connects as this device.
  const fleet = tenant.fleet([spare!]);
  await fleet.whenAllConnected();
  await visit(page, `/devices/list?search=${spare!.serial}`);
  await expect(row(page, spare!.serial)).toContainText(`Bus ${tenant.mark}`);
  await expect(row(page, spare!.serial)).toContainText('Online');
  const sentence = `Replaced router ${broken!.serial} of Bus ${tenant.mark} with ${spare!.serial}`;
  await visit(page, `/logs?search=${encodeURIComponent(spare!.serial)}`);
  await expect(rows(page).first()).toContainText(sentence.slice(0, 60));
  const { rows: logged } = await tenant.owner.query('select distinct chain_id from audit_entries where action = $1', [sentence]);
  expect(logged).toHaveLength(2);
});
