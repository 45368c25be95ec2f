import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { enter, expect, keepSecret, rows, test, waitUntilLoaded } from './fixtures.ts';

const row = (page: Page, text: string) => rows(page).filter({ hasText: text });

/** A receiver that rejects everything until it is repaired. */
async function startReceiver() {
  const calls: { readonly headers: IncomingMessage['headers']; readonly body: string }[] = [];
  let status = 500;
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = await request.toArray();
    calls.push({ headers: request.headers, body: Buffer.concat(parts).toString('utf8') });
    response.writeHead(status).end(status === 500 ? 'out of order' : 'thanks');
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    calls,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    repair: () => (status = 200),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('HKS-01 an admin creates a webhook, tests it, reads its log, sends again, suspends, resumes, rotates and deletes it', async ({
  page,
  tenant,
  request,
}) => {
  const receiver = await startReceiver();
  await enter(page, tenant.users.admin, '/webhooks');
  await waitUntilLoaded(page);
  await expect(rows(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Create the first webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Fleet bot');
  await dialog.getByLabel('Address').fill('http://169.254.169.254/latest');
  // By keyboard alone.
  await dialog.getByRole('checkbox', { name: 'log.entry' }).focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog).toContainText('169.254.169.254 is not an address on the internet.');
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog).toContainText('cannot be shown again');
  const secret = (await dialog.locator('.secret-box code').textContent())!;
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/u);
  await keepSecret(dialog);
  expect(await page.content()).not.toContain(secret);

  // Its own creation is the first event; the receiver rejects it.
  await row(page, 'Fleet bot').getByRole('link', { name: 'Fleet bot' }).click();
  await expect(row(page, 'log.entry').first()).toContainText('500');
  await expect(page.getByText(/^Every call has failed since/u)).toBeVisible();
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByText('The test failed: It answered with status 500.')).toBeVisible();
  await row(page, 'webhook.test').getByRole('button', { name: 'webhook.test' }).click();
  await expect(dialog).toContainText('out of order');
  await expect(dialog).toContainText('"type": "webhook.test"');
  receiver.repair();
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect(dialog).toContainText('thanks');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(row(page, 'webhook.test')).toContainText('Delivered');
  const tests = receiver.calls.filter((call) => JSON.parse(call.body).type === 'webhook.test');
  expect(new Set(tests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  const { headers, body } = tests.at(-1)!;
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const signature = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(signed)
    .digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signature}`);

  // Suspended, events wait; they are sent when it is resumed.
  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
  await expect(page.getByText(/^Suspended: events are recorded and wait/u)).toBeVisible();
  const add = {
    headers: { authorization: `Bearer ${tenant.users.admin.bearer}` },
    data: { name: `Restart ${tenant.mark}`, kind: 'reboot' },
  };
  expect((await request.post(`${tenant.server.url}/data_manager/v1/dm/commands`, add)).status()).toBe(200);
  await page.getByLabel('State').selectOption('Waiting');
  await expect(row(page, 'Waiting').first()).toBeVisible();
  expect(receiver.calls.some((call) => call.body.includes(`Added command Restart ${tenant.mark}`))).toBe(false);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => receiver.calls.some((call) => call.body.includes(`Added command Restart ${tenant.mark}`))).toBe(true);
  await page.getByLabel('State').selectOption('All states');

  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('Name').fill('Night bot');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Night bot' })).toBeVisible();
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate secret' }).click();
  await expect(dialog).toContainText('Calls are also signed with the old secret until');
  await keepSecret(dialog);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL(/\/webhooks$/u);
  await expect(rows(page)).toHaveCount(0);
  await receiver.close();
});
