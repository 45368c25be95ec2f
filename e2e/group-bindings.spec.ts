import { enter, expect, waitUntilLoaded, test, visit } from './fixtures.ts';
import { button, choose, question, row } from './groups.ts';

test("GRP-06 GRP-07 a new group binds firmware and a config file at the next bootup after a half hour of the person's zone; without a file it is immediate", async ({
  page,
  tenant,
}) => {
  const version = `7.1.${tenant.mark}`;
  const firmware = await tenant.seeding.firmware(tenant.main, { version, model: 'HL-R520 5G' });
  const config = await tenant.seeding.config(tenant.org, { name: `bind-${tenant.mark}.cfg` });
  const [router] = await tenant.routers(1);
  const { rows: counted } = await tenant.owner.query<{ count: number }>(
    'select count(*)::int as count from groups where organization_id = $1',
    [tenant.org.organizationId],
  );
  await enter(page, tenant.users.admin, '/groups/add');
  await expect(page.getByLabel('Group number')).toHaveValue(String(counted[0]!.count + 1));
  const [immediate, bootup] = [page.getByLabel('Immediate'), page.getByLabel('Up on next bootup')];
  await expect(immediate).toBeChecked();
  await expect(bootup).toBeDisabled();
  await page.getByLabel('Description').fill('evening buses');
  await expect(button(page, 'Save')).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Group Name').fill(`Bound ${tenant.mark}`);
  await expect(button(page, 'Save')).not.toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('button', { name: 'Devices Edit' }).click();
  const dialog = page.getByRole('dialog');
  const pool = dialog.getByRole('group', { name: 'Default group' });
  await pool.getByRole('searchbox').fill(router!.serial);
  await row(pool, router!.serial).getByRole('checkbox').check();
  await button(dialog, 'Move into group').click();
  await button(dialog, 'Save').click();
  await choose(page, 'Firmware', new RegExp(`^${version}`, 'u'));
  await expect(page.getByText('1 router: 1 will update, 1 offline will follow')).toBeVisible();
  // Undefined is shown, with its meaning below it.
  const undefinedConfig = page.getByRole('button', { name: 'Config File Undefined' });
  await expect(undefinedConfig).toBeVisible();
  await expect(page.getByText('nothing bound', { exact: true })).toHaveCount(1);
  const postpone = page.getByRole('checkbox', { name: 'Postpone Until' });
  await expect(postpone).toHaveCount(0);
  await expect(page.getByLabel('Date', { exact: true })).toHaveCount(0);
  await bootup.check();
  await expect(postpone).not.toBeChecked();
  await expect(page.getByLabel('Date', { exact: true })).toBeDisabled();
  await expect(page.getByLabel('Time', { exact: true })).toBeDisabled();
  // Both Undefined again: forced to immediate and disabled.
  await choose(page, 'Firmware', 'Undefined');
  await expect(immediate).toBeChecked();
  await expect(bootup).toBeDisabled();
  await choose(page, 'Firmware', new RegExp(`^${version}`, 'u'));
  await choose(page, 'Config File', /^bind-/u);
  await bootup.check();
  const save = button(page, 'Save');
  await expect(postpone).not.toBeChecked();
  await postpone.check();
  await expect(page.getByLabel('Date', { exact: true })).toBeEnabled();
  await expect(page.getByLabel('Time', { exact: true })).toBeEnabled();
  await save.hover();
  await expect(page.getByText('Please enter the Date').filter({ visible: true })).toBeVisible();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Date', { exact: true }).fill('01/02/2026');
  await page.keyboard.press('Tab');
  await expect(page.getByText('This time has passed.').filter({ visible: true }).first()).toBeVisible();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  const date = page.getByLabel('Date', { exact: true });
  const options = page.getByLabel('Time', { exact: true }).locator('option');
  await date.fill('03/16/2027');
  await page.keyboard.press('Tab');
  await expect(options).toHaveCount(48);
  await date.fill('03/14/2027');
  await page.keyboard.press('Tab');
  // Clocks go forward in Chicago: 02:00 and 02:30 do not exist on that day.
  await expect(options).toHaveCount(46);
  const slots = (await options.allInnerTexts()).map((text) => text.trim());
  expect([slots[0], slots.at(-1)]).toEqual(['00:00', '23:30']);
  await page.getByLabel('Time', { exact: true }).selectOption('03:30');
  const sent: [string, Record<string, unknown>][] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && /\/(binding\/group\/(firmware|config)|dm\/group(\/[^/]+)?)$/u.test(request.url()))
      sent.push([request.method(), request.postDataJSON()]);
  });
  await save.click();
  await expect(page.getByText('Group Save Success')).toBeVisible();
  await expect(page).toHaveURL(/\/groups\/list/u);
  const { rows: stored } = await tenant.owner.query<{ key: string }>('select key from groups where name = $1', [
    `Bound ${tenant.mark}`,
  ]);
  const when = { schedule: 'bootup', postpone: Date.parse('2027-03-14T08:30:00Z') / 1000 };
  expect(sent).toMatchObject([['POST', { name: `Bound ${tenant.mark}`, firmware, config, ...when }]]);
  expect(sent[0]![1]['devices']).toHaveLength(1);
  for (const text of [version, `bind-${tenant.mark}`, 'Up on next bootup', '03/14/2027', 'Successful: 0/1', 'evening buses'])
    await expect(row(page, `Bound ${tenant.mark}`)).toContainText(text);

  // Without postpone it is sent empty.
  await visit(page, `/groups/detail?group=${stored[0]!.key}`);
  await expect(postpone).toBeChecked();
  await expect(page.getByLabel('Date', { exact: true })).toHaveValue('03/14/2027');
  await postpone.uncheck();
  await expect(page.getByLabel('Date', { exact: true })).toBeDisabled();
  await expect(page.getByLabel('Date', { exact: true })).toHaveValue('');
  sent.length = 0;
  await save.click();
  await expect(page.getByText('Edit success')).toBeVisible();
  const unpostponed = { group: stored[0]!.key, is_postpone: false, firmware, config, schedule: 'bootup', postpone: '' };
  expect(sent).toEqual([['PUT', unpostponed]]);
  await page.reload();
  await waitUntilLoaded(page);
  await expect(postpone).not.toBeChecked();
});

test('GRP-08 the form of a group saves any change, sends only changed fields, and clearing a file removes its binding', async ({
  page,
  tenant,
}) => {
  const version = `7.2.${tenant.mark}`;
  await tenant.seeding.firmware(tenant.main, { version, model: 'HL-R520 5G' });
  await tenant.seeding.config(tenant.org, { name: `edit-${tenant.mark}.cfg` });
  const name = `Edited ${tenant.mark}`;
  const key = await tenant.seeding.group(tenant.org, name);
  await tenant.routers(2, { group: key });
  await enter(page, tenant.users.admin, `/groups/detail?group=${key}`);
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
    ['PUT', key, { group: key, is_postpone: false, description: 'yard B' }],
  ]);
  expect(await saved(() => page.getByLabel('Group Name').fill(`${name} 2`))).toEqual([
    ['PUT', key, { group: key, is_postpone: false, name: `${name} 2` }],
  ]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} 2`);
  const bound = await saved(() => choose(page, 'Firmware', new RegExp(`^${version}`, 'u')));
  expect(bound.map(([method, path]) => [method, path])).toEqual([['PUT', key]]);
  await expect(page.getByRole('heading', { name: `Rollout of firmware ${version}` })).toBeVisible();
  await expect(page.getByText('0 / 2')).toBeVisible();
  await page.reload();
  await waitUntilLoaded(page);
  await expect(page.getByRole('button', { name: `Firmware ${version}` })).toBeVisible();
  await saved(() => choose(page, 'Config File', /^edit-/u));
  const waiting = await saved(() => page.getByLabel('Up on next bootup').check());
  expect(waiting.map(([method, path]) => [method, path])).toEqual([['PUT', key]]);
  await expect(page.getByLabel('Group number')).toHaveValue(/^\d+$/u);
  await expect(page.getByRole('button', { name: 'Devices Edit' })).toBeVisible();
  const cleared = await saved(() => choose(page, 'Firmware', 'Undefined'));
  expect(cleared).toEqual([['PUT', key, { group: key, is_postpone: false, firmware: '', mode: 'all' }]]);
  await expect(page.getByRole('heading', { name: /^Rollout of firmware/u })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: /^Rollout of config file/u })).toBeVisible();
  await saved(() => choose(page, 'Config File', 'Undefined'));
  await expect(page.getByText('No firmware or config file is bound to this group')).toBeVisible();
  await page.getByRole('link', { name: 'Groups' }).first().click();
  await expect(row(page, `${name} 2`)).toHaveAttribute('data-highlighted', /.*/u);
  await visit(page, '/groups/detail?group=default%2Bgroup%2Bid');
  await expect(page.getByRole('button', { name: 'Devices View' })).toBeVisible();
});

test('GRP-08 a save whose config file is gone stores nothing and keeps the input; repeated after a lost answer it binds once', async ({
  page,
  tenant,
}) => {
  const version = `7.3.${tenant.mark}`;
  await tenant.seeding.firmware(tenant.main, { version, model: 'HL-R520 5G' });
  const gone = await tenant.seeding.config(tenant.org, { name: `gone-${tenant.mark}.cfg` });
  await tenant.seeding.config(tenant.org, { name: `kept-${tenant.mark}.cfg` });
  const name = `Whole ${tenant.mark}`;
  const key = await tenant.seeding.group(tenant.org, name);
  const bindings = async () =>
    (await tenant.owner.query('select kind, label from bindings where group_key = $1 order by kind', [key])).rows;
  await enter(page, tenant.users.admin, `/groups/detail?group=${key}`);
  await page.getByLabel('Description').fill('kept');
  await choose(page, 'Firmware', new RegExp(`^${version}`, 'u'));
  await choose(page, 'Config File', /^gone-/u);
  await tenant.owner.query('delete from config_files where id = $1', [gone]);
  await button(page, 'Save').click();
  await button(question(page), 'OK').click();
  await expect(page.getByLabel('Description')).toHaveValue('kept');
  await expect(page.getByRole('button', { name: `Firmware ${version}` })).toBeVisible();
  const unchanged = await tenant.owner.query('select description from groups where key = $1', [key]);
  expect([unchanged.rows, await bindings()]).toEqual([[{ description: '' }], []]);

  // The server saves it, but its answer is lost.
  await choose(page, 'Config File', /^kept-/u);
  await page.route(`**/dm/group/${key}`, async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback();
    await route.fetch();
    await route.abort();
    await page.unroute(`**/dm/group/${key}`);
  });
  await button(page, 'Save').click();
  await button(question(page), 'OK').click();
  const stored = await bindings();
  expect(stored).toEqual([
    { kind: 'config', label: `kept-${tenant.mark}.cfg` },
    { kind: 'firmware', label: version },
  ]);
  await button(page, 'Save').click();
  await expect(page.getByText('Edit success')).toBeVisible();
  expect(await bindings()).toEqual(stored);
  await visit(page, '/groups/list');
  await expect(row(page, name)).toContainText('kept');
});

test('firmware for another model is marked, and rejected with a message before anything is saved', async ({ page, tenant }) => {
  const key = await tenant.seeding.group(tenant.org, `Models ${tenant.mark}`);
  const routers = await tenant.routers(2, { group: key });
  await tenant.fleet(routers).whenAllConnected();
  const [right, wrong] = [`7.4.${tenant.mark}`, `7.5.${tenant.mark}`];
  await tenant.seeding.firmware(tenant.main, { version: right, model: 'HL-R520 5G' });
  await tenant.seeding.firmware(tenant.main, { version: wrong, model: 'HL-R300' });
  await expect
    .poll(
      async () => (await tenant.owner.query('select 1 from devices where group_key = $1 and model is not null', [key])).rowCount,
    )
    .toBe(2);
  await enter(page, tenant.users.admin, `/groups/detail?group=${key}`);
  await page.getByRole('button', { name: /^Firmware /u }).click();
  await page.getByRole('combobox', { name: 'Firmware' }).fill(tenant.mark);
  await expect(page.getByRole('option', { name: new RegExp(`^${wrong}.*other model`, 'u') })).toBeVisible();
  await expect(page.getByRole('option', { name: new RegExp(`^${right}`, 'u') })).not.toContainText('other model');
  await page.getByRole('option', { name: new RegExp(`^${wrong}`, 'u') }).click();
  await expect(page.getByRole('alert')).toContainText('This firmware is for HL-R300, but 2 of 2 routers are HL-R520 5G');
  await expect(button(page, 'Save')).toHaveAttribute('aria-disabled', 'true');
  await choose(page, 'Firmware', new RegExp(`^${right}`, 'u'));
  await expect(page.getByText(/2 routers: \d will update/u)).toBeVisible();
  await expect(button(page, 'Save')).not.toHaveAttribute('aria-disabled', 'true');
});
