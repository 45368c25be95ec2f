import { enter, expect, expectAccessible, test } from './fixtures.ts';

test('LIV-08 a device behind the router is opened from the clients of a vehicle, once an admin allows it', async ({
  page,
  context,
  tenant,
}) => {
  const [router] = await tenant.routers(1);
  await tenant.fleet([router!]).whenAllConnected();
  const { rows } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [router!.serial]);
  await enter(page, tenant.users.admin, `/devices/setting?device=${rows[0]!.id}&tab=clients`);
  await expect(page.getByText('No one may open clients from here.')).toBeVisible();
  await page.getByRole('button', { name: 'Who may open clients' }).click();
  await page.getByRole('combobox', { name: 'May open clients' }).selectOption('both');
  await page.getByRole('button', { name: 'Save' }).click();

  const printer = page.getByRole('row', { name: /ticket-printer/u });
  await printer.getByRole('button', { name: 'Open' }).click();
  const dialog = page.getByRole('dialog', { name: 'Open ticket-printer' });
  await expectAccessible(page);
  const opening = context.waitForEvent('page');
  await dialog.getByRole('button', { name: 'Open' }).click();
  const device = await opening;
  await expect(device.getByRole('heading', { name: 'Ticket printer' })).toBeVisible();
  // The cookie of the device, by a form and a redirect.
  await device.getByRole('button', { name: 'Print a test ticket' }).click();
  await expect(device.getByText('1', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Cancel Connection' }).click();
  await expect(printer.getByRole('button', { name: 'Open' })).toBeEnabled();
  await device.reload();
  await expect(device.getByRole('heading', { name: 'This connection has ended' })).toBeVisible();
});
