import { alerts } from '@highline/contract';
import type { Page } from '@playwright/test';
import { enter, expect, expectAccessible, keepSecret, leave, rows, test, waitUntilLoaded, visit } from './fixtures.ts';
import type { Tenant } from './tenant.ts';

const row = (page: Page, text: string) => rows(page).filter({ hasText: text });

/** As if routers had been lost, or had come back, an hour ago. */
async function setPresence({ owner }: Tenant, serials: readonly string[], presence: 'online' | 'offline'): Promise<void> {
  await owner.query(
    "update devices set presence = $2, presence_since = now() - interval '1 hour', presence_reason = 'no-answer' where serial = any ($1)",
    [serials, presence],
  );
}

const bell = (page: Page) => page.getByRole('link', { name: /^Alerts.*firing/u });

test('ALR-01 ALR-03 an admin adds a rule, its alerts ring the bell, are acknowledged together and clear by themselves', async ({
  page,
  tenant,
}) => {
  const group = await tenant.seeding.group(tenant.org, 'Night buses');
  const [first, second] = await tenant.routers(2, { group });
  const [outside] = await tenant.routers(1);
  await setPresence(tenant, [first!.serial, second!.serial, outside!.serial], 'offline');
  await enter(page, tenant.users.admin, '/alerts');
  await expect(rows(page)).toHaveCount(0);
  await page.getByRole('link', { name: 'Rules' }).click();
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Lost at night');
  // A clear threshold that contradicts is rejected with a sentence.
  await dialog.getByLabel('Condition').selectOption('reading');
  await dialog.getByLabel('Fires when it is').selectOption('above');
  await dialog.getByLabel('Clears at').fill('-100');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('This is above the threshold, so the alert would fire again as soon as it clears.');
  await expectAccessible(page);
  const kinds = await dialog
    .getByLabel('Condition')
    .locator('option')
    .evaluateAll((options) => (options as HTMLOptionElement[]).map(({ value }) => value));
  expect(kinds).toEqual(alerts.conditionKinds);
  await dialog.getByLabel('Condition').selectOption('geofence');
  await dialog.getByLabel('Fires when the vehicle').selectOption('entered');
  await expect(dialog.getByLabel('Geofence', { exact: true })).toContainText('Any geofence');
  await dialog.getByRole('checkbox', { name: 'Only at certain hours' }).check();
  await dialog.getByLabel('Time zone of the hours').selectOption('America/New_York');
  await expect(dialog).toContainText('Active hours (America/New_York)');
  await expectAccessible(page);
  await dialog.getByRole('checkbox', { name: 'Only at certain hours' }).uncheck();
  await dialog.getByLabel('Condition').selectOption('offline');
  await dialog.getByLabel('Severity').selectOption('critical');
  await dialog.getByLabel('For how long, in minutes').fill('5');
  await dialog.getByLabel('Applies to').selectOption('group');
  await dialog.getByLabel('Group', { exact: true }).selectOption({ label: 'Night buses' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  const rule = page.locator('tr', { hasText: 'Lost at night' });
  await expect(rule).toContainText('Offline for longer than 5 min');
  await expect(rule).toContainText('Group Night buses');

  // They were offline before the rule was there.
  await expect(bell(page)).toContainText('2');
  await rule.getByRole('link', { name: '2' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).filter({ hasText: outside!.serial })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('checkbox', { name: new RegExp(first!.serial, 'u') }).check();
  await page.getByRole('checkbox', { name: new RegExp(second!.serial, 'u') }).check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByRole('dialog').getByLabel('Note').fill('Depot has no power');
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
  await expect(row(page, first!.serial)).toContainText(tenant.users.admin.email);
  await expect(row(page, first!.serial)).toContainText('Depot has no power');
  await expect(bell(page)).toHaveCount(0);

  await setPresence(tenant, [first!.serial], 'online');
  await visit(page, '/alerts');
  await expect(row(page, first!.serial)).toContainText('condition ended');
  await row(page, second!.serial).getByRole('link').first().click();
  await expect(page).toHaveURL(/\/devices\/setting\?device=/u);

  await leave(page);
  await enter(page, tenant.users.user, '/alerts/rules');
  await expect(page.locator('tr', { hasText: 'Lost at night' })).toContainText('1');
  await expect(page.getByRole('button', { name: 'Add rule' })).toHaveAttribute('aria-disabled', 'true');
});

test('ALR-02 ALR-03-partial ALR-05-partial ALR-06-partial ATT-01-partial a rule is tried on the past; a storm is one line and one mail, and shows where people look', async ({
  page,
  tenant,
}) => {
  // Those of the test before are not part of it.
  await tenant.owner.query("update devices set presence = 'online' where organization_id = $1", [tenant.org.organizationId]);
  const routers = await tenant.routers(12);
  const serials = routers.map(({ serial }) => serial);
  const mail = `storm-${tenant.mark.toLowerCase()}@highline.example`;
  await tenant.owner.query("select ensure_partitions((now() - interval '2 days')::date, (now() + interval '1 day')::date)");
  await tenant.owner.query(
    `with owned as (update router_ownership set owned_from = now() - interval '1 day'
       where router_id = (select router_id from devices where serial = $1) returning router_id)
     insert into connectivity (router_id, at, kind, reason) select router_id, now() - n.age, n.kind, 'no-answer'
     from owned, (values (interval '5 hours', 'offline'), (interval '3 hours', 'online')) n (age, kind)`,
    [serials[0]],
  );
  await enter(page, tenant.users.admin, '/webhooks');
  await page.getByRole('button', { name: 'Create' }).first().click();
  const hook = page.getByRole('dialog');
  await hook.getByLabel('Name').fill('Dispatch');
  await hook.getByLabel('Address').fill('https://hooks.invalid/services/x');
  await hook.getByLabel('Format').selectOption('slack');
  await hook
    .getByRole('button', { name: /Create|Add|Save/u })
    .last()
    .click();
  await keepSecret(hook);
  await visit(page, '/alerts/rules');
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Carrier outage');
  await dialog.getByLabel('For how long, in minutes').fill('10');
  await dialog.getByRole('button', { name: 'Try on the last 7 days' }).click();
  await expect(dialog).toContainText('Would have fired 1 time in the last 7 days.');
  await expect(dialog.locator('.replay__moments')).toContainText(serials[0]!);
  // A channel that cannot be reached says so when it is tested.
  const channel = dialog.getByRole('group', { name: 'Webhooks, Slack and Microsoft Teams', exact: true });
  await channel.getByRole('checkbox', { name: 'Dispatch · Slack message' }).check();
  await channel.getByRole('button', { name: 'Send a test: Dispatch' }).click();
  await expect(page.getByText('Dispatch did not accept the test:')).toBeVisible();
  await dialog.getByLabel('Emails to').fill('nowhere');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('nowhere is not an email address.');
  await dialog.getByLabel('Emails to').fill(mail);
  await dialog.getByRole('checkbox', { name: 'Notify others if no one acknowledges the alert' }).check();
  await dialog.getByLabel('Then emails to').fill(`boss-${mail}`);
  await expectAccessible(page);
  await setPresence(tenant, serials, 'offline');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);

  await expect.poll(() => tenant.mailsTo(mail), { timeout: 120_000 }).toHaveLength(1);
  const [text] = await tenant.mailsTo(mail);
  expect(text).toContain('12 devices met the condition of this rule at about the same time:');
  expect(text).toContain('Group default: 12');
  await visit(page, '/alerts?state=open&search=Carrier+outage&field=rule');
  await expect(rows(page)).toHaveCount(12);
  await visit(page, '/alerts?state=open');
  await expect(row(page, 'Carrier outage')).toHaveCount(1);
  await row(page, 'Carrier outage').getByRole('link', { name: '12 vehicles at once' }).click();
  await expect(rows(page)).toHaveCount(12);

  await visit(page, '/dashboard');
  // The button of the banner has the same name, and leads to all open ones.
  await page
    .getByRole('main')
    .getByRole('link', { name: /firing alerts/u })
    .click();
  await expect(page).toHaveURL(/\/alerts\?state=firing/u);
  await visit(page, `/alerts?search=${serials[0]!}&field=serial&state=open`);
  await row(page, serials[0]!).getByRole('link').first().click();
  await waitUntilLoaded(page);
  await expect(page.getByRole('region', { name: 'Open alerts' })).toContainText('Carrier outage');
  await expect(page.locator('.timeline__item[data-kind="alert"]').first()).toContainText('Alert: Carrier outage');
  await visit(page, '/map?color=alert');
  await expect(page.locator('.map-legend')).toContainText('Critical alert');
});
