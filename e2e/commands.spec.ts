import { enter, expect, expectAccessible, test } from './fixtures.ts';

test('LIV-01 LIV-09 a restart waits for a vehicle that is off, is carried out once it connects, and is on its timeline', async ({
  page,
  tenant,
}) => {
  const [bus] = await tenant.routers(1);
  const { rows } = await tenant.owner.query('select id from devices where serial = $1', [bus!.serial]);
  await enter(page, tenant.users.admin, `/devices/setting?device=${rows[0]!.id}`);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Restart', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Restart' });
  await dialog.getByLabel('Wait for the router at most').selectOption({ label: '7 days' });
  await dialog.getByRole('button', { name: 'Let it wait' }).click();
  const commands = page.getByRole('region', { name: 'Commands sent' });
  await expect(commands).toContainText('Waiting for the router');
  await expectAccessible(page);

  const fleet = tenant.fleet([bus!]);
  await fleet.whenAllConnected();
  await expect(commands).toContainText('Done');
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await expect(page.getByText(`Ran command Restart on device ${bus!.serial}`).first()).toBeVisible();
  await expect(page.getByText('restart ordered from here').first()).toBeVisible();

  // For a router that is not connected another dialog opens.
  await expect(page.locator('.device-status').getByText('Online', { exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('blink');
  await page.getByRole('option', { name: /^Blink the LEDs/u }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Blink the LEDs' }).click();
  await expect(commands).toContainText('Blink the LEDs');
  await commands.getByRole('link', { name: 'All commands of this device' }).click();
  await expect(page.getByRole('row', { name: /Restart/u })).toContainText('Done');
  await expectAccessible(page);
});
