import { UpdatingRouter } from '@highline/testkit/scripted-router';
import { enter, expect, leave, waitUntilLoaded, test, visit } from './fixtures.ts';
import { button, choose, question, row } from './groups.ts';

test('GRP-06-partial GRP-08-partial GRP-09-partial GRP-10-partial GRP-04-partial a group is added with a vehicle, which is named before it restarts with the new firmware, takes a config file at its next boot, and returns to the default group with the deletion', async ({
  page,
  context,
  tenant,
}) => {
  test.slow();
  const [version, config, name] = [`19.1.${tenant.mark}`, `reach-${tenant.mark}.cfg`, `Added ${tenant.mark}`];
  await tenant.seeding.firmware(tenant.main, { version, model: 'HL-R520 5G' });
  await tenant.seeding.config(tenant.org, { name: config });
  const [router] = await tenant.routers(1);
  const fleet = tenant.fleet([router!]);
  await fleet.whenAllConnected();
  const now = async () =>
    (
      await tenant.owner.query<{ group_key: string; firmware: string; ready: boolean }>(
        "select group_key, firmware, model is not null and presence = 'online' as ready from devices where serial = $1",
        [router!.serial],
      )
    ).rows[0]!;
  await expect.poll(async () => (await now()).ready).toBe(true);
  const home = (await now()).group_key;

  await enter(page, tenant.users.admin, '/groups/add');
  await page.getByLabel('Group Name').fill(name);
  await button(page, 'Devices Edit').click();
  const dialog = page.getByRole('dialog');
  await row(dialog, router!.serial).getByRole('checkbox').check();
  await button(dialog, 'Move into group').click();
  await button(dialog, 'Save').click();
  await choose(page, 'Firmware', new RegExp(`^${version}`, 'u'));
  await button(page, 'Save').click();
  await expect(question(page)).toContainText('1 vehicle restarts now');
  await expect(question(page)).toContainText(router!.serial);
  await button(question(page), 'Save').click();
  await expect(page).toHaveURL(/\/groups\/list/u);
  await expect(row(page, name)).toHaveAttribute('data-highlighted', /.*/u);
  // The list and the page of the group follow the router.
  const list = await context.newPage();
  await list.goto(`/groups/list?search=${encodeURIComponent(name)}`);
  await row(page, name).click();
  const panel = (what: string) => page.getByRole('region', { name: `Rollout of ${what}` });
  await expect(panel(`firmware ${version}`)).toContainText('1 / 1', { timeout: 90_000 });
  await expect(row(list, name)).toContainText('Successful: 1/1');
  expect((await now()).firmware).toBe(version);

  await choose(page, 'Config File', new RegExp(`^${config}`, 'u'));
  await page.getByLabel('Up on next bootup').check();
  await button(page, 'Save').click();
  await expect(row(panel(`config file ${config}`), router!.serial)).toContainText('Waiting');
  fleet.routers.get(router!.serial)!.reboot();
  await expect(panel(`config file ${config}`)).toContainText('1 / 1', { timeout: 90_000 });

  await visit(page, `/groups/list?search=${encodeURIComponent(name)}`);
  await button(page, 'Delete').click();
  await row(page, name).getByRole('checkbox').check();
  await button(page, 'Delete(1)').click();
  await button(question(page), 'Delete').click();
  await expect(page.getByText('Group delete success!')).toBeVisible();
  await expect(row(list, name)).toHaveCount(0);
  expect((await now()).group_key).toBe(home);
  await leave(page);
  await enter(page, tenant.users.user, '/groups/list');
  await row(page, 'default').click();
  await waitUntilLoaded(page);
  await expect(row(dialog, router!.serial)).toBeVisible();
});

test('GRP-10-partial ATT-04 the group page and the list follow the routers live: a download, one that runs it, one that failed', async ({
  page,
  context,
  tenant,
}) => {
  const model = 'HL-R320';
  const version = `7.7.${tenant.mark}`;
  await tenant.seeding.firmware(tenant.main, { version, model });
  const name = `Live ${tenant.mark}`;
  const group = await tenant.seeding.group(tenant.org, name);
  const inputs = [1, 2].map((number) => ({ serial: `LIVE-${tenant.mark}-${number}`, mac: `0AB2D${number}${tenant.mark}` }));
  const registered = await tenant.seeding.routers(tenant.main, inputs);
  await tenant.seeding.devices(
    tenant.org,
    inputs.map((router) => ({ ...router, group })),
  );
  const server = tenant.server.url.replace('http', 'ws');
  const [first, second] = registered.map(({ secret, endpointId }) => new UpdatingRouter({ server, secret, endpointId, model }));
  await enter(page, tenant.users.admin, `/groups/detail?group=${group}`);
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
  await expect(row(panel, inputs[0]!.serial)).toContainText('Downloading 0%');
  await first!.complete(first!.operations[0]!);
  await expect(row(panel, inputs[0]!.serial)).toContainText('Restarting');
  await first!.boot(version);
  await expect(row(panel, inputs[0]!.serial)).toContainText('Successful');
  await expect(row(panel, inputs[0]!.serial)).toContainText('verified by SHA-256 only');
  await expect(panel).toContainText('1 / 2');
  await list.bringToFront();
  await expect(row(list, name)).toContainText('Successful: 1/2');
  await page.bringToFront();
  await second!.complete(second!.operations[0]!, { message: 'Installation failed: <img src=x onerror=alert(1)>' });
  await expect(button(panel, '1 Failed')).toBeVisible();
  await expect(row(panel, inputs[1]!.serial)).toContainText("couldn't write the file to flash");
  await expect(row(panel, inputs[1]!.serial)).toContainText('Installation failed: <img src=x onerror=alert(1)>');
  await list.bringToFront();
  await expect(row(list, name).locator('.group-status__bar > *')).toHaveCount(2);
  await row(list, name).getByRole('link', { name: '1 failed' }).click();
  await expect(list).toHaveURL(/firmware=failed/u);
  const failed = list.getByRole('region', { name: `Rollout of firmware ${version}` }).locator('tbody tr');
  await expect(failed).toHaveCount(1);
  await failed.getByRole('link', { name: inputs[1]!.serial }).click();
  await expect(list).toHaveURL(/\/devices\/setting\?device=/u);
  await page.bringToFront();
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

test('WIN-01 a chosen vehicle goes first, the others follow when a person continues, and the effect is named before', async ({
  page,
  tenant,
}) => {
  test.slow();
  const version = `19.2.${tenant.mark}`;
  await tenant.seeding.firmware(tenant.main, { version, model: 'HL-R520 5G' });
  const routers = await tenant.routers(3);
  const fleet = tenant.fleet(routers);
  await fleet.whenAllConnected();
  const serials = routers.map(({ serial }) => serial);
  const known = async () =>
    (
      await tenant.owner.query<{ count: number }>(
        "select count(*)::int as count from devices where serial = any ($1) and model is not null and presence = 'online'",
        [serials],
      )
    ).rows[0]!.count;
  await expect.poll(known).toBe(3);
  const [first, ...others] = serials as [string, ...string[]];
  await enter(page, tenant.users.admin, '/groups/add');
  await page.getByLabel('Group Name').fill(`Waves ${tenant.mark}`);
  await button(page, 'Devices Edit').click();
  const dialog = page.getByRole('dialog');
  for (const serial of serials) await row(dialog, serial).getByRole('checkbox').check();
  await button(dialog, 'Move into group').click();
  await button(dialog, 'Save').click();
  await choose(page, 'Firmware', new RegExp(`^${version}`, 'u'));
  const plan = page.getByRole('region', { name: 'Rollout' });
  await plan.getByLabel('First these').selectOption('Vehicles you choose');
  await plan.getByRole('button', { name: /Vehicles that go first$/u }).click();
  await page.getByRole('option', { name: first }).click();
  await plan.getByLabel('Then go on').selectOption('when I continue it');
  await expect(plan).toContainText(`First: ${first}`);
  await expect(plan).toContainText('When you continue it: 2 routers');
  await button(page, 'Save').click();
  await expect(question(page)).toContainText('1 vehicle restarts now');
  await button(question(page), 'Save').click();
  await row(page, `Waves ${tenant.mark}`).click();
  const panel = page.getByRole('region', { name: `Rollout of firmware ${version}` });
  await expect(panel).toContainText('1 / 3', { timeout: 90_000 });
  for (const serial of others) await expect(row(panel, serial)).toContainText('in a later wave');
  await button(panel, 'Continue').click();
  await button(question(page), 'Continue').click();
  await expect(panel).toContainText('3 / 3', { timeout: 90_000 });
});
