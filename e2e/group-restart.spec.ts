import type { Page } from '@playwright/test';
import { enter, expect, expectAccessible, waitUntilLoaded, test, visit } from './fixtures.ts';
import { button, choose, row } from './groups.ts';
import type { Tenant } from './tenant.ts';

/** Binds firmware to a group immediately, as its admin. */
async function bind(page: Page, tenant: Tenant, group: string, firmware: string): Promise<void> {
  const bound = await page.request.post('/data_manager/v1/binding/group/firmware', {
    headers: { authorization: `Bearer ${tenant.users.admin.bearer}`, cookie: '' },
    data: { firmware, group, schedule: 'immediate' },
  });
  expect(bound.status()).toBe(200);
}

test('GRP-08-partial GRP-10-partial vehicles that restart immediately are counted and named before Save, and so are those that a deleted group returns', async ({
  page,
  tenant,
}) => {
  test.slow();
  const name = `Restart ${tenant.mark}`;
  const group = await tenant.seeding.group(tenant.org, name);
  const routers = await tenant.routers(3, { group });
  for (const [index, { serial }] of routers.entries())
    await tenant.owner.query('update devices set vehicle_number = $2 where serial = $1', [serial, `Bus ${index + 1}`]);
  const fleet = tenant.fleet(routers.slice(0, 2));
  await fleet.whenAllConnected();
  const version = `31.1.${tenant.mark}`;
  await tenant.seeding.firmware(tenant.main, { version, model: 'HL-R520 5G' });
  const ready = async () =>
    (
      await tenant.owner.query("select 1 from devices where group_key = $1 and model is not null and presence = 'online'", [
        group,
      ])
    ).rowCount;
  await expect.poll(ready).toBe(2);
  await enter(page, tenant.users.admin, `/groups/detail?group=${group}`);
  await choose(page, 'Firmware', new RegExp(`^${version}`, 'u'));
  await expect(page.getByText('3 routers: 3 will update, 1 offline will follow')).toBeVisible();
  await expect(page.getByLabel('Pause when failures exceed')).toHaveAttribute('placeholder', 'default: 20');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const question = page.getByRole('alertdialog');
  await save.first().click();
  await expect(question).toContainText('2 vehicles restart now');
  for (const bus of ['Bus 1', 'Bus 2']) await expect(question).toContainText(bus);
  await expect(question).toContainText('rolls back by itself');
  await expect(question).toContainText('1 offline router follows when it connects.');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  const bound = await tenant.owner.query('select 1 from bindings where group_key = $1', [group]);
  expect(bound.rowCount).toBe(0);
  await save.first().click();
  await expect(question).toContainText('1 offline router follows');
  // Another device joins the group while the question is shown: the changed impact needs another confirmation.
  await tenant.routers(1, { group });
  await question.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(question).toContainText('2 offline routers follow when they connect.');
  await question.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Edit success').last()).toBeVisible();
  const panel = page.getByRole('region', { name: `Rollout of firmware ${version}` });
  await expect(panel).toContainText('2 / 4', { timeout: 90_000 });

  // Deleted: its devices come back to the default group, where another firmware is bound.
  const next = `31.2.${tenant.mark}`;
  const later = await tenant.seeding.firmware(tenant.main, { version: next, model: 'HL-R520 5G' });
  await expect.poll(ready).toBe(2);
  await visit(page, '/groups/list');
  await button(page, 'Delete').click();
  await row(page, name).getByRole('checkbox').check();
  await button(page, 'Delete(1)').click();
  await expect(question).toContainText('Their devices move to the default group.');
  await expect(question).not.toContainText('restart now');
  // It is bound while the question is shown: deleting needs another confirmation.
  await bind(page, tenant, 'default+group+id', later);
  await button(question, 'Delete').click();
  await expect(question).toContainText('2 vehicles restart now because of what is bound there (Bus 1, Bus 2).');
  await expectAccessible(page);
  await button(question, 'Delete').click();
  await expect(page.getByText('Group delete success!')).toBeVisible();
  const running = async () => (await tenant.owner.query('select 1 from devices where firmware = $1', [next])).rowCount;
  await expect.poll(running, { timeout: 90_000 }).toBe(2);
});

test("GRP-09-partial DEV-07-partial a vehicle that changes its group on its page or leaves it in the group form is named with the new group's binding, before Save", async ({
  page,
  tenant,
}) => {
  test.slow();
  const name = `Target ${tenant.mark}`;
  const group = await tenant.seeding.group(tenant.org, name);
  const [router] = await tenant.routers(1);
  await tenant.owner.query("update devices set vehicle_number = 'Bus 9' where serial = $1", [router!.serial]);
  const fleet = tenant.fleet([router!]);
  await fleet.whenAllConnected();
  const now = async () =>
    (
      await tenant.owner.query<{ id: string; group_key: string; firmware: string; ready: boolean }>(
        "select id, group_key, firmware, model is not null and presence = 'online' as ready from devices where serial = $1",
        [router!.serial],
      )
    ).rows[0]!;
  await expect.poll(async () => (await now()).ready).toBe(true);
  const version = `32.1.${tenant.mark}`;
  await bind(page, tenant, group, await tenant.seeding.firmware(tenant.main, { version, model: 'HL-R520 5G' }));
  const question = page.getByRole('alertdialog');
  const { id, group_key: home } = await now();
  await enter(page, tenant.users.admin, `/devices/setting?device=${id}&tab=settings`);
  await button(page, 'Group default').click();
  await page.getByRole('combobox', { name: 'Group' }).fill(name);
  await page.getByRole('option', { name, exact: true }).click();
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  for (const text of ['1 vehicle restarts now', `Firmware ${version} is bound to group ${name}.`, 'Bus 9'])
    await expect(question).toContainText(text);
  await expect(question).toContainText('rolls back by itself');
  await expectAccessible(page);
  await button(question, 'Cancel').click();
  expect((await now()).group_key).toBe(home);
  await save.click();
  await expect(question).toContainText(`Firmware ${version} is bound`);
  const newer = `32.3.${tenant.mark}`;
  await bind(page, tenant, group, await tenant.seeding.firmware(tenant.main, { version: newer, model: 'HL-R520 5G' }));
  await button(question, 'Save').click();
  await expect(question).toContainText(`Firmware ${newer} is bound to group ${name}.`);
  expect((await now()).group_key).toBe(home);
  await button(question, 'Save').click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await expect.poll(async () => (await now()).firmware, { timeout: 90_000 }).toBe(newer);

  const next = `32.2.${tenant.mark}`;
  await bind(page, tenant, home, await tenant.seeding.firmware(tenant.main, { version: next, model: 'HL-R520 5G' }));
  const [other] = await tenant.routers(1, { group });
  await expect.poll(async () => (await now()).ready, { timeout: 90_000 }).toBe(true);
  await visit(page, `/groups/detail?group=${group}`);
  await button(page, 'Devices Edit').click();
  await waitUntilLoaded(page);
  const dialog = page.getByRole('dialog');
  await expect(row(dialog, other!.serial)).toBeVisible();
  await row(dialog, router!.serial).getByRole('checkbox').check();
  await button(dialog, 'Move to default').click();
  await button(dialog, 'Save').click();
  await save.first().click();
  for (const text of ['1 vehicle restarts now', `Firmware ${next} is bound to group default.`, 'Bus 9'])
    await expect(question).toContainText(text);
  await button(question, 'Cancel').click();
  expect((await now()).group_key).toBe(group);
  await save.first().click();
  await button(question, 'Save').click();
  await expect.poll(async () => (await now()).group_key).toBe(home);
  await expect.poll(async () => (await now()).firmware, { timeout: 90_000 }).toBe(next);

  // Back into the group, whose own files do not change: only the vehicle that joins is counted.
  await expect.poll(async () => (await now()).ready, { timeout: 90_000 }).toBe(true);
  await button(page, 'Devices Edit').click();
  await waitUntilLoaded(page);
  await row(dialog, router!.serial).getByRole('checkbox').check();
  await button(dialog, 'Move into group').click();
  await button(dialog, 'Save').click();
  await save.first().click();
  for (const text of ['1 vehicle restarts now', `Firmware ${newer} is bound to group ${name}.`, 'Bus 9'])
    await expect(question).toContainText(text);
  await button(question, 'Save').click();
  await expect.poll(async () => (await now()).group_key).toBe(group);
});
