import { enter, expect, rows, test, visit } from './fixtures.ts';

test('BLK-01 all that match are moved and moved back by Undo; a command has a result for each router, exactly the failed are tried again, and a phone shows the whole bar', async ({
  page,
  tenant,
}) => {
  const { mark, seeding } = tenant;
  const [online, ...others] = await tenant.routers(3);
  const fleet = tenant.fleet([online!]);
  const depot = await seeding.group(tenant.org, `Depot ${mark}`);
  await fleet.whenAllConnected();
  const row = (text: string) => rows(page).filter({ hasText: text });
  const check = (text: string) => row(text).getByRole('checkbox').check();
  const bar = page.getByRole('toolbar', { name: 'Selected devices' });
  const toast = page.locator('.toast').last();
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
  await check(others[0]!.serial);
  await bar.getByRole('button', { name: 'Select all 3 that match' }).click();
  await expect(bar).toContainText('3 selected');
  await bar.getByRole('button', { name: 'Move to group' }).click();
  await expect(dialog).toContainText('Move 3 devices to a group');
  await dialog.getByRole('button', { name: /^Group/u }).click();
  await page.getByRole('option', { name: `Depot ${mark}` }).click();
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(toast).toContainText('3 devices changed');
  await expect(row(`Depot ${mark}`)).toHaveCount(3);
  const inGroup = async () => (await tenant.owner.query('select 1 from devices where group_key = $1', [depot])).rows.length;
  expect(await inGroup()).toBe(3);
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect(row(`Depot ${mark}`)).toHaveCount(0);
  expect(await inGroup()).toBe(0);

  for (const { serial } of [online!, others[0]!]) await check(serial);
  await bar.getByRole('button', { name: 'Run command' }).click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(question).toContainText('1 is connected and will run it now.');
  await question.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(toast).toContainText('Run Blink on 2 devices: 1 done · 1 failed');
  await page.getByRole('link', { name: /Jobs?\b/u }).click();
  await row('Run Blink on 2 devices').first().getByRole('link').click();
  await expect(row(online!.serial)).toContainText('Done');
  await expect(row(others[0]!.serial)).toContainText('Not connected; nothing was sent');
  await page.getByRole('button', { name: 'Retry 1 failed' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Run Blink on 1 device');
  await expect(row(others[0]!.serial)).toContainText('Failed');

  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, list);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await check(online!.serial);
  for (const button of await bar.getByRole('button').all()) await expect(button).toBeInViewport({ ratio: 1 });
});
