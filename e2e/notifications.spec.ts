import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { enter, expect, expectAccessible, leave, rows, waitUntilLoaded, test, visit } from './fixtures.ts';
import type { Tenant } from './tenant.ts';

const SAVED = '/data_manager/v1/notify/user';

/** The stored notifications of an address. */
async function kept(tenant: Tenant, mail: string) {
  const { rows: found } = await tenant.owner.query<{ events: string[]; group_keys: string[] | null; zone: string | null }>(
    'select events, group_keys, zone from notification_subscriptions where organization_id = $1 and mail = $2',
    [tenant.org.organizationId, mail],
  );
  return found[0];
}

const recipients = (page: Page) => page.getByRole('region', { name: 'Recipients' });
const recipient = (page: Page, mail: string) => recipients(page).locator('tbody tr').filter({ hasText: mail });

test('SVC-02 an admin adds, changes and removes the notifications of an address; a user has read access', async ({
  page,
  tenant,
}) => {
  const group = await tenant.seeding.group(tenant.org, `North depot ${tenant.mark}`);
  const mail = `fleet-${tenant.mark.toLowerCase()}@partner.example`;
  await enter(page, tenant.users.admin, '/devices/service/notify');
  await expect(page).toHaveURL(/\/devices\/service\/noitify$/u);
  await waitUntilLoaded(page);
  await expect(page.getByRole('link', { name: 'Service Status' }).first()).toHaveAttribute('href', '/devices/service');
  const form = page.getByRole('form', { name: 'Add a recipient' });
  const save = form.getByRole('button', { name: 'Save' });
  const periods = ['Today', 'This week', 'This month'];
  for (const period of periods) await expect(form.getByLabel(period)).toBeChecked();
  await expect(form.getByLabel('Battery low', { exact: true })).not.toBeChecked();

  // Save takes an email and a period.
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await form.getByRole('button', { name: 'Use my address' }).click();
  await expect(form.getByLabel('Email')).toHaveValue(tenant.users.admin.email);
  await form.getByLabel('All of: Alarms').check();
  await expect(form.getByLabel('Battery low', { exact: true })).toBeChecked();
  await form.getByLabel('All of: Alarms').uncheck();
  await expect(form.getByLabel('Battery low', { exact: true })).not.toBeChecked();
  await form.getByLabel('Email').fill('fleet at partner');
  await form.getByLabel('Recipient').fill(' Kim Lee ');
  for (const period of periods) await form.getByLabel(period).uncheck();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await save.hover();
  await expect(page.getByText('Choose at least one expiring period first.')).toBeVisible();
  await form.getByLabel('This week').check();
  await save.click();
  await expect(form.getByText('Invalid Email format')).toBeVisible();
  await form.getByLabel('Email').fill(mail.toUpperCase());
  await form.getByLabel('Battery low', { exact: true }).check();
  await form.getByRole('button', { name: 'Choose groups' }).click();
  await page.getByRole('combobox', { name: 'Groups' }).fill(tenant.mark);
  await page.getByRole('option', { name: `North depot ${tenant.mark}` }).click();
  await expect(form.getByRole('button', { name: `Remove North depot ${tenant.mark}` })).toBeVisible();

  // 'Working...' is shown while the call is running.
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**${SAVED}`, async (route) => {
    if (route.request().method() === 'POST') await released;
    await route.continue();
  });
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith(SAVED));
  await save.click();
  await expect(form.getByText('Working...')).toBeVisible();
  expect((await sent).postDataJSON()).toMatchObject({
    mail,
    recipient: 'Kim Lee',
    events: ['WEEK_NOTIFY_SUBSCRIPTION', 'BATTERY_LOW'],
    gids: [group],
    language: 'en-US',
    zone: 'America/Chicago',
  });
  release();
  await expect(page.getByText(`${mail} will be notified.`)).toBeVisible();
  await expect(form.getByText('Working...')).toHaveCount(0);
  await expect(recipient(page, mail)).toBeFocused();
  await expect(form.getByLabel('Email')).toHaveValue('');
  await page.unroute(`**${SAVED}`);
  expect(await kept(tenant, mail)).toEqual({
    events: ['WEEK_NOTIFY_SUBSCRIPTION', 'BATTERY_LOW'],
    group_keys: [group],
    zone: 'America/Chicago',
  });

  // The saved notification is there after a reload, and can be changed.
  await page.reload();
  await waitUntilLoaded(page);
  await expect(recipient(page, mail)).toContainText('This week');
  await expect(recipient(page, mail)).toContainText('Kim Lee');
  await expect(recipient(page, mail)).toContainText('Battery low');
  await expect(recipient(page, mail)).toContainText(`North depot ${tenant.mark}`);
  await page.getByRole('form', { name: 'Add a recipient' }).getByLabel('Email').fill(mail);
  await expect(page.getByText('Saving replaces its settings.')).toBeVisible();
  await page.getByRole('form', { name: 'Add a recipient' }).getByLabel('Email').fill('');
  await recipient(page, mail)
    .getByRole('button', { name: `Edit ${mail}` })
    .click();
  const edit = page.getByRole('form', { name: 'Edit a recipient' });
  await expect(edit.getByLabel('Email')).toHaveValue(mail);
  await expect(edit.getByLabel('Recipient')).toHaveValue('Kim Lee');
  await expect(edit.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
  await edit.getByLabel('Today').check();
  await edit.getByRole('button', { name: `Remove North depot ${tenant.mark}` }).click();
  await expectAccessible(page);
  // Another user saved first: a message says so, and the selection is kept.
  await tenant.owner.query("update notification_subscriptions set events = '{DEVICE_ADDED}' where mail = $1", [mail]);
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Someone else changed the notifications of this address');
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
  await expect(recipient(page, mail)).not.toContainText('This week');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(recipient(page, mail)).toContainText('Today, This week');
  await expect(recipient(page, mail)).toContainText('All groups');
  expect(await kept(tenant, mail)).toEqual({
    events: ['TODAY_NOTIFY_SUBSCRIPTION', 'WEEK_NOTIFY_SUBSCRIPTION', 'BATTERY_LOW'],
    group_keys: null,
    zone: 'America/Chicago',
  });

  await leave(page);
  await enter(page, tenant.users.user, '/devices/service/noitify');
  await expect(recipient(page, mail)).toContainText('Today, This week');
  await expect(page.getByText('Only admins can change notifications.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Remove ${mail}` })).toHaveCount(0);
  await expect(page.getByText('Undelivered emails')).toHaveCount(0);

  await leave(page);
  await enter(page, tenant.users.admin, '/devices/service/noitify');
  await recipient(page, mail)
    .getByRole('button', { name: `Remove ${mail}` })
    .click();
  await expect(page.getByRole('alertdialog')).toContainText('This action is permanent and cannot be undone.');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(recipient(page, mail)).toHaveCount(0);
  await expect.poll(() => kept(tenant, mail)).toBeUndefined();
});

test('USR-05 the notification switch of an admin has a service-expire box and three periods, on add and on detail; a user has none', async ({
  page,
  tenant,
}) => {
  const periods = ['Today', 'This week', 'This month'];
  const every = ['TODAY_NOTIFY_SUBSCRIPTION', 'WEEK_NOTIFY_SUBSCRIPTION', 'MONTH_NOTIFY_SUBSCRIPTION'];
  const notify = page.getByRole('switch', { name: 'Notify this person by email' });
  const box = page.getByLabel('Service expiry');
  const email = `chief-${tenant.mark.toLowerCase()}@highline.example`;
  await enter(page, tenant.users.admin, '/users/add');
  await page.getByLabel('Username').fill(`Chief ${tenant.mark}`);
  await page.getByLabel('Email').fill(email);
  await expect(notify).toHaveCount(0);
  await page.getByLabel('Role').selectOption('admin');
  await expect(notify).not.toBeChecked();
  await expect(box).toHaveCount(0);
  await notify.check();
  await expect(box).toBeChecked();
  for (const period of periods) await expect(page.getByLabel(period)).toBeChecked();
  await expectAccessible(page);
  const add = page.getByRole('button', { name: 'Add', exact: true });
  await box.uncheck();
  await expect(page.getByLabel('Today')).toHaveCount(0);
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await box.check();
  await add.click();
  await expect(page).toHaveURL(/\/users(\?|$)/u);
  expect(await kept(tenant, email)).toMatchObject({ events: every, group_keys: null });

  // An existing admin without notifications: off, and all three periods when turned on.
  const person = await tenant.person('admin');
  await visit(page, `/users/detail?user=${person.id}`);
  const save = page.getByRole('button', { name: 'Save' });
  await expect(notify).not.toBeChecked();
  await notify.check();
  for (const period of periods) await expect(page.getByLabel(period)).toBeChecked();
  for (const period of periods) await page.getByLabel(period).uncheck();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('This month').check();
  await expectAccessible(page);
  await save.click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await page.reload();
  await waitUntilLoaded(page);
  await expect(notify).toBeChecked();
  await expect(page.getByLabel('Today')).not.toBeChecked();
  await expect(page.getByLabel('This month')).toBeChecked();
  expect((await kept(tenant, person.email))?.events).toEqual(['MONTH_NOTIFY_SUBSCRIPTION']);

  // Other events of the notification screen stay, also without emails about ending subscriptions.
  await tenant.owner.query("update notification_subscriptions set events = events || '{BATTERY_LOW}' where mail = $1", [
    person.email,
  ]);
  await page.reload();
  await waitUntilLoaded(page);
  await expect(page.getByText('Other events: Battery low.')).toBeVisible();
  await box.uncheck();
  // What is changed while a save is on its way stays, and is saved next.
  const answered = Promise.withResolvers<void>();
  await page.route('**/notify/**', async (route) => {
    const answer = await route.fetch();
    await answered.promise;
    await route.fulfill({ response: answer });
  });
  await save.click();
  await expect.poll(async () => (await kept(tenant, person.email))?.events).toEqual(['BATTERY_LOW']);
  await notify.uncheck();
  answered.resolve();
  await expect(page.getByText('Edit success')).toBeVisible();
  await expect(save).toBeEnabled();
  await expect(notify).not.toBeChecked();
  await save.click();
  await expect.poll(() => kept(tenant, person.email)).toBeUndefined();

  await visit(page, `/users/detail?user=${tenant.users.user.id}`);
  await expect(page.getByLabel('Role')).toHaveValue('user');
  await expect(notify).toHaveCount(0);
});

test('an admin sees the rejected emails with their reasons, and sends one again', async ({ page, tenant }) => {
  const failDelivery = async (recipientMail: string, reason: string) => {
    await tenant.owner.query(
      `insert into mails (id, organization_id, recipient, subject, plain, html, attempts, last_error, next_attempt_at, sent_at)
       values ($1, $2, $3, 'Low battery', 'Low battery', '', 1, $4, null, null)`,
      [randomUUID(), tenant.org.organizationId, recipientMail, reason],
    );
  };
  const [gone, full] = [`gone-${tenant.mark.toLowerCase()}@partner.example`, `full-${tenant.mark.toLowerCase()}@partner.example`];
  await failDelivery(gone, '550 5.1.1 no such user');
  await failDelivery(full, '552 mailbox full');
  await enter(page, tenant.users.admin, '/devices/service/noitify');
  const list = page.getByRole('region', { name: 'Undelivered emails' });
  await expect(rows(page).filter({ hasText: gone })).toContainText('550 5.1.1 no such user');
  await expectAccessible(page);
  await list.getByRole('button', { name: `Send again to ${gone}` }).click();
  await expect(page.getByText('The email will be sent again.')).toBeVisible();
  await expect(rows(page).filter({ hasText: gone })).toHaveCount(0);
  await expect(rows(page).filter({ hasText: full })).toHaveCount(1);
  // The demo delivers the email, so it leaves the list permanently.
  await expect
    .poll(async () => {
      const { rows: found } = await tenant.owner.query<{ sent: boolean }>(
        'select sent_at is not null as sent from mails where recipient = $1',
        [gone],
      );
      return found[0]?.sent;
    })
    .toBe(true);
});

test('ALR-05-partial an admin sends a test mail from the notifications and from an alert rule, and reads what became of it', async ({
  page,
  tenant,
}) => {
  const { email } = tenant.users.admin;
  await enter(page, tenant.users.admin, '/devices/service/noitify');
  const send = page.getByRole('button', { name: `Send a test email to ${email}` });
  await send.click();
  const outcome = page.getByText(`No mail server is set up. The test email to ${email} was saved as a file on the server.`);
  await expect(outcome).toBeVisible();
  await expectAccessible(page);
  await page.goto('/alerts/rules');
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Send a test email to ${email}` })
    .click();
  await expect(outcome).toBeVisible();
  const outbox = join(tenant.server.dataDir, 'outbox');
  const mails = await Promise.all((await readdir(outbox)).map((name) => readFile(join(outbox, name), 'utf8')));
  expect(mails.filter((mail) => mail.includes(`To: ${email}`))).toHaveLength(2);
  await enter(page, tenant.users.user, '/devices/service/noitify');
  await expect(send).toHaveCount(0);
});
