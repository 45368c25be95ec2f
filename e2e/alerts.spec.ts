import type { Page } from '@playwright/test';
import { enter, expect, expectAccessible, rows, test, waitUntilLoaded, visit } from './fixtures.ts';
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

test('ALR-01-partial ALR-03-partial ALR-05-partial ALR-06-partial ATT-01-partial vehicles that are lost at once are one line and one mail, ring the bell, show where people look, and clear by themselves', async ({
  page,
  tenant,
}) => {
  const serials = (await tenant.routers(12)).map(({ serial }) => serial);
  const mail = `storm-${tenant.mark.toLowerCase()}@highline.example`;
  await setPresence(tenant, serials, 'offline');
  await enter(page, tenant.users.admin, '/alerts/rules');
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Carrier outage');
  await dialog.getByLabel('Severity').selectOption('critical');
  await dialog.getByLabel('For how long, in minutes').fill('10');
  await dialog.getByLabel('Emails to', { exact: true }).fill(mail);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  // They were offline before the rule was there.
  await expect(bell(page)).toContainText('12');
  await expect.poll(() => tenant.mailsTo(mail)).toHaveLength(1);
  const [text] = await tenant.mailsTo(mail);
  expect(text).toContain('12 devices met the condition of this rule at about the same time:');
  expect(text).toContain('Group default: 12');
  await visit(page, '/alerts?state=open');
  await expect(row(page, 'Carrier outage')).toHaveCount(1);
  await row(page, 'Carrier outage').getByRole('link', { name: '12 vehicles at once' }).click();
  await expect(rows(page)).toHaveCount(12);
  await page.getByRole('checkbox', { name: new RegExp(serials[1]!, 'u') }).check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByRole('dialog').getByLabel('Note').fill('Depot has no power');
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
  await expect(row(page, serials[1]!)).toContainText(tenant.users.admin.email);
  await expect(bell(page)).toContainText('11');
  await expectAccessible(page);

  await visit(page, '/dashboard');
  // The button of the banner has the same name, and leads to all open ones.
  await page
    .getByRole('main')
    .getByRole('link', { name: /firing alert/u })
    .click();
  await expect(page).toHaveURL(/\/alerts\?state=firing/u);
  await visit(page, `/alerts?search=${serials[0]!}&field=serial&state=open`);
  await row(page, serials[0]!).getByRole('link').first().click();
  await waitUntilLoaded(page);
  await expect(page.getByRole('region', { name: 'Open alerts' })).toContainText('Carrier outage');
  await expect(page.locator('.timeline__item[data-kind="alert"]').first()).toContainText('Alert: Carrier outage');
  await setPresence(tenant, serials, 'online');
  await visit(page, `/alerts?search=${serials[0]!}&field=serial`);
  await expect(row(page, serials[0]!)).toContainText('condition ended');
  await expect(bell(page)).toHaveCount(0);
});
