import type { Page } from '@playwright/test';
import { enter, expect, expectAccessible, leave, rows, test, waitUntilLoaded } from './fixtures.ts';
import type { Tenant } from './tenant.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const current = (page: Page) => page.locator('[aria-current="step"]');

/** Organizations of a name, with their devices. */
async function organizationsNamed(tenant: Tenant, name: string) {
  const { rows: found } = await tenant.owner.query<{ id: string; devices: number; contact: string | null }>(
    `select o.id, (select count(*)::int from devices d where d.organization_id = o.id) as devices,
       (select max(a.email) from accounts a where a.organization_id = o.id) as contact
     from organizations o where o.name = $1`,
    [name],
  );
  return found;
}

test('ORG-03-partial the wizard creates one organization with the routers of a file, also over a reload and with two clicks, marks it in the list and invites its contact', async ({
  page,
  tenant,
}) => {
  const name = `Wizard ${tenant.mark}`;
  const email = `wizard-${tenant.mark.toLowerCase()}@highline.example`;
  const routers = await tenant.routers(3, { claimed: false });
  await enter(page, tenant.users.main, '/organization/add');
  await page.getByLabel('Org name').fill(name);
  await page.getByLabel('Contact email').fill(email);
  await button(page, 'Continue').click();

  await button(page, 'CSV file').click();
  const colons = (mac: string) => mac.replaceAll(/(..)(?=.)/gu, '$1:');
  const lines = ['SN,MAC', ...routers.map(({ serial, mac }) => `${serial},${colons(mac)}`), 'NOT-OURS,00:11:22:33:44:55'];
  const file = { name: 'routers.csv', mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\r\n')}\r\n`) };
  await page.setInputFiles('input[type=file]', file);
  await expect(page.getByText('3 of 4 rows can be added.')).toBeVisible();
  await expect(page.getByText('Row 5, NOT-OURS:')).toBeVisible();
  await expectAccessible(page);
  await button(page, 'Continue').click();

  // A reload keeps the input, and takes the file.
  await expect(page.locator('dl')).toContainText('routers.csv: 3 of 4 rows');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.goto('/organization/add?step=summary');
  await waitUntilLoaded(page);
  await expect(current(page)).toHaveText('2Devices');
  await expect(page.getByText('"routers.csv" is no longer selected', { exact: false })).toBeVisible();
  expect(await organizationsNamed(tenant, name)).toEqual([]);
  expect(await tenant.mailsTo(email)).toEqual([]);
  await page.setInputFiles('input[type=file]', file);
  await expect(page.getByText('3 of 4 rows can be added.')).toBeVisible();
  await button(page, 'Continue').click();

  // Two clicks create one organization; the row that failed is listed, the organization stays.
  await button(page, 'Add Org').dblclick();
  const result = page.getByRole('dialog');
  await expect(result).toContainText('Successfully added: 3 of 4.');
  await expect(result).toContainText('Row 5, NOT-OURS:');
  await result.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/\/organization(\?|$)/u);
  const created = rows(page).filter({ hasText: name });
  await expect(created).toHaveAttribute('data-highlighted', /.*/u);
  await expect(created).toContainText(email);
  expect(await organizationsNamed(tenant, name)).toEqual([expect.objectContaining({ devices: 3, contact: email })]);
  const mails = await tenant.mailsTo(email);
  expect(mails).toHaveLength(1);
  await leave(page);
  await page.goto(/https?:\/\/\S+/u.exec(mails[0]!)![0]);
  await expect(page.getByRole('heading', { name: 'Welcome to Highline' })).toBeVisible();
});
