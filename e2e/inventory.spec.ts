import { WebSocket } from 'ws';
import { enter, expect, leave, test, visit } from './fixtures.ts';

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
  await visit(page, `/inventory?search=${serial}`);
  await page.getByRole('link', { name: 'Rejected' }).click();
  await expect(note).toBeVisible();

  await leave(page);
  await enter(page, tenant.users.admin, `/devices/setting?device=${device}`);
  await expect(note).toContainText('ops::ACDE48-RX-1');
  tenant.fleet([router!]);
  await expect(note).toHaveCount(0);
});
