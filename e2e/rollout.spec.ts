import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Tenant } from './tenant.ts';
import { enter, expect, rows, waitUntilLoaded, test, visit } from './fixtures.ts';
import { choose, row } from './groups.ts';

// Bindings carried out by real routers: they download, verify, write, restart and call home.

const MODEL = 'HL-R520 5G';

const panelOf = (page: Page, what: string) => page.getByRole('region', { name: `Rollout of ${what}` });

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  // Immediate restarts or reconnects are confirmed first.
  const question = page.getByRole('alertdialog');
  const done = page.getByText('Edit success').last();
  await expect(question.or(done).first()).toBeVisible();
  if (await question.isVisible()) await question.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(done).toBeVisible();
}

/** A group of routers that are switched on, but for the last one. */
async function fleetOf(tenant: Tenant, count: number) {
  const name = `Rollout ${tenant.mark} ${randomBytes(2).toString('hex')}`;
  const group = await tenant.seeding.group(tenant.org, name);
  const routers = await tenant.routers(count, { group });
  const fleet = tenant.fleet(routers.slice(0, -1));
  await fleet.whenAllConnected();
  return { name, group, routers, fleet, last: routers.at(-1)! };
}

test('GRP-10 a binding reaches every router of the group: now, at its next boot, at the first boot after a time, and days late', async ({
  page,
  context,
  tenant,
  request,
}) => {
  test.setTimeout(400_000);
  const { name, group, routers, fleet, last } = await fleetOf(tenant, 3);
  const version = `19.1.${tenant.mark}`;
  const later = `19.2.${tenant.mark}`;
  const config = `reach-${tenant.mark}.cfg`;
  await tenant.seeding.firmware(tenant.main, { version, model: MODEL });
  const laterFirmware = await tenant.seeding.firmware(tenant.main, { version: later, model: MODEL });
  await tenant.seeding.config(tenant.org, { name: config });
  await enter(page, tenant.users.admin, `/groups/detail?group=${group}`);
  const list = await context.newPage();
  await list.goto(`/groups/list?search=${encodeURIComponent(name)}`);
  await waitUntilLoaded(list);

  // Immediate: those that are connected now; the one that is off is waited for, and follows when it is switched on.
  await choose(page, 'Firmware', new RegExp(`^${version}`, 'u'));
  await expect(page.getByText('3 routers: 3 will update, 1 offline will follow')).toBeVisible();
  await save(page);
  const firmware = panelOf(page, `firmware ${version}`);
  await expect(firmware).toContainText('2 / 3', { timeout: 90_000 });
  await expect(row(firmware, routers[0]!.serial)).toContainText('Successful');
  await expect(row(firmware, last.serial)).toContainText(/Waiting/u);
  await expect(row(list, name)).toContainText('Successful: 2/3');
  const lateFleet = tenant.fleet([last]);
  await expect(firmware).toContainText('3 / 3', { timeout: 90_000 });
  await expect(row(list, name)).toContainText('Successful: 3/3');

  // At the next boot: nothing before it.
  await page.reload();
  await waitUntilLoaded(page);
  await choose(page, 'Config File', new RegExp(`^${config}`, 'u'));
  await page.getByLabel('Up on next bootup').check();
  await save(page);
  const file = panelOf(page, `config file ${config}`);
  await expect(row(file, routers[0]!.serial)).toContainText(/Waiting/u);
  await expect(file).toContainText('0 / 3');
  fleet.routers.get(routers[0]!.serial)!.reboot();
  await expect(file).toContainText('1 / 3', { timeout: 90_000 });
  await expect(row(file, routers[1]!.serial)).toContainText(/Waiting/u);
  await expect(row(list, name)).toContainText('Successful: 1/3');

  // After a moment: a boot before it changes nothing, the first one after it does.
  const postpone = Math.ceil(Date.now() / 1_000) + 3_600;
  const bound = await request.post('/data_manager/v1/binding/group/firmware', {
    headers: { authorization: `Bearer ${tenant.users.admin.bearer}` },
    data: { firmware: laterFirmware, group, schedule: 'bootup', postpone },
  });
  expect(bound.status()).toBe(200);
  const second = fleet.routers.get(routers[1]!.serial)!;
  const starts = second.bootCount;
  second.reboot();
  await expect.poll(() => second.bootCount).toBe(starts + 1);
  await second.whenConnected();
  const postponed = panelOf(page, `firmware ${later}`);
  await expect(row(postponed, routers[1]!.serial)).toContainText(/Waiting/u);
  const { rowCount } = await tenant.owner.query(
    "update bindings set postpone_until = now() - interval '1 second' where group_key = $1 and ended_at is null and kind = 'firmware'",
    [group],
  );
  expect(rowCount).toBe(1);
  await expect(postponed).toContainText('0 / 3');
  second.reboot();
  await expect(postponed).toContainText('1 / 3', { timeout: 90_000 });
  await visit(page, `/devices/list?search=${routers[1]!.serial}`);
  await expect(rows(page)).toContainText([later]);
  await lateFleet.stop();
});

test('GRP-10-partial firmware that cannot call home, and a config file that cuts routers off, are taken back by the routers themselves', async ({
  page,
  tenant,
}) => {
  test.setTimeout(400_000);
  const { group, routers } = await fleetOf(tenant, 2);
  const version = `19.8.${tenant.mark}`;
  const payload = Buffer.concat([Buffer.from('highline-simulation: never-connects\n'), randomBytes(5_000)]);
  await tenant.seeding.firmware(tenant.main, { version, model: MODEL, payload });
  const config = `cut-${tenant.mark}.cfg`;
  await tenant.seeding.config(tenant.org, { name: config, contents: 'server.offline = true\n' });
  await enter(page, tenant.users.admin, `/groups/detail?group=${group}`);
  await choose(page, 'Firmware', new RegExp(`^${version}`, 'u'));
  await save(page);
  const firmware = panelOf(page, `firmware ${version}`);
  await expect(row(firmware, routers[0]!.serial)).toContainText(/Rolled back/u, { timeout: 60_000 });
  await page.reload();
  await waitUntilLoaded(page);
  await choose(page, 'Config File', new RegExp(`^${config}`, 'u'));
  await save(page);
  const file = panelOf(page, `config file ${config}`);
  await expect(row(file, routers[0]!.serial)).toContainText(/Rolled back/u, { timeout: 60_000 });
  await visit(page, `/devices/list?search=${routers[0]!.serial}`);
  await expect(rows(page)).toContainText(['2.8.1']);
  await expect(rows(page)).toContainText(['Online']);
});
