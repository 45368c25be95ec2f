import { UpdatingRouter } from '@highline/testkit/scripted-router';
import { enter, expect, expectAccessible, waitUntilLoaded, test } from './fixtures.ts';
import { button, choose, question, row } from './groups.ts';

test('GRP-10-partial a rollout shows its routers by state with reasons, pauses, goes on, tries exactly the failed again and is cancelled', async ({
  page,
  tenant,
}) => {
  const key = await tenant.seeding.group(tenant.org, `Rollout ${tenant.mark}`);
  const routers = await tenant.routers(6, { group: key });
  const version = `7.6.${tenant.mark}`;
  await tenant.seeding.firmware(tenant.main, { version, model: 'HL-R520 5G' });
  await enter(page, tenant.users.admin, `/groups/detail?group=${key}`);
  await choose(page, 'Firmware', new RegExp(`^${version}`, 'u'));
  await button(page, 'Save').click();
  const panel = page.getByRole('region', { name: `Rollout of firmware ${version}` });
  await expect(panel).toContainText('0 / 6');
  await expect(panel.getByRole('button', { name: '6 Waiting' })).toBeVisible();
  await expect(row(panel, routers[0]!.serial)).toContainText('offline, follows when it connects');
  const setTargetState = (serial: string, state: string, reason: string | null) =>
    tenant.owner.query(
      'update rollout_targets set state = $2, reason = $3 where device_id = (select id from devices where serial = $1)',
      [serial, state, reason],
    );
  await setTargetState(routers[0]!.serial, 'failed', 'download-failed');
  await setTargetState(routers[1]!.serial, 'failed', 'flash says <b>no</b>');
  await setTargetState(routers[2]!.serial, 'rolled-back', 'did-not-call-home');
  await setTargetState(routers[3]!.serial, 'successful', null);
  await page.reload();
  await waitUntilLoaded(page);
  await expect(panel).toContainText('1 / 6');
  // 3 of the 4 finished; the failed routers come first, the successful one last.
  await expect(panel).toContainText('75% failed, over your 20%');
  const inOrder = [/Failed/u, /Failed/u, /Rolled back/u, /./u, /./u, /Successful/u];
  await expect(row(panel, 'E2E-')).toHaveText(inOrder);
  await expect(row(panel, routers[0]!.serial)).toContainText("couldn't download the file");
  await expect(row(panel, routers[1]!.serial)).toContainText('flash says <b>no</b>');
  await expect(row(panel, routers[2]!.serial)).toContainText("couldn't reach the cloud");
  await panel.getByRole('button', { name: '2 Failed' }).click();
  await expect(row(panel, 'E2E-')).toHaveCount(2);
  await expect(page).toHaveURL(/firmware=failed/u);
  await expectAccessible(page);
  await panel.getByRole('button', { name: '2 Failed' }).click();
  await expect(row(panel, 'E2E-')).toHaveCount(6);

  await button(panel, 'Pause').click();
  await expect(question(page)).toContainText('No more routers start until you resume.');
  await button(question(page), 'Pause').click();
  await expect(panel.getByText('This rollout is paused.')).toBeVisible();
  await button(panel, 'Resume').click();
  await button(question(page), 'Resume').click();
  await expect(button(panel, 'Pause')).toBeVisible();
  await button(panel, 'Retry 3 failed').click();
  await expect(question(page)).toContainText('Retry 3 routers that failed or were rolled back?');
  await button(question(page), 'Retry 3 failed').click();
  await expect(panel.getByRole('button', { name: '5 Waiting' })).toBeVisible();
  await expect(panel.getByRole('button', { name: '1 Successful' })).toBeVisible();
  await tenant.owner.query(
    "update bindings set state = 'paused', paused_reason = 'threshold' where group_key = $1 and ended_at is null",
    [key],
  );
  await page.reload();
  await expect(panel.getByText('This rollout paused itself')).toBeVisible();
  await button(panel, 'Cancel rollout').click();
  await button(question(page), 'Cancel').click();
  await button(panel, 'Cancel rollout').click();
  await button(question(page), 'Cancel rollout').click();
  await expect(panel.getByText('This rollout was cancelled.')).toBeVisible();
  await expect(panel.getByRole('button', { name: /Pause|Resume|Retry|Cancel/u })).toHaveCount(0);
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
