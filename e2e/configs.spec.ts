import { enter, expect, rows, test } from './fixtures.ts';

test('CFG-02-partial a config file is uploaded twice, and the list shows its second version', async ({ page, tenant }) => {
  await enter(page, tenant.users.admin, '/groups/configAdd');
  const upload = async (content: string) => {
    const buffer = Buffer.from(content);
    await page.locator('input[type=file]').setInputFiles({ name: 'depot.cfg', mimeType: 'text/plain', buffer });
  };
  const save = page.getByRole('button', { name: 'Upload', exact: true });
  await upload('hostname depot\n');
  await page.getByLabel('Description').fill('Evening buses');
  await save.click();
  await expect(page).toHaveURL(/\/groups\/config(\?|$)/u);
  await expect(rows(page)).toContainText('Evening buses');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await upload('hostname north\nntp on\n');
  await expect(page.getByText('depot.cfg already exists. This upload becomes version 2')).toBeVisible();
  await save.click();
  await expect(page).toHaveURL(/\/groups\/config(\?|$)/u);
  await rows(page).filter({ hasText: 'depot.cfg' }).click();
  await page.getByRole('button', { name: 'View version 2' }).click();
  await expect(page.getByRole('region', { name: 'Contents of version 2' })).toContainText('hostname north');
});
