import { readFile } from 'node:fs/promises';
import { placeBinding } from '../apps/server/src/testing/bindings.ts';
import { UpdatingRouter } from '../apps/server/src/testing/updating-router.ts';
import { enter, expect, expectAccessible, leave, rows, settled, test } from './fixtures.ts';
import type { Locator, Page } from '@playwright/test';

const row = (page: Page | Locator, name: string) => page.locator('table tbody tr').filter({ hasText: name });
const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
const question = (page: Page) => page.getByRole('alertdialog');

/** Fill the search panel and apply it. */
async function search(page: Page, fill: (panel: Locator) => Promise<unknown>, then = 'Apply'): Promise<void> {
  await button(page, 'Search').click();
  const panel = page.getByRole('dialog');
  await fill(panel);
  await button(panel, then).click();
  await settled(page);
}

test('OVW-02 GRP-01 GRP-05 the list has its columns, ten a page, a search panel, and a CSV of what it shows', async ({
  page,
  world,
}) => {
  const keys: string[] = [];
  for (let number = 1; number <= 12; number += 1)
    keys.push(await world.seeding.group(world.org, `List ${String(number).padStart(2, '0')} ${world.mark}`));
  const [bound, immediate] = [keys[4]!, keys[5]!];
  const [router] = await world.routers(2, { group: bound });
  const [firmware, config] = [`9.1.${world.mark}`, `yard-${world.mark}.cfg`];
  // An evening in Chicago is the next day in UTC: the date must be the one of the header's zone.
  await placeBinding(world.owner, world.org, {
    group: bound,
    kind: 'firmware',
    label: firmware,
    schedule: 'bootup',
    postpone: '2027-03-16T02:30:00Z',
  });
  await placeBinding(world.owner, world.org, { group: immediate, kind: 'config', label: config });
  await world.owner.query(
    "update rollout_targets set state = 'successful' where device_id = (select id from devices where serial = $1)",
    [router!.serial],
  );
  await world.owner.query(
    "update groups set description = 'yard A, plows', created_at = '2026-02-03T12:00:00Z' where name = $1",
    [`List 03 ${world.mark}`],
  );
  await enter(page, world.people.admin, '/dashboard');
  await page.getByRole('link', { name: 'Open groups' }).click();
  await expect(page).toHaveURL(/\/groups\/list/u);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Groups');
  await expect(page.getByRole('link', { name: 'Groups', exact: true })).toHaveAttribute('aria-current', 'page');
  const headers = (await page.locator('thead th').allInnerTexts()).map((text) => text.trim());
  expect(headers).toEqual([
    '#',
    'Group',
    'Firmware',
    'Config File',
    'Schedule to Update',
    'Postpone Update Until',
    'Update Status',
    'Description',
  ]);
  await expect(rows(page)).toHaveCount(10);
  await expect(rows(page).first()).toContainText('default');
  await expect(row(page, `List 01 ${world.mark}`)).toContainText('Successful: 0/0');
  for (const text of [firmware, 'Up on next bootup', '03/15/2027', 'Successful: 1/2'])
    await expect(row(page, `List 05 ${world.mark}`)).toContainText(text);
  for (const text of [config, 'Immediate', 'Successful: 0/0'])
    await expect(row(page, `List 06 ${world.mark}`)).toContainText(text);

  await search(page, (panel) => panel.getByLabel('Text').fill(`List 03 ${world.mark}`));
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByText(`Group: List 03 ${world.mark}`)).toBeVisible();
  await search(page, (panel) => panel.getByLabel('Text').fill(`list 03 ${world.mark}`));
  await expect(page.getByText('No matched results.')).toBeVisible();
  await search(page, async (panel) => {
    await button(panel, 'Clear').click();
    await expect(panel.getByLabel('Text')).toHaveValue('');
    await panel.getByLabel('Field').selectOption('Description');
    await panel.getByLabel('Text').fill('yard A');
  });
  await expect(rows(page)).toHaveCount(1);
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download(.csv)').click()]);
  expect(download.suggestedFilename()).toBe('Groups_export.csv');
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`List 03 ${world.mark}`);
  // Cancel changes nothing; Reset settings shows everything again.
  await search(page, (panel) => panel.getByLabel('Text').fill('nothing like it'), 'Cancel');
  await expect(rows(page)).toHaveCount(1);
  await search(page, async () => undefined, 'Reset settings');
  await expect(rows(page)).toHaveCount(10);
  // Days of creation, reckoned in the header's zone, and none later than today.
  await button(page, 'Search').click();
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Custom date range').check();
  await panel.getByLabel('From').fill('02/03/2026');
  await panel.getByLabel('Until').fill('02/01/2026');
  await panel.getByLabel('From').click();
  await expect(panel.getByText('The range must not end before it begins.')).toBeVisible();
  await panel.getByLabel('Until').fill('02/03/2199');
  await panel.getByLabel('From').click();
  await expect(panel.getByText('The range must not end later than today.')).toBeVisible();
  await button(panel, 'Apply').click();
  await expect(panel).toBeVisible();
  await panel.getByLabel('Until').fill('02/03/2026');
  await page.keyboard.press('Tab');
  await expectAccessible(page);
  await button(panel, 'Apply').click();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByText('Created: 02/03/2026 – 02/03/2026')).toBeVisible();
  await page.reload();
  await settled(page);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: /Remove filter Created/u }).click();
  await expect(rows(page)).toHaveCount(10);
  for (const [schedule, name] of [
    ['Up on next bootup', 'List 05'],
    ['Immediate', 'List 06'],
  ] as const) {
    await search(page, (panel) => panel.getByLabel('Schedule').selectOption(schedule));
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page).first()).toContainText(`${name} ${world.mark}`);
  }
  await search(page, (panel) => panel.getByLabel('Schedule').selectOption('All schedules'));
  await expect(rows(page)).toHaveCount(10);
  for (const [field, text, name] of [
    ['Firmware', firmware.slice(1), 'List 05'],
    ['Config File', config.slice(1), 'List 06'],
  ] as const) {
    await search(page, async (panel) => {
      await panel.getByLabel('Field').selectOption(field);
      await panel.getByLabel('Text').fill(text);
    });
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page).first()).toContainText(`${name} ${world.mark}`);
  }
  await button(page, 'Clear').click();
  await expect(rows(page)).toHaveCount(10);
});

test('GRP-02 GRP-03 NAV-05-partial an admin opens a group and adds one; a user looks at its devices, and the page without a group leads to the list', async ({
  page,
  world,
}) => {
  const name = `Roles ${world.mark}`;
  const key = await world.seeding.group(world.org, name);
  const [router] = await world.routers(1, { group: key });
  const list = `/groups/list?search=${encodeURIComponent(name)}`;
  await enter(page, world.people.admin, list);
  await row(page, name).press('Enter');
  await expect(page).toHaveURL(/\/groups\/detail\?group=/u);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await page.goto('/groups/detail');
  await expect(page).toHaveURL(/\/groups\/list$/u);
  await page.goto('/groups/detail?group=nothing-like-it');
  await expect(page.getByText('This group does not exist any more.')).toBeVisible();
  await page.goto('/groups/list');
  await button(page, 'Add').click();
  await expect(page).toHaveURL(/\/groups\/add$/u);

  await leave(page);
  await enter(page, world.people.user, list);
  for (const denied of ['Add', 'Delete']) await expect(button(page, denied)).toHaveAttribute('aria-disabled', 'true');
  await button(page, 'Add').hover();
  await expect(page.getByRole('tooltip', { name: 'Only an administrator of the organization can add groups.' })).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download(.csv)').click()]);
  expect(download.suggestedFilename()).toBe('Groups_export.csv');
  await row(page, name).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(`Devices of ${name}`);
  await expect(row(dialog, router!.serial)).toBeVisible();
  await expect(dialog.getByRole('checkbox')).toHaveCount(0);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/groups\/list/u);
  for (const path of ['/groups/add', `/groups/detail?group=${key}`]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard$/u);
  }
  await leave(page);
  await enter(page, world.people.main, '/groups/list');
  await expect(page).toHaveURL(/\/organization$/u);
});

test('GRP-04 SHR-07-partial delete mode spares the default group, asks in the exact words, and the devices return to the default group', async ({
  page,
  world,
}) => {
  const names = ['Gone', 'Kept'].map((word) => `${word} ${world.mark}`);
  const keys = await Promise.all(names.map((name) => world.seeding.group(world.org, name)));
  const [router] = await world.routers(1, { group: keys[0]! });
  await enter(page, world.people.admin, '/groups/list?size=50');
  await button(page, 'Delete').click();
  const remove = page.getByRole('button', { name: /^Delete\(/u });
  await expect(remove).toHaveText('Delete(0)');
  await expect(remove).toHaveAttribute('aria-disabled', 'true');
  const spared = row(page, 'default').first().getByRole('checkbox');
  await expect(spared).toHaveAttribute('aria-disabled', 'true');
  await spared.click({ force: true });
  await expect(spared).not.toBeChecked();
  await expect(page.getByText(/The default group cannot be deleted/u).first()).toBeVisible();
  await row(page, names[1]!).getByRole('checkbox').check();
  await button(page, 'Cancel').click();
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await button(page, 'Delete').click();
  await expect(remove).toHaveText('Delete(0)');
  await row(page, names[0]!).getByRole('checkbox').check();
  await remove.click();
  await expect(question(page)).toContainText('Warning');
  await expect(question(page)).toContainText('Are you sure you want to delete the selected devices?');
  await expect(question(page)).toContainText('This action is permanent and cannot be undone.');
  await expect(question(page)).toContainText(names[0]!);
  await button(question(page), 'Cancel').click();
  await expect(row(page, names[0]!)).toHaveCount(1);
  await remove.click();
  await button(question(page), 'Delete').click();
  await expect(page.getByText('Group delete success!')).toBeVisible();
  await expect(page).toHaveURL(/\/groups\/list/u);
  await expect(row(page, names[0]!)).toHaveCount(0);
  await expect(row(page, names[1]!)).toHaveCount(1);
  const { rows: stored } = await world.owner.query('select group_key from devices where serial = $1', [router!.serial]);
  expect(stored).toEqual([{ group_key: 'default+group+id' }]);
});

test('DEV-03-partial SHR-04-partial a group in the list of devices leads to the groups, where its row is marked and its page open', async ({
  page,
  world,
}) => {
  for (let number = 1; number <= 11; number += 1) await world.seeding.group(world.org, `Aa ${number} ${world.mark}`);
  const name = `Zz ${world.mark}`;
  const [router] = await world.routers(1, { group: await world.seeding.group(world.org, name) });
  await enter(page, world.people.user, `/devices/list?search=${router!.serial}`);
  await page.getByRole('link', { name }).click();
  await expect(page).toHaveURL(/\/groups\/list\?page=\d/u);
  await expect(row(page, name)).toHaveAttribute('data-highlighted', /.*/u);
});

test('GRP-06-partial GRP-09 SHR-06-partial a group is added with devices from the default group; what is not subscribed stays, and one left empty asks to be deleted', async ({
  page,
  world,
}) => {
  const org = await world.seeding.organization(world.main, `Moves ${world.mark}`);
  const account = await world.seeding.account(org, `moves-${world.mark.toLowerCase()}@highline.example`, 'admin');
  const routers = await world.routers(12, { org });
  const [ended] = await world.routers(1, { org, expired: '02/01/2026' });
  await enter(page, { id: account, email: '', bearer: await world.seeding.bearer(account) }, '/groups/add');
  const save = button(page, 'Save');
  await expect(page.getByLabel('Group number')).toHaveValue('2');
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Description').fill('two plows');
  await save.hover();
  await expect(page.getByRole('tooltip', { name: 'Enter a group name first.' })).toBeVisible();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Group Name').fill(`North ${world.mark}`);
  await expect(save).not.toHaveAttribute('aria-disabled', 'true');

  await page.getByRole('button', { name: 'Devices Edit' }).click();
  const dialog = page.getByRole('dialog');
  const pool = dialog.getByRole('group', { name: 'Default group' });
  const mine = dialog.getByRole('group', { name: 'In this group' });
  const into = button(dialog, 'Move into group');
  await settled(page);
  await expect(into).toHaveAttribute('aria-disabled', 'true');
  await expect(button(dialog, 'Save')).toHaveAttribute('aria-disabled', 'true');
  // Checks survive paging, by keyboard.
  await row(pool, routers[0]!.serial).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await button(pool, 'Next page').click();
  await row(pool, routers[10]!.serial).getByRole('checkbox').check();
  await expect(pool).toContainText('3 checked');
  const unsubscribed = row(pool, ended!.serial);
  await expect(unsubscribed).toContainText('Not Subscribed');
  await unsubscribed.getByRole('checkbox').click({ force: true });
  await expect(unsubscribed.getByRole('checkbox')).not.toBeChecked();
  await expect(pool).toContainText('3 checked');
  // All that match, wherever they stand, but for what cannot move.
  await button(pool, 'Check all 13').click();
  await expect(pool).toContainText('12 checked');
  await button(pool, 'Uncheck all').click();
  await pool.getByRole('searchbox').fill('E2E-');
  for (const index of [0, 1]) await row(pool, routers[index]!.serial).getByRole('checkbox').check();
  await button(pool, 'Next page').click();
  await row(pool, routers[10]!.serial).getByRole('checkbox').check();
  await expectAccessible(page);
  await into.click();
  await expect(row(mine, routers[0]!.serial)).toBeVisible();
  await expect(mine.getByText('1–3 of 3')).toBeVisible();
  // Searched on the server, and moved back before anything was sent.
  await mine.getByRole('searchbox').fill(routers[10]!.serial);
  await expect(row(mine, '')).toHaveCount(1);
  await row(mine, routers[10]!.serial).getByRole('checkbox').check();
  await button(dialog, 'Move to default').click();
  await mine.getByRole('searchbox').fill('');
  await expect(row(mine, '')).toHaveCount(2);
  await button(dialog, 'Save').click();
  await expect(page.getByText('2 devices', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Groups' }).first().click();
  await expect(question(page)).toContainText('There are unsaved changes. Do you want to leaving?');
  await button(question(page), 'No').click();
  await save.click();
  await expect(page.getByText('Group Save Success')).toBeVisible();
  await expect(page).toHaveURL(/\/groups\/list/u);
  const added = row(page, `North ${world.mark}`);
  await expect(added).toHaveAttribute('data-highlighted', /.*/u);
  await expect(added).toContainText('Successful: 0/2');
  await expect(added).toContainText('two plows');

  // One comes in, the others go: saved as additions and removals.
  await added.click();
  await settled(page);
  const number = page.getByLabel('Group number');
  await expect(number).toHaveValue('2');
  await page.getByRole('button', { name: 'Devices Edit' }).click();
  await settled(page);
  await row(pool, routers[5]!.serial).getByRole('checkbox').check();
  await into.click();
  for (const index of [0, 1]) await row(mine, routers[index]!.serial).getByRole('checkbox').check();
  await button(dialog, 'Move to default').click();
  await button(dialog, 'Save').click();
  await expect(page.getByText('1 to come in, 2 to go out')).toBeVisible();
  const [sent] = await Promise.all([page.waitForRequest((request) => request.method() === 'PATCH'), save.click()]);
  const body = sent.postDataJSON() as Record<string, unknown>;
  expect(Object.keys(body).toSorted()).toEqual(['add', 'group', 'is_postpone', 'remove']);
  expect(sent.headers()['if-match']).toBeTruthy();
  await expect(page.getByText('Edit success')).toBeVisible();
  await expect(page.getByText('1 device', { exact: true }).first()).toBeVisible();

  // The last one goes: No keeps the group, Delete deletes it.
  const empty = async () => {
    await page.getByRole('button', { name: 'Devices Edit' }).click();
    await settled(page);
    await row(mine, routers[5]!.serial).getByRole('checkbox').check();
    await button(dialog, 'Move to default').click();
    await button(dialog, 'Save').click();
    await expect(question(page)).toContainText('Delete Empty Group?');
  };
  await empty();
  await button(question(page), 'No').click();
  await page.getByRole('button', { name: 'Devices Edit' }).click();
  await settled(page);
  await row(pool, routers[5]!.serial).getByRole('checkbox').check();
  await into.click();
  await button(dialog, 'Save').click();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await empty();
  await button(question(page), 'Delete').click();
  await expect(page.getByText('Group delete success!')).toBeVisible();
  await expect(page).toHaveURL(/\/groups\/list/u);
  await expect(row(page, `North ${world.mark}`)).toHaveCount(0);
  // The default group's devices are viewed, not edited.
  await row(page, 'default').click();
  await settled(page);
  await expect(page.getByLabel('Group Name')).toHaveAttribute('readonly', '');
  await page.getByRole('button', { name: 'Devices View' }).click();
  await expect(dialog.getByText('1–10 of 13')).toBeVisible();
  await expect(dialog.getByRole('checkbox')).toHaveCount(0);
  // A user looks at the same from the list.
  const user = await world.seeding.account(org, `looks-${world.mark.toLowerCase()}@highline.example`, 'user');
  await leave(page);
  await enter(page, { id: user, email: '', bearer: await world.seeding.bearer(user) }, '/groups/list');
  await row(page, 'default').click();
  await expect(dialog.getByText('1–10 of 13')).toBeVisible();
  await expect(dialog.getByRole('checkbox')).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: /Move|Save/u })).toHaveCount(0);
});

test('two admins who save one group: the second is shown what the first wrote, keeps what was typed, and nothing is lost silently', async ({
  page,
  world,
}) => {
  const name = `Both ${world.mark}`;
  const key = await world.seeding.group(world.org, name);
  await enter(page, world.people.admin, `/groups/detail?group=${key}`);
  await page.getByLabel('Description').fill('mine');
  const answer = await page.request.patch(`/data_manager/v1/dm/group/${key}`, {
    headers: { authorization: `Bearer ${world.people.admin.bearer}` },
    data: { name: `${name} theirs` },
  });
  expect(answer.status()).toBe(200);
  await button(page, 'Save').click();
  await expect(question(page)).toContainText('Somebody else saved this group in the meantime.');
  await expect(question(page)).toContainText(`${name} theirs`);
  await button(question(page), 'OK').click();
  await expect(page.getByLabel('Description')).toHaveValue('mine');
  await button(page, 'Save').click();
  await expect(page.getByText('Edit success')).toBeVisible();
  const { rows: stored } = await world.owner.query('select description from groups where key = $1', [key]);
  expect(stored).toEqual([{ description: 'mine' }]);
});

test('what was typed for a group is offered again after the page was closed', async ({ page, world }) => {
  const key = await world.seeding.group(world.org, `Draft ${world.mark}`);
  await enter(page, world.people.admin, `/groups/detail?group=${key}`);
  await page.getByLabel('Description').fill('typed for long');
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await settled(page);
  await expect(page.getByLabel('Description')).toHaveValue('');
  await button(page, 'Restore it').click();
  await expect(page.getByLabel('Description')).toHaveValue('typed for long');
  await button(page, 'Save').click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await page.reload();
  await settled(page);
  await expect(button(page, 'Restore it')).toHaveCount(0);
});

/** Choose a file in a select of the form. */
async function choose(page: Page, select: string, option: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${select} `, 'u') }).click();
  await page.getByRole('option', { name: option }).click();
}

test("GRP-06 GRP-07 a new group binds firmware and a config file at the next bootup after a half hour of the person's zone; without a file it is immediate", async ({
  page,
  world,
}) => {
  const version = `7.1.${world.mark}`;
  const firmware = await world.seeding.firmware(world.main, { version, model: 'HL-R520 5G' });
  const config = await world.seeding.config(world.org, { name: `bind-${world.mark}.cfg` });
  const [router] = await world.routers(1);
  const { rows: counted } = await world.owner.query<{ count: number }>(
    'select count(*)::int as count from groups where organization_id = $1',
    [world.org.organizationId],
  );
  await enter(page, world.people.admin, '/groups/add');
  await expect(page.getByLabel('Group number')).toHaveValue(String(counted[0]!.count + 1));
  const [immediate, bootup] = [page.getByLabel('Immediate'), page.getByLabel('Up on next bootup')];
  await expect(immediate).toBeChecked();
  await expect(bootup).toBeDisabled();
  await page.getByLabel('Description').fill('evening buses');
  await expect(button(page, 'Save')).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Group Name').fill(`Bound ${world.mark}`);
  await expect(button(page, 'Save')).not.toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('button', { name: 'Devices Edit' }).click();
  const dialog = page.getByRole('dialog');
  const pool = dialog.getByRole('group', { name: 'Default group' });
  await pool.getByRole('searchbox').fill(router!.serial);
  await row(pool, router!.serial).getByRole('checkbox').check();
  await button(dialog, 'Move into group').click();
  await button(dialog, 'Save').click();
  await choose(page, 'Firmware', new RegExp(`^${version}`, 'u'));
  await expect(page.getByText('1 router: 1 will change, 1 offline will follow')).toBeVisible();
  await expect(page.getByLabel('Date')).toHaveCount(0);
  await bootup.check();
  // Both Undefined again: forced to immediate and disabled.
  await choose(page, 'Firmware', 'Undefined');
  await expect(immediate).toBeChecked();
  await expect(bootup).toBeDisabled();
  await choose(page, 'Firmware', new RegExp(`^${version}`, 'u'));
  await choose(page, 'Config File', /^bind-/u);
  await bootup.check();
  const save = button(page, 'Save');
  await page.getByLabel('Date').fill('01/02/2026');
  await page.keyboard.press('Tab');
  await expect(page.getByText('This time has passed.').filter({ visible: true })).toBeVisible();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Date').fill('03/14/2027');
  await page.keyboard.press('Tab');
  const slots = (await page.getByLabel('Time', { exact: true }).locator('option').allInnerTexts()).map((text) => text.trim());
  expect([slots[0], slots.at(-1)]).toEqual(['00:00', '23:30']);
  // Clocks go forward in Chicago: 02:00 and 02:30 do not exist on that day.
  expect(slots).toHaveLength(46);
  await page.getByLabel('Time', { exact: true }).selectOption('03:30');
  const sent: [string, unknown][] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/binding\/group\/(firmware|config)$/u.test(request.url()))
      sent.push([request.url().split('/').at(-1)!, request.postDataJSON()]);
  });
  await save.click();
  await expect(page.getByText('Group Save Success')).toBeVisible();
  await expect(page).toHaveURL(/\/groups\/list/u);
  const { rows: stored } = await world.owner.query<{ key: string }>('select key from groups where name = $1', [
    `Bound ${world.mark}`,
  ]);
  const when = { group: stored[0]!.key, schedule: 'bootup', postpone: Date.parse('2027-03-14T08:30:00Z') / 1000 };
  expect(sent).toEqual([
    ['firmware', { firmware, ...when }],
    ['config', { config, ...when }],
  ]);
  for (const text of [version, `bind-${world.mark}`, 'Up on next bootup', '03/14/2027', 'Successful: 0/1', 'evening buses'])
    await expect(row(page, `Bound ${world.mark}`)).toContainText(text);
});

test('GRP-08 the form of a group saves any change, sends only what changed, and clearing a file removes its binding', async ({
  page,
  world,
}) => {
  const version = `7.2.${world.mark}`;
  await world.seeding.firmware(world.main, { version, model: 'HL-R520 5G' });
  await world.seeding.config(world.org, { name: `edit-${world.mark}.cfg` });
  const name = `Edited ${world.mark}`;
  const key = await world.seeding.group(world.org, name);
  await world.routers(2, { group: key });
  await enter(page, world.people.admin, `/groups/detail?group=${key}`);
  const save = button(page, 'Save');
  const sent: [string, string, unknown][] = [];
  page.on('request', (request) => {
    const { pathname, search: query } = new URL(request.url());
    if (request.method() !== 'GET' && /\/(binding\/group\/(firmware|config)|dm\/group)/u.test(pathname))
      sent.push([request.method(), `${pathname.split('/').at(-1)!}${query}`, request.postDataJSON()]);
  });
  const saved = async (change: () => Promise<unknown>) => {
    await expect(save).toHaveAttribute('aria-disabled', 'true');
    await change();
    await expect(save).not.toHaveAttribute('aria-disabled', 'true');
    sent.length = 0;
    await save.click();
    await expect(page.getByText('Edit success').last()).toBeVisible();
    await expect(save).toHaveAttribute('aria-disabled', 'true');
    return sent;
  };
  await expect(page.getByText('No firmware or config file is bound to this group')).toBeVisible();
  expect(await saved(() => page.getByLabel('Description').fill('yard B'))).toEqual([
    ['PATCH', key, { group: key, is_postpone: false, description: 'yard B' }],
  ]);
  expect(await saved(() => page.getByLabel('Group Name').fill(`${name} 2`))).toEqual([
    ['PATCH', key, { group: key, is_postpone: false, name: `${name} 2` }],
  ]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} 2`);
  const bound = await saved(() => choose(page, 'Firmware', new RegExp(`^${version}`, 'u')));
  expect(bound.map(([method, path]) => [method, path])).toEqual([
    ['PATCH', key],
    ['POST', 'firmware'],
  ]);
  await expect(page.getByRole('heading', { name: `Rollout of firmware ${version}` })).toBeVisible();
  await expect(page.getByText('0 / 2')).toBeVisible();
  await page.reload();
  await settled(page);
  await expect(page.getByRole('button', { name: `Firmware ${version}` })).toBeVisible();
  await saved(() => choose(page, 'Config File', /^edit-/u));
  const waiting = await saved(() => page.getByLabel('Up on next bootup').check());
  expect(waiting.map(([method, path]) => [method, path])).toEqual([
    ['PATCH', key],
    ['POST', 'firmware'],
    ['POST', 'config'],
  ]);
  await expect(page.getByLabel('Group number')).toHaveValue(/^\d+$/u);
  await expect(page.getByRole('button', { name: 'Devices Edit' })).toBeVisible();
  const cleared = await saved(() => choose(page, 'Firmware', 'Undefined'));
  expect(cleared.at(-1)).toEqual(['DELETE', `firmware?group=${key}&mode=all`, null]);
  await expect(page.getByRole('heading', { name: /^Rollout of firmware/u })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: /^Rollout of config file/u })).toBeVisible();
  await saved(() => choose(page, 'Config File', 'Undefined'));
  await expect(page.getByText('No firmware or config file is bound to this group')).toBeVisible();
  await page.getByRole('link', { name: 'Groups' }).first().click();
  await expect(row(page, `${name} 2`)).toHaveAttribute('data-highlighted', /.*/u);
  await page.goto('/groups/detail?group=default%2Bgroup%2Bid');
  await expect(page.getByRole('button', { name: 'Devices View' })).toBeVisible();
});

test('a save that fails in between says what was saved, keeps the rest, and sends it the next time', async ({ page, world }) => {
  await world.seeding.firmware(world.main, { version: `7.3.${world.mark}`, model: 'HL-R520 5G' });
  await world.seeding.config(world.org, { name: `partly-${world.mark}.cfg` });
  const key = await world.seeding.group(world.org, `Partly ${world.mark}`);
  await enter(page, world.people.admin, `/groups/detail?group=${key}`);
  await page.route('**/binding/group/config', (route) => route.abort(), { times: 1 });
  await page.getByLabel('Description').fill('kept');
  await choose(page, 'Firmware', new RegExp(`^7.3.${world.mark}`, 'u'));
  await choose(page, 'Config File', /^partly-/u);
  await button(page, 'Save').click();
  await expect(question(page)).toContainText('Saved: name, description and devices, firmware. Not saved: config file.');
  await button(question(page), 'OK').click();
  await expect(page.getByRole('button', { name: /^Config File partly-/u })).toBeVisible();
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(new URL(request.url()).pathname));
  await button(page, 'Save').click();
  await expect(page.getByText('Edit success')).toBeVisible();
  expect(posts.filter((path) => !path.endsWith('/impact'))).toEqual(['/data_manager/v1/binding/group/config']);
  await page.goto('/groups/list');
  await expect(row(page, `Partly ${world.mark}`)).toContainText('kept');
  await expect(row(page, `Partly ${world.mark}`)).toContainText('partly-');
});

test('firmware for another model is marked, and refused with words before anything is saved', async ({ page, world }) => {
  const key = await world.seeding.group(world.org, `Models ${world.mark}`);
  const routers = await world.routers(2, { group: key });
  await world.fleet(routers).whenAllConnected();
  const [right, wrong] = [`7.4.${world.mark}`, `7.5.${world.mark}`];
  await world.seeding.firmware(world.main, { version: right, model: 'HL-R520 5G' });
  await world.seeding.firmware(world.main, { version: wrong, model: 'HL-R300' });
  await expect
    .poll(
      async () => (await world.owner.query('select 1 from devices where group_key = $1 and model is not null', [key])).rowCount,
    )
    .toBe(2);
  await enter(page, world.people.admin, `/groups/detail?group=${key}`);
  await page.getByRole('button', { name: /^Firmware /u }).click();
  await page.getByRole('combobox', { name: 'Firmware' }).fill(world.mark);
  await expect(page.getByRole('option', { name: new RegExp(`^${wrong}.*other model`, 'u') })).toBeVisible();
  await expect(page.getByRole('option', { name: new RegExp(`^${right}`, 'u') })).not.toContainText('other model');
  await page.getByRole('option', { name: new RegExp(`^${wrong}`, 'u') }).click();
  await expect(page.getByRole('alert')).toContainText('This firmware is for HL-R300, but routers of this group are HL-R520 5G');
  await expect(button(page, 'Save')).toHaveAttribute('aria-disabled', 'true');
  await choose(page, 'Firmware', new RegExp(`^${right}`, 'u'));
  await expect(page.getByText(/2 routers: \d will change/u)).toBeVisible();
  await expect(button(page, 'Save')).not.toHaveAttribute('aria-disabled', 'true');
});

test('GRP-10-partial a rollout shows its routers by state with reasons, pauses, goes on, tries exactly the failed again and is cancelled', async ({
  page,
  world,
}) => {
  const key = await world.seeding.group(world.org, `Rollout ${world.mark}`);
  const routers = await world.routers(6, { group: key });
  const version = `7.6.${world.mark}`;
  await world.seeding.firmware(world.main, { version, model: 'HL-R520 5G' });
  await enter(page, world.people.admin, `/groups/detail?group=${key}`);
  await choose(page, 'Firmware', new RegExp(`^${version}`, 'u'));
  await button(page, 'Save').click();
  const panel = page.getByRole('region', { name: `Rollout of firmware ${version}` });
  await expect(panel).toContainText('0 / 6');
  await expect(panel.getByRole('button', { name: '6 Waiting' })).toBeVisible();
  await expect(row(panel, routers[0]!.serial)).toContainText('until it connects');
  const place = (serial: string, state: string, reason: string | null) =>
    world.owner.query(
      'update rollout_targets set state = $2, reason = $3 where device_id = (select id from devices where serial = $1)',
      [serial, state, reason],
    );
  await place(routers[0]!.serial, 'failed', 'download-failed');
  await place(routers[1]!.serial, 'failed', 'flash says <b>no</b>');
  await place(routers[2]!.serial, 'rolled-back', 'did-not-call-home');
  await place(routers[3]!.serial, 'successful', null);
  await page.reload();
  await settled(page);
  await expect(panel).toContainText('1 / 6');
  await expect(row(panel, routers[0]!.serial)).toContainText('it could not download the file');
  await expect(row(panel, routers[1]!.serial)).toContainText('flash says <b>no</b>');
  await expect(row(panel, routers[2]!.serial)).toContainText('it could not call home');
  await panel.getByRole('button', { name: '2 Failed' }).click();
  await expect(row(panel, 'E2E-')).toHaveCount(2);
  await expect(page).toHaveURL(/firmware=failed/u);
  await expectAccessible(page);
  await panel.getByRole('button', { name: '2 Failed' }).click();
  await expect(row(panel, 'E2E-')).toHaveCount(6);

  await button(panel, 'Pause').click();
  await expect(question(page)).toContainText('No further router will begin until you resume.');
  await button(question(page), 'Pause').click();
  await expect(panel.getByText('This rollout is paused.')).toBeVisible();
  await button(panel, 'Resume').click();
  await button(question(page), 'Resume').click();
  await expect(button(panel, 'Pause')).toBeVisible();
  await button(panel, 'Retry 3 failed').click();
  await expect(question(page)).toContainText('Exactly the 3 routers that failed or were rolled back will be tried again.');
  await button(question(page), 'Retry 3 failed').click();
  await expect(panel.getByRole('button', { name: '5 Waiting' })).toBeVisible();
  await expect(panel.getByRole('button', { name: '1 Successful' })).toBeVisible();
  await world.owner.query(
    "update bindings set state = 'paused', paused_reason = 'threshold' where group_key = $1 and ended_at is null",
    [key],
  );
  await page.reload();
  await expect(panel.getByText('This rollout has paused itself')).toBeVisible();
  await button(panel, 'Cancel rollout').click();
  await button(question(page), 'Cancel').click();
  await button(panel, 'Cancel rollout').click();
  await button(question(page), 'Cancel rollout').click();
  await expect(panel.getByText('This rollout was cancelled.')).toBeVisible();
  await expect(panel.getByRole('button', { name: /Pause|Resume|Retry|Cancel/u })).toHaveCount(0);
});

test('GRP-10-partial the group page and the list follow the routers live: a download, one that runs it, one that failed', async ({
  page,
  context,
  world,
}) => {
  const model = 'HL-R320';
  const version = `7.7.${world.mark}`;
  await world.seeding.firmware(world.main, { version, model });
  const name = `Live ${world.mark}`;
  const group = await world.seeding.group(world.org, name);
  const wanted = [1, 2].map((number) => ({ serial: `LIVE-${world.mark}-${number}`, mac: `0AB2D${number}${world.mark}` }));
  const registered = await world.seeding.routers(world.main, wanted);
  await world.seeding.devices(
    world.org,
    wanted.map((router) => ({ ...router, group })),
  );
  const server = world.server.url.replace('http', 'ws');
  const [first, second] = registered.map(({ secret, endpointId }) => new UpdatingRouter({ server, secret, endpointId, model }));
  await enter(page, world.people.admin, `/groups/detail?group=${group}`);
  const list = await context.newPage();
  await list.goto(`/groups/list?search=${encodeURIComponent(name)}`);
  await choose(page, 'Firmware', new RegExp(`^${version}`, 'u'));
  await button(page, 'Save').click();
  const panel = page.getByRole('region', { name: `Rollout of firmware ${version}` });
  await expect(panel.getByRole('button', { name: '2 Waiting' })).toBeVisible();
  await expect(row(list, name)).toContainText('Successful: 0/2');
  await first!.connect();
  await second!.connect();
  await expect(panel.getByRole('button', { name: '2 Downloading' })).toBeVisible();
  await expect(row(panel, wanted[0]!.serial)).toContainText('Downloading 0 %');
  await first!.complete(first!.operations[0]!);
  await expect(row(panel, wanted[0]!.serial)).toContainText('Rebooting');
  await first!.boot(version);
  await expect(row(panel, wanted[0]!.serial)).toContainText('Successful');
  await expect(row(panel, wanted[0]!.serial)).toContainText('checked by SHA-256 only');
  await expect(panel).toContainText('1 / 2');
  await list.bringToFront();
  await expect(row(list, name)).toContainText('Successful: 1/2');
  await page.bringToFront();
  await second!.complete(second!.operations[0]!, { message: 'The flash is worn out' });
  await expect(button(panel, '1 Failed')).toBeVisible();
  await expect(row(panel, wanted[1]!.serial)).toContainText('Failed');
  await button(panel, 'Retry 1 failed').click();
  await button(question(page), 'Retry 1 failed').click();
  await expect.poll(() => second!.operations.length).toBe(2);
  await second!.complete(second!.operations[1]!);
  await second!.boot(version);
  await expect(panel).toContainText('2 / 2');
  await expect(panel.getByRole('button', { name: /Pause|Retry|Cancel/u })).toHaveCount(0);
  first!.cut();
  second!.cut();
});
