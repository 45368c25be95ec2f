import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { createBinding } from '@highline/testkit/seeding';
import { enter, expect, expectAccessible, headers, leave, rows, waitUntilLoaded, test, visit } from './fixtures.ts';
import { button, question, row } from './groups.ts';

/** Fill the search panel and apply it. */
async function search(page: Page, fill: (panel: Locator) => Promise<unknown>, then = 'Apply'): Promise<void> {
  await button(page, 'Search').click();
  const panel = page.getByRole('dialog');
  await fill(panel);
  await button(panel, then).click();
  await waitUntilLoaded(page);
}

test('OVW-02 GRP-01 GRP-05 the list has its columns, ten a page, a search panel, and a CSV of the visible data', async ({
  page,
  tenant,
}) => {
  const keys: string[] = [];
  for (let number = 1; number <= 12; number += 1)
    keys.push(await tenant.seeding.group(tenant.org, `List ${String(number).padStart(2, '0')} ${tenant.mark}`));
  const [bound, immediate] = [keys[4]!, keys[5]!];
  const [router] = await tenant.routers(2, { group: bound });
  const [firmware, config] = [`9.1.${tenant.mark}`, `yard-${tenant.mark}.cfg`];
  // An evening in Chicago is the next day in UTC: the date must be the one of the header's zone.
  await createBinding(tenant.owner, tenant.org, {
    group: bound,
    kind: 'firmware',
    label: firmware,
    schedule: 'bootup',
    postpone: '2027-03-16T02:30:00Z',
  });
  await createBinding(tenant.owner, tenant.org, { group: immediate, kind: 'config', label: config });
  await tenant.owner.query(
    "update rollout_targets set state = 'successful' where device_id = (select id from devices where serial = $1)",
    [router!.serial],
  );
  await tenant.owner.query(
    "update groups set description = 'yard A, plows', created_at = '2026-02-03T12:00:00Z' where name = $1",
    [`List 03 ${tenant.mark}`],
  );
  await enter(page, tenant.users.admin, '/dashboard');
  await page.getByRole('link', { name: 'Open groups' }).click();
  await expect(page).toHaveURL(/\/groups\/list/u);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Groups');
  await expect(page.getByRole('link', { name: 'Groups', exact: true })).toHaveAttribute('aria-current', 'page');
  const columns = [
    '#',
    'Group',
    'Firmware',
    'Config File',
    'Schedule to Update',
    'Postpone Update Until',
    'Update Status',
    'Description',
  ];
  // The first column has the checkboxes.
  await expect.poll(async () => (await headers(page)).slice(1)).toEqual(columns);
  await expect(rows(page)).toHaveCount(10);
  await expect(rows(page).first()).toContainText('default');
  await expect(row(page, `List 01 ${tenant.mark}`)).toContainText('Successful: 0/0nothing bound');
  for (const text of [firmware, 'Up on next bootup', '03/15/2027', 'Successful: 1/2'])
    await expect(row(page, `List 05 ${tenant.mark}`)).toContainText(text);
  for (const text of [config, 'Immediate', 'Successful: 0/0'])
    await expect(row(page, `List 06 ${tenant.mark}`)).toContainText(text);

  await search(page, (panel) => panel.getByLabel('Text').fill(`List 03 ${tenant.mark}`));
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByText(`Group: List 03 ${tenant.mark}`)).toBeVisible();
  await search(page, (panel) => panel.getByLabel('Text').fill(`list 03 ${tenant.mark}`));
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
  expect(lines[1]).toContain(`List 03 ${tenant.mark}`);
  // Cancel changes nothing; Reset settings shows everything again.
  await search(page, (panel) => panel.getByLabel('Text').fill('nothing like it'), 'Cancel');
  await expect(rows(page)).toHaveCount(1);
  await search(page, async () => undefined, 'Reset settings');
  await expect(rows(page)).toHaveCount(10);
  // Creation dates in the header's time zone, none in the future.
  await button(page, 'Search').click();
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Custom date range').check();
  await panel.getByLabel('From').fill('02/03/2026');
  // One calendar may cover the other field; the typed value counts after the field is left.
  await panel.getByLabel('Until').fill('02/01/2026');
  await panel.getByLabel('Until').blur();
  await expect(panel.getByText('The end date must not be before the start date.')).toBeVisible();
  await panel.getByLabel('Until').fill('02/03/2199');
  await panel.getByLabel('Until').blur();
  await expect(panel.getByText('The end date must not be later than today.')).toBeVisible();
  await button(panel, 'Apply').click();
  await expect(panel).toBeVisible();
  await panel.getByLabel('Until').fill('02/03/2026');
  await page.keyboard.press('Tab');
  await expectAccessible(page);
  await button(panel, 'Apply').click();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByText('Created: 02/03/2026 – 02/03/2026')).toBeVisible();
  await page.reload();
  await waitUntilLoaded(page);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: /Remove filter Created/u }).click();
  await expect(rows(page)).toHaveCount(10);
  await search(page, (panel) => panel.getByLabel('Schedule').selectOption('Up on next bootup'));
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText(`List 05 ${tenant.mark}`);
  // A group without bindings is immediate, as its form shows.
  await search(page, (panel) => panel.getByLabel('Schedule').selectOption('Immediate'));
  await expect(page.getByText('1–10 of 12')).toBeVisible();
  await expect(rows(page).filter({ hasText: 'Immediate' })).toHaveCount(10);
  await expect(row(page, `List 05 ${tenant.mark}`)).toHaveCount(0);
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
    await expect(rows(page).first()).toContainText(`${name} ${tenant.mark}`);
  }
  await button(page, 'Clear').click();
  await expect(rows(page)).toHaveCount(10);
});

test('GRP-02 GRP-03 NAV-05-partial an admin opens a group and adds one; a user looks at its devices, and the page without a group leads to the list', async ({
  page,
  tenant,
}) => {
  const name = `Roles ${tenant.mark}`;
  const key = await tenant.seeding.group(tenant.org, name);
  const [router] = await tenant.routers(1, { group: key });
  const list = `/groups/list?search=${encodeURIComponent(name)}`;
  await enter(page, tenant.users.admin, list);
  await row(page, name).press('Enter');
  await expect(page).toHaveURL(/\/groups\/detail\?group=/u);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await visit(page, '/groups/detail');
  await expect(page).toHaveURL(/\/groups\/list$/u);
  await visit(page, '/groups/detail?group=nothing-like-it');
  await expect(page.getByText('This group no longer exists.')).toBeVisible();
  await visit(page, '/groups/list');
  await button(page, 'Add').click();
  await expect(page).toHaveURL(/\/groups\/add$/u);

  await leave(page);
  await enter(page, tenant.users.user, list);
  for (const denied of ['Add', 'Delete']) await expect(button(page, denied)).toHaveAttribute('aria-disabled', 'true');
  await button(page, 'Add').hover();
  await expect(page.getByRole('tooltip', { name: 'Only admins of the organization can add groups.' })).toBeVisible();
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
    await visit(page, path);
    await expect(page).toHaveURL(/\/dashboard$/u);
  }
  await leave(page);
  await enter(page, tenant.users.main, '/groups/list');
  await expect(page).toHaveURL(/\/organization$/u);
});

test('GRP-04 SHR-07-partial delete mode excludes the default group, asks the quoted question, and the devices return to the default group', async ({
  page,
  tenant,
}) => {
  const names = ['Gone', 'Kept'].map((word) => `${word} ${tenant.mark}`);
  const keys = await Promise.all(names.map((name) => tenant.seeding.group(tenant.org, name)));
  const [router] = await tenant.routers(1, { group: keys[0]! });
  await enter(page, tenant.users.admin, '/groups/list?size=50');
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
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
  await button(page, 'Delete').click();
  await expect(remove).toHaveText('Delete(0)');
  await row(page, names[0]!).getByRole('checkbox').check();
  await remove.click();
  await expect(question(page)).toContainText('Warning');
  await expect(question(page)).toContainText('Are you sure you want to delete the selected devices?');
  await expect(question(page)).toContainText('This action is permanent and cannot be undone.');
  await expect(question(page)).toContainText('Their devices move to the default group.');
  await expect(question(page)).toContainText(names[0]!);
  await button(question(page), 'Cancel').click();
  await expect(row(page, names[0]!)).toHaveCount(1);
  await remove.click();
  await button(question(page), 'Delete').click();
  await expect(page.getByText('Group delete success!')).toBeVisible();
  await expect(page).toHaveURL(/\/groups\/list/u);
  await expect(row(page, names[0]!)).toHaveCount(0);
  await expect(row(page, names[1]!)).toHaveCount(1);
  const { rows: stored } = await tenant.owner.query('select group_key from devices where serial = $1', [router!.serial]);
  expect(stored).toEqual([{ group_key: 'default+group+id' }]);
});

test('DEV-03-partial SHR-04-partial a group in the list of devices leads to the groups, where its row is marked and its page open', async ({
  page,
  tenant,
}) => {
  for (let number = 1; number <= 11; number += 1) await tenant.seeding.group(tenant.org, `Aa ${number} ${tenant.mark}`);
  const name = `Zz ${tenant.mark}`;
  const [router] = await tenant.routers(1, { group: await tenant.seeding.group(tenant.org, name) });
  await enter(page, tenant.users.user, `/devices/list?search=${router!.serial}`);
  await page.getByRole('link', { name }).click();
  await expect(page).toHaveURL(/\/groups\/list\?page=\d/u);
  await expect(row(page, name)).toHaveAttribute('data-highlighted', /.*/u);
});
