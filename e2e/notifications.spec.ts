import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { enter, expect, expectAccessible, rows, waitUntilLoaded, test } from './fixtures.ts';

test('SVC-02 ALR-05-partial an admin subscribes an address for a group, tests the mail server, and the address is mailed an alarm', async ({
  page,
  tenant,
}) => {
  const group = await tenant.seeding.group(tenant.org, `North depot ${tenant.mark}`);
  const [router] = await tenant.routers(1, { group });
  const fleet = tenant.fleet([router!]);
  await fleet.whenAllConnected();
  const mail = `fleet-${tenant.mark.toLowerCase()}@partner.example`;
  await enter(page, tenant.users.admin, '/devices/service/notify');
  await expect(page).toHaveURL(/\/devices\/service\/noitify$/u);
  const form = page.getByRole('form', { name: 'Add a recipient' });
  await form.getByLabel('Email').fill(mail);
  await form.getByLabel('Battery low', { exact: true }).check();
  await form.getByRole('button', { name: 'Choose groups' }).click();
  await page.getByRole('combobox', { name: 'Groups' }).fill(tenant.mark);
  await page.getByRole('option', { name: `North depot ${tenant.mark}` }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  const recipient = rows(page).filter({ hasText: mail });
  await expect(recipient).toBeFocused();
  await expectAccessible(page);
  await page.reload();
  await waitUntilLoaded(page);
  for (const text of ['This week', 'Battery low', `North depot ${tenant.mark}`]) await expect(recipient).toContainText(text);
  fleet.routers.get(router!.serial)!.overrideBattery(5);
  await expect.poll(() => tenant.mailsTo(mail)).toHaveLength(1);
  const { email } = tenant.users.admin;
  await page.getByRole('button', { name: `Send a test email to ${email}` }).click();
  await expect(page.getByText(`The test email to ${email} was saved as a file on the server.`)).toBeVisible();
  const outbox = join(tenant.server.dataDir, 'outbox');
  const mails = await Promise.all((await readdir(outbox)).map((name) => readFile(join(outbox, name), 'utf8')));
  expect(mails.filter((text) => text.includes(`To: ${email}`))).toHaveLength(1);
});
