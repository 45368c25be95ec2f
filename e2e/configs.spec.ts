import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { enter, expect, expectAccessible, leave, rows, test, visit } from './fixtures.ts';

const row = (page: Page, text: string) => rows(page).filter({ hasText: text });
const pick = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer });

test('CFG-01 CFG-02 SHR-07-partial SHR-04-partial config files are uploaded, listed three a page, searched, and deleted unless a group has them', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Configs ${tenant.mark}`);
  const id = await tenant.seeding.account(org, `configs-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const admin = { id, email: '', bearer: await tenant.seeding.bearer(id) };
  await enter(page, admin, '/groups/config');
  await expect(page.getByText('No Records.')).toBeVisible();
  await page.getByRole('button', { name: 'Choose the first config file' }).click();
  await expect(page).toHaveURL(/\/groups\/configAdd$/u);
  await page.goBack();
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page).toHaveURL(/\/groups\/configAdd$/u);
  await expect(page.getByLabel('Description')).toHaveCount(0);
  const save = page.getByRole('button', { name: 'Upload', exact: true });
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await pick(page, 'empty.cfg', Buffer.alloc(0));
  await save.click();
  await expect(page.getByRole('alertdialog')).toContainText('The file is empty.');
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
  await pick(page, 'depot.cfg', Buffer.alloc(1_500, 'a'));
  await page.getByLabel('Description').fill('Evening buses');
  await save.click();
  await expect(page).toHaveURL(/\/groups\/config$/u);
  const depot = row(page, 'depot.cfg');
  await expect(depot).toContainText('Evening buses');
  await expect(depot).toContainText('1.5 KB');
  await expect(depot).toHaveAttribute('data-highlighted', /.*/u);

  // The same name again is the next version of that file, and the form announces it.
  await visit(page, '/groups/configAdd');
  await pick(page, 'depot.cfg', Buffer.alloc(2_048, 'b'));
  await expect(page.getByText('depot.cfg already exists. This upload becomes version 2')).toBeVisible();
  await save.click();
  await expect(row(page, 'depot.cfg')).toContainText('2.0 KB');
  for (const name of ['a.cfg', 'b.cfg', '../"odd" 🚌.cfg'])
    await tenant.seeding.config(org, { name: name.replace('../', ''), note: 'Other' });
  // The uploaded file is highlighted, and the list opens at its page.
  await page.goto('/groups/config');
  await expect(page).toHaveURL(/page=2/u);
  await expect(row(page, 'depot.cfg')).toHaveAttribute('data-highlighted', /.*/u);
  await page.getByRole('button', { name: 'Previous page' }).click();
  await expect(rows(page)).toHaveCount(3);
  const search = page.getByRole('searchbox');
  await search.fill('depot');
  await expect(rows(page)).toHaveCount(1);
  await page.getByLabel('Search in').selectOption({ label: 'Description' });
  await search.fill('Other');
  await expect(rows(page)).toHaveCount(3);
  await search.fill('other');
  await expect(page.getByText('No matched results.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();

  // Delete mode: bound files stay, and the error names the group.
  const group = await tenant.seeding.group(org, `Keeps ${tenant.mark}`);
  const { rows: stored } = await tenant.owner.query<{ id: string }>(
    "select id from config_files where organization_id = $1 and name = 'depot.cfg'",
    [org.organizationId],
  );
  const bound = await page.request.post('/data_manager/v1/binding/group/config', {
    headers: { authorization: `Bearer ${admin.bearer}` },
    data: { config: stored[0]!.id, group, schedule: 'bootup' },
  });
  expect(bound.status()).toBe(200);
  await visit(page, '/groups/config?size=10');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const remove = page.getByRole('button', { name: /^Delete\(/u });
  await expect(remove).toHaveText('Delete(0)');
  await expect(page.getByText(/ · paused/u)).toBeVisible();
  await row(page, 'depot.cfg').getByRole('checkbox').check();
  await row(page, 'a.cfg').first().getByRole('checkbox').check();
  await expect(remove).toHaveText('Delete(2)');
  await remove.click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('This action is permanent and cannot be undone.');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog).toContainText(`Keeps ${tenant.mark}`);
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(row(page, 'a.cfg').first()).toBeVisible();
  await row(page, 'depot.cfg').getByRole('checkbox').uncheck();
  await remove.click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Delete Success')).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  await expectAccessible(page);
});

test('CFG-01-partial the list is refetched every 60 s, and a user cannot open it', async ({ page, tenant }) => {
  await page.route('**/data_manager/v1/events*', (route) => route.abort());
  await page.clock.install();
  await enter(page, tenant.users.admin, `/groups/config?search=minute-${tenant.mark}`);
  await expect(page.getByText('No matched results.')).toBeVisible();
  await tenant.seeding.config(tenant.org, { name: `minute-${tenant.mark}.cfg` });
  await page.clock.fastForward(60_000);
  await expect(rows(page)).toHaveCount(1);
  await leave(page);
  await enter(page, tenant.users.user, '/dashboard');
  await page.goto('/groups/config');
  await expect(page).toHaveURL(/\/dashboard$/u);
});

test('CFG-03 the description of a config file is edited on its own page; without a selection it leads to the list', async ({
  page,
  tenant,
}) => {
  const name = `edit-${tenant.mark}.cfg`;
  const config = await tenant.seeding.config(tenant.org, { name, note: 'Before' });
  await enter(page, tenant.users.admin, `/groups/config?search=${name}`);
  await row(page, name).click();
  await expect(page).toHaveURL(new RegExp(`/groups/configSetting\\?config=${config}$`, 'u'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await expect(page.getByRole('textbox', { name: 'Config File' })).toHaveAttribute('readonly', '');
  await expect(page.getByText('Not bound to any group.')).toBeVisible();
  await page.getByRole('button', { name: 'View version 1' }).click();
  const contents = page.getByRole('region', { name: 'Contents of version 1' });
  await expect(contents.getByRole('row').first()).toContainText(name);
  await tenant.seeding.config(tenant.org, { name, contents: 'hostname changed\nnew line\n' });
  await page.reload();
  await page.getByRole('button', { name: 'View version 2' }).click();
  await page.getByLabel('Compare with').selectOption({ label: 'version 1' });
  const changed = page.getByRole('region', { name: 'Contents of version 2' }).getByRole('row');
  await expect(changed.filter({ hasText: '+' })).toHaveText([/hostname changed/u, /new line/u]);
  await expect(changed.filter({ hasText: '−' })).not.toHaveCount(0);
  await expectAccessible(page);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download version 2' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(name);
  expect(await readFile(await file.path(), 'utf8')).toBe('hostname changed\nnew line\n');
  const save = page.getByRole('button', { name: 'Save' });
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  const note = page.getByLabel('Description');
  await note.fill('Mine');
  // Another user saved first.
  await tenant.owner.query("update config_files set note = 'Theirs', version = version + 1 where id = $1", [config]);
  await save.click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Theirs');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(note).toHaveValue('Mine');
  await save.click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await note.fill('Unsaved');
  await page.getByRole('link', { name: 'Config Files' }).first().click();
  await expect(dialog).toContainText('There are unsaved changes. Do you want to save them before leaving?');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/groups\/config(\?|$)/u);
  await visit(page, `/groups/config?search=${name}`);
  await expect(row(page, name)).toContainText('Unsaved');
  await visit(page, '/groups/configSetting');
  await expect(page).toHaveURL(/\/groups\/config$/u);
});
