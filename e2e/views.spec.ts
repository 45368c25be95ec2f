import { mkdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { enter, expect, expectAccessible, headers, leave, rows, TAKES_PICTURES, test, waitUntilLoaded } from './fixtures.ts';

const menu = (page: Page) => page.getByRole('button', { name: /^Views/u });
const pick = async (page: Page, name: string | RegExp) => {
  await menu(page).click();
  await page
    .getByRole('menu')
    .or(page.locator('.popup:popover-open'))
    .getByRole(/^(?:Save|Rename|Delete|Open)/u.test(String(name)) ? 'menuitem' : 'menuitemradio', { name })
    .click();
};
const sidebar = (page: Page) => page.getByRole('list', { name: 'Views of this list' });

async function picture(page: Page, name: string): Promise<void> {
  if (!TAKES_PICTURES) return;
  mkdirSync('.cache/pictures', { recursive: true });
  await page.screenshot({ path: `.cache/pictures/${name}.png` });
}

test('BLK-03-partial a view keeps filters, sort and columns, is shared, opened by address, changed, made the default, and says what is gone', async ({
  page,
  tenant,
  browser,
}) => {
  const group = await tenant.seeding.group(tenant.org, 'Depot');
  const [first] = await tenant.routers(1, { group });
  await tenant.routers(1);
  await enter(page, tenant.users.admin, `/devices/list?group=${group}&sort=-serial&size=20`);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Columns' }).click();
  const columns = page.getByRole('dialog', { name: 'Columns' });
  await columns.getByRole('checkbox', { name: 'IMEI' }).check();
  await page.keyboard.press('Escape');
  await expect.poll(() => headers(page)).toContain('IMEI');

  await pick(page, 'Save as a new view…');
  const dialog = page.getByRole('dialog', { name: 'Save as a new view', exact: true });
  await dialog.getByLabel('Name').fill('Depot by serial');
  await dialog.getByRole('checkbox', { name: 'Share with everyone here' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(sidebar(page).getByRole('link')).toHaveText(['Depot by serial']);
  await expect(page).toHaveURL(/view=/u);
  const address = page.url();
  await expectAccessible(page);
  await picture(page, 'views-light');

  // Without the view the list has its own columns and all of its rows.
  await pick(page, 'No view');
  await expect(rows(page)).toHaveCount(2);
  await sidebar(page).getByRole('link', { name: 'Depot by serial' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect.poll(() => headers(page)).toContain('IMEI');

  // What changes is not the view's until it is saved.
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Save changes to view' })).toBeVisible();
  await sidebar(page).getByRole('link').click();
  await expect(rows(page)).toHaveCount(1);
  await pick(page, 'Rename or share…');
  const edit = page.getByRole('dialog', { name: 'Rename or share…' });
  await edit.getByLabel('Name').fill('Depot');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(sidebar(page).getByRole('link')).toHaveText(['Depot']);

  // A colleague opens its address, finds it with the palette, and makes it the default.
  const colleague = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await enter(colleague, tenant.users.user, new URL(address).pathname + new URL(address).search);
  await expect(rows(colleague)).toHaveCount(1);
  await expect(rows(colleague).first()).toContainText(first!.serial);
  await expect(colleague.getByRole('button', { name: 'Views: Depot' })).toBeVisible();
  await picture(colleague, 'views-390');
  await pick(colleague, 'Open this list with this view');
  await expect(colleague.getByText('View Depot saved')).toBeVisible();
  await colleague.goto('/dashboard');
  await waitUntilLoaded(colleague);
  await colleague.keyboard.press('Control+k');
  await colleague.getByRole('combobox', { name: 'Find a device or page' }).fill('DEPOT');
  await colleague.getByRole('group', { name: 'Views' }).getByRole('option').click();
  await expect(rows(colleague)).toHaveCount(1);
  await colleague.goto('/devices/list');
  await expect(colleague).toHaveURL(/view=/u);
  await expect(rows(colleague)).toHaveCount(1);
  await leave(colleague);
  await colleague.context().close();

  // The group of its filter is deleted.
  await tenant.owner.query("update devices set group_key = 'default+group+id' where group_key = $1", [group]);
  await tenant.owner.query('delete from groups where key = $1', [group]);
  await page.goto(address);
  await expect(page.getByText('This view filters by something that no longer exists: group.')).toBeVisible();
  await picture(page, 'views-missing');
  await pick(page, 'Delete this view…');
  await page
    .getByRole('button', { name: 'Delete this view…' })
    .or(page.getByRole('alertdialog').getByRole('button').last())
    .last()
    .click();
  await expect(page.getByText('View Depot deleted')).toBeVisible();
  await expect(sidebar(page)).toHaveCount(0);
  await expect(rows(page)).toHaveCount(2);
});
