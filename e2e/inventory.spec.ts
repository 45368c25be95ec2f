import { WebSocket } from 'ws';
import { enter, expect, expectAccessible, keepSecret, leave, rows, test, visit } from './fixtures.ts';

test('DEV-05-partial the endpoint id of a router is entered, rejected if invalid, changed, and searched for', async ({
  page,
  tenant,
}) => {
  await enter(page, tenant.users.main, '/inventory');
  await page.getByRole('button', { name: 'Add router' }).click();
  const dialog = page.getByRole('dialog');
  const [serial, first, second] = [`EID-${tenant.mark}`, `ops::ACDE48-RX-${tenant.mark}`, `user::bus-${tenant.mark}`];
  await dialog.getByLabel('Serial number').fill(serial);
  await dialog.getByLabel('MAC address').fill(`00B2D0${tenant.mark}`);
  await dialog.getByLabel('Endpoint ID').fill('ops:x:1');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toContainText('This is not a valid endpoint ID.');
  await expect(dialog.getByLabel('Endpoint ID')).toBeFocused();
  await dialog.getByLabel('Endpoint ID').fill(first);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toContainText(`Secret for ${serial}`);
  await expect(dialog).toContainText(first);
  await keepSecret(dialog);

  await visit(page, `/inventory?field=endpoint&search=${encodeURIComponent(first)}`);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: `Change endpoint ID ${serial}` }).click();
  await dialog.getByLabel('Endpoint ID').fill(second);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await visit(page, `/inventory?search=${serial}`);
  await expect(rows(page).first()).toContainText(second);
});

test('DEV-08-partial a rejected router shows the reason and the fix until it connects; its settings are six fields to copy', async ({
  page,
  tenant,
}) => {
  const [router] = await tenant.routers(1);
  const { serial, secret } = router!;
  const { rows: stored } = await tenant.owner.query<{ id: string; device_id: string; endpoint_id: string }>(
    'select id, device_id, endpoint_id from routers where serial = $1',
    [serial],
  );
  const { id, device_id: device, endpoint_id: endpointId } = stored[0]!;
  await enter(page, tenant.users.main, `/inventory/router?router=${id}`);
  const url = new URL(tenant.server.url);
  for (const value of [url.hostname, url.port, '/usp/<secret>', 'false', endpointId, 'self::highline'])
    await expect(page.locator('.facts code', { hasText: value }).first()).toBeVisible();
  await expect(
    page.getByRole('button', { name: /^Copy (Host|Port|Path|EnableEncryption|EndpointID|Controller EndpointID)$/u }),
  ).toHaveCount(6);

  const socket = new WebSocket(`${tenant.server.url.replace('http', 'ws')}/usp/${secret}?eid=ops%3A%3AACDE48-RX-1`, 'v1.usp');
  await new Promise((resolve) => socket.once('error', resolve));
  const note = page.getByRole('status').filter({ hasText: 'was rejected' });
  await expect(note).toContainText(`It identified itself as ops::ACDE48-RX-1. The inventory expects ${endpointId}.`);
  await expect(note).toContainText(`Set the EndpointID of the agent to ${endpointId}`);
  await expectAccessible(page);
  await visit(page, `/inventory?search=${serial}`);
  await page.getByRole('link', { name: 'Rejected' }).click();
  await expect(note).toBeVisible();

  await leave(page);
  await enter(page, tenant.users.admin, `/devices/setting?device=${device}`);
  await expect(note).toContainText('ops::ACDE48-RX-1');
  await expectAccessible(page);
  tenant.fleet([router!]);
  await expect(note).toHaveCount(0);
});

test('DEV-05-partial a certificate is issued once, replaced and revoked, and a router is not locked out by a setting', async ({
  page,
  tenant,
}) => {
  const [router] = await tenant.routers(1);
  const { rows: stored } = await tenant.owner.query<{ id: string }>('select id from routers where serial = $1', [router!.serial]);
  await enter(page, tenant.users.main, `/inventory/router?router=${stored[0]!.id}`);
  const panel = page.getByRole('region', { name: 'Authentication and client certificates' });
  await expect(panel).toContainText('This server does not terminate TLS itself');
  await panel.getByRole('combobox').selectOption('certificate');
  const dialog = page.getByRole('dialog');
  const message = page.getByRole('alertdialog');
  await expect(message).toContainText('cannot check client certificates');
  await message.getByRole('button', { name: 'OK' }).click();

  await panel.getByRole('button', { name: 'Issue certificate' }).click();
  await dialog.getByLabel('Certificate request').fill('no request');
  await dialog.getByRole('button', { name: 'Issue certificate' }).click();
  await expect(dialog).toContainText('This is not a valid certificate request');
  await dialog.getByLabel('Certificate request').fill('');
  await dialog.getByRole('button', { name: 'Issue certificate' }).click();
  await expect(dialog).toContainText('-----BEGIN PRIVATE KEY-----');
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save private key' }).click();
  expect((await download).suggestedFilename()).toBe(`${router!.serial}.key.pem`);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(panel.getByRole('listitem')).toHaveCount(1);
  await expect(page.locator('body')).not.toContainText('PRIVATE KEY');

  await panel.getByRole('button', { name: 'Issue new certificate' }).click();
  await dialog.getByRole('button', { name: 'Issue certificate' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close without saving' }).click();
  await expect(panel.getByRole('listitem').nth(1)).toContainText('Replaced, still valid');
  await panel
    .getByRole('button', { name: /^Revoke /u })
    .nth(1)
    .click();
  await message.getByRole('button', { name: 'Revoke' }).click();
  await expect(panel.getByRole('listitem').nth(1)).toContainText('Revoked');
  await tenant.owner.query("update router_certificates set expires_at = now() + interval '10 days' where router_id = $1", [
    stored[0]!.id,
  ]);
  await page.reload();
  await expect(panel.getByRole('status')).toContainText('Issue a new certificate');
  await expectAccessible(page);
});
