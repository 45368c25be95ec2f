import { enter, expect, rows, test } from './fixtures.ts';

test('DEV-05-partial the endpoint id of a router is entered, refused where it is none, changed, and searched for', async ({
  page,
  world,
}) => {
  await enter(page, world.people.main, '/inventory');
  await page.getByRole('button', { name: 'Add router' }).click();
  const dialog = page.getByRole('dialog');
  const [serial, first, second] = [`EID-${world.mark}`, `ops::ACDE48-RX-${world.mark}`, `user::bus-${world.mark}`];
  await dialog.getByLabel('Serial number').fill(serial);
  await dialog.getByLabel('MAC address').fill(`00B2D0${world.mark}`);
  await dialog.getByLabel('Endpoint ID').fill('ops:x:1');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toContainText('This is not an endpoint ID.');
  await expect(dialog.getByLabel('Endpoint ID')).toBeFocused();
  await dialog.getByLabel('Endpoint ID').fill(first);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toContainText(`The secret of ${serial}`);
  await expect(dialog).toContainText(first);
  await dialog.getByRole('button', { name: 'I have saved it' }).click();

  await page.goto(`/inventory?field=endpoint&search=${encodeURIComponent(first)}`);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: `Change endpoint ID ${serial}` }).click();
  await dialog.getByLabel('Endpoint ID').fill(second);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await page.goto(`/inventory?search=${serial}`);
  await expect(rows(page).first()).toContainText(second);
});
