import { enter, expect, expectAccessible, leave, waitUntilLoaded, test, visit } from './fixtures.ts';
import { button, question, row } from './groups.ts';

test('GRP-06-partial GRP-09 SHR-06-partial a group is added with devices from the default group; unsubscribed devices stay, and deleting an empty group is offered', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Moves ${tenant.mark}`);
  const account = await tenant.seeding.account(org, `moves-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const routers = await tenant.routers(12, { org });
  const [ended] = await tenant.routers(1, { org, expired: '02/01/2026' });
  await enter(page, { id: account, email: '', bearer: await tenant.seeding.bearer(account) }, '/groups/add');
  const save = button(page, 'Save');
  await expect(page.getByLabel('Group number')).toHaveValue('2');
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Description').fill('two plows');
  await save.hover();
  await expect(page.getByRole('tooltip', { name: 'Enter a group name first.' })).toBeVisible();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Group Name').fill(`North ${tenant.mark}`);
  await expect(save).not.toHaveAttribute('aria-disabled', 'true');

  await page.getByRole('button', { name: 'Devices Edit' }).click();
  const dialog = page.getByRole('dialog');
  const pool = dialog.getByRole('group', { name: 'Default group' });
  const mine = dialog.getByRole('group', { name: 'In this group' });
  const into = button(dialog, 'Move into group');
  await waitUntilLoaded(page);
  await expect(into).toHaveAttribute('aria-disabled', 'true');
  await expect(button(dialog, 'Save')).toHaveAttribute('aria-disabled', 'true');
  // Checks survive paging, by keyboard.
  await row(pool, routers[0]!.serial).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await button(pool, 'Next page').click();
  await row(pool, routers[10]!.serial).getByRole('checkbox').check();
  await expect(pool).toContainText('3 selected');
  const unsubscribed = row(pool, ended!.serial);
  await expect(unsubscribed).toContainText('Not Subscribed');
  await unsubscribed.getByRole('checkbox').click({ force: true });
  await expect(unsubscribed.getByRole('checkbox')).not.toBeChecked();
  await expect(pool).toContainText('3 selected');
  // All that match, on every page, except those that cannot move.
  await button(pool, 'Select all 13').click();
  await expect(pool).toContainText('12 selected');
  await button(pool, 'Clear selection').click();
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
  // Each move can be undone where the device came from.
  await pool.getByRole('searchbox').fill(routers[1]!.serial);
  await button(pool, `Undo the move of ${routers[1]!.serial}`).click();
  await expect(row(mine, '')).toHaveCount(1);
  await row(pool, routers[1]!.serial).getByRole('checkbox').check();
  await into.click();
  await expect(row(mine, '')).toHaveCount(2);
  await button(dialog, 'Save').click();
  await expect(page.getByText('2 devices', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Groups' }).first().click();
  await expect(question(page)).toContainText('There are unsaved changes. Do you want to leaving?');
  await button(question(page), 'No').click();
  await save.click();
  await expect(page.getByText('Group Save Success')).toBeVisible();
  await expect(page).toHaveURL(/\/groups\/list/u);
  const added = row(page, `North ${tenant.mark}`);
  await expect(added).toHaveAttribute('data-highlighted', /.*/u);
  await expect(added).toContainText('Successful: 0/2');
  await expect(added).toContainText('two plows');

  // One comes in, the others go: saved as additions and removals.
  await added.click();
  await waitUntilLoaded(page);
  const number = page.getByLabel('Group number');
  await expect(number).toHaveValue('2');
  await page.getByRole('button', { name: 'Devices Edit' }).click();
  await waitUntilLoaded(page);
  await row(pool, routers[5]!.serial).getByRole('checkbox').check();
  await into.click();
  for (const index of [0, 1]) await row(mine, routers[index]!.serial).getByRole('checkbox').check();
  await button(dialog, 'Move to default').click();
  await button(dialog, 'Save').click();
  await expect(page.getByText('+1 / −2 devices')).toBeVisible();
  const [sent] = await Promise.all([page.waitForRequest((request) => request.method() === 'PUT'), save.click()]);
  const body = sent.postDataJSON() as Record<string, unknown>;
  expect(Object.keys(body).toSorted()).toEqual(['add', 'confirmed', 'group', 'is_postpone', 'remove']);
  expect(sent.headers()['if-match']).toBeTruthy();
  await expect(page.getByText('Edit success')).toBeVisible();
  await expect(page.getByText('1 device', { exact: true }).first()).toBeVisible();

  // The last one goes: No keeps the group, Delete deletes it.
  const empty = async () => {
    await page.getByRole('button', { name: 'Devices Edit' }).click();
    await waitUntilLoaded(page);
    await row(mine, routers[5]!.serial).getByRole('checkbox').check();
    await button(dialog, 'Move to default').click();
    await button(dialog, 'Save').click();
    await expect(question(page)).toContainText('Delete Empty Group?');
  };
  await empty();
  await button(question(page), 'No').click();
  await page.getByRole('button', { name: 'Devices Edit' }).click();
  await waitUntilLoaded(page);
  await row(pool, routers[5]!.serial).getByRole('checkbox').check();
  await into.click();
  await button(dialog, 'Save').click();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await empty();
  await button(question(page), 'Delete').click();
  await expect(page.getByText('Group delete success!')).toBeVisible();
  await expect(page).toHaveURL(/\/groups\/list/u);
  await expect(row(page, `North ${tenant.mark}`)).toHaveCount(0);
  // The default group's devices are viewed, not edited.
  await row(page, 'default').click();
  await waitUntilLoaded(page);
  await expect(page.getByLabel('Group Name')).toHaveAttribute('readonly', '');
  await page.getByRole('button', { name: 'Devices View' }).click();
  await expect(dialog.getByText('1–10 of 13')).toBeVisible();
  await expect(dialog.getByRole('checkbox')).toHaveCount(0);
  // A user looks at the same from the list.
  const user = await tenant.seeding.account(org, `looks-${tenant.mark.toLowerCase()}@highline.example`, 'user');
  await leave(page);
  await enter(page, { id: user, email: '', bearer: await tenant.seeding.bearer(user) }, '/groups/list');
  await row(page, 'default').click();
  await expect(dialog.getByText('1–10 of 13')).toBeVisible();
  await expect(dialog.getByRole('checkbox')).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: /Move|Save/u })).toHaveCount(0);
});

test("two admins who save one group: the second sees the first one's changes, keeps the input, and nothing is lost silently", async ({
  page,
  tenant,
}) => {
  const name = `Both ${tenant.mark}`;
  const key = await tenant.seeding.group(tenant.org, name);
  await enter(page, tenant.users.admin, `/groups/detail?group=${key}`);
  await page.getByLabel('Description').fill('mine');
  const answer = await page.request.patch(`/data_manager/v1/dm/group/${key}`, {
    headers: { authorization: `Bearer ${tenant.users.admin.bearer}` },
    data: { name: `${name} theirs` },
  });
  expect(answer.status()).toBe(200);
  await button(page, 'Save').click();
  await expect(question(page)).toContainText('Someone else changed this group.');
  await expect(question(page)).toContainText(`${name} theirs`);
  await button(question(page), 'OK').click();
  await expect(page.getByLabel('Description')).toHaveValue('mine');
  await button(page, 'Save').click();
  await expect(page.getByText('Edit success')).toBeVisible();
  const { rows: stored } = await tenant.owner.query('select description from groups where key = $1', [key]);
  expect(stored).toEqual([{ description: 'mine' }]);
});

test('the input of a group is offered again after the page was closed', async ({ page, tenant }) => {
  const key = await tenant.seeding.group(tenant.org, `Draft ${tenant.mark}`);
  await enter(page, tenant.users.admin, `/groups/detail?group=${key}`);
  await page.getByLabel('Description').fill('typed for long');
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await waitUntilLoaded(page);
  await expect(page.getByLabel('Description')).toHaveValue('');
  await button(page, 'Restore').click();
  await expect(page.getByLabel('Description')).toHaveValue('typed for long');
  await button(page, 'Save').click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await page.reload();
  await waitUntilLoaded(page);
  await expect(button(page, 'Restore')).toHaveCount(0);
});

test('NOD-05-partial the report interval of a group is set, checked and emptied in its form', async ({ page, tenant }) => {
  const org = await tenant.seeding.organization(tenant.main, `Interval ${tenant.mark}`);
  const account = await tenant.seeding.account(org, `interval-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const group = await tenant.seeding.group(org, 'Slow');
  await enter(page, { id: account, email: '', bearer: await tenant.seeding.bearer(account) }, `/groups/detail?group=${group}`);
  const field = page.getByLabel('Report interval (seconds)');
  const stored = async () =>
    (await tenant.owner.query('select report_seconds as seconds from groups where key = $1', [group])).rows[0].seconds as number;
  await expect(field).toHaveValue('');
  await field.fill('5');
  await expect(field).toHaveAccessibleDescription(/enter 10 to 86,400 seconds/u);
  await expect(button(page, 'Save')).toHaveAttribute('aria-disabled', 'true');
  await field.fill('900');
  await expectAccessible(page);
  await button(page, 'Save').click();
  await expect(page.getByText('Edit success')).toBeVisible();
  expect(await stored()).toBe(900);
  await page.reload();
  await expect(field).toHaveValue('900');
  await field.fill('');
  await button(page, 'Save').click();
  await expect.poll(stored).toBeNull();
});

test('RPT-03 tags are chips in the forms of a group and an organization; with the tag BD, windows start at one hour', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Tags ${tenant.mark}`);
  const account = await tenant.seeding.account(org, `tags-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const admin = { id: account, email: '', bearer: await tenant.seeding.bearer(account) };
  const [tagged, plain] = [await tenant.seeding.group(org, 'Tagged'), await tenant.seeding.group(org, 'Plain')];
  const day = (ago: number) => {
    const [year, month, date] = new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10).split('-');
    return `${month}/${date}/${year}`;
  };
  const expectWindow = async (group: string, window: string) => {
    const query = new URLSearchParams({ day: 'custom', from: day(20), until: day(0), property: 'rssi', group });
    await visit(page, `/reports/analysis?${query.toString()}`);
    await expect(page.getByLabel('Window').locator('option').first()).toHaveText(`Automatic (${window})`);
  };
  const tags = page.getByRole('combobox', { name: 'Tags' });
  const chips = page.locator('.mantine-Pill-label');
  await enter(page, admin, `/groups/detail?group=${tagged}`);
  await expectWindow(tagged, '1 day');
  await visit(page, `/groups/detail?group=${tagged}`);
  await tags.fill('west');
  await tags.press('Enter');
  await tags.pressSequentially('BD,');
  await expect(chips).toHaveText(['west', 'BD']);
  await tags.fill('x'.repeat(40));
  await expect(tags).toHaveValue('x'.repeat(32));
  await tags.fill('');
  await expectAccessible(page);
  await button(page, 'Save').click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await page.reload();
  await expect(chips).toHaveText(['west', 'BD']);
  await expectWindow(tagged, '1 hour');
  await expectWindow(plain, '1 day');

  await leave(page);
  await enter(page, tenant.users.main, `/organization/setting?org=${org.organizationId}`);
  await tags.fill('BD');
  await tags.press('Enter');
  await expect(chips).toHaveText(['BD']);
  await button(page, 'Save').click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await page.reload();
  await expect(chips).toHaveText(['BD']);
  await expectAccessible(page);
  await leave(page);
  await enter(page, admin, '/dashboard');
  await expectWindow(plain, '1 hour');
});
