import { enter, expect, rows, waitUntilLoaded, test } from './fixtures.ts';

// Long content fits, and the focus goes on.

test('long names are truncated and shown in full on hover, the fault has the focus, and Esc returns it', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Care ${tenant.mark}`);
  const id = await tenant.seeding.account(org, `care-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const long = 'N'.repeat(90);
  await tenant.seeding.group(org, long);
  const [router] = await tenant.routers(1, { org });

  await enter(page, { id, email: '', bearer: await tenant.seeding.bearer(id) }, '/dashboard');
  // Long names on a small screen: the first column leaves space for the others, and shows the full name on hover.
  await page.setViewportSize({ width: 610, height: 844 });
  await page.goto('/groups/list');
  await waitUntilLoaded(page);
  const name = rows(page).filter({ hasText: long }).locator('.table__pinned .table__clip');
  expect((await name.boundingBox())!.width).toBeLessThanOrEqual(610 * 0.45 + 1);
  await name.hover();
  await expect(name).toHaveAttribute('title', long);

  // A rejected save focuses its field; Esc returns to where the dialog was opened; a long hint is no tab stop.
  await page.goto('/devices/list');
  await rows(page).getByText(router!.serial).click();
  await waitUntilLoaded(page);
  const property = 'P'.repeat(40);
  const dialog = page.getByRole('dialog', { name: 'New property' });
  const add = async () => {
    await page.getByRole('button', { name: 'New property' }).click();
    await dialog.getByLabel('Name').fill(property);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  };
  await add();
  const edit = page.getByRole('button', { name: `Edit ${property}` });
  await expect(edit).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await add();
  await expect(dialog.getByText('A property with this name already exists.')).toBeVisible();
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('button', { name: 'New property' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(edit).toBeFocused();
  await expect(page.getByRole('tooltip', { name: `Edit ${property}` })).toBeVisible();
  // However long the name is, its dialog fits on the phone.
  await edit.click();
  const value = page.getByRole('dialog', { name: `Edit ${property}` });
  await expect(value.getByLabel(property)).toBeVisible();
  expect(await value.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await page.keyboard.press('Escape');
  await expect(edit).toBeFocused();

  // A long User-Agent: the button that ends its session stays fully visible.
  const { rows: other } = await tenant.owner.query<{ id: unknown }>(
    'select bearer_hash as id from sessions where account_id = $1',
    [id],
  );
  expect(other).toHaveLength(1);
  await tenant.seeding.bearer(id);
  const userAgent =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  await tenant.owner.query('update sessions set user_agent = $1 where account_id = $2 and bearer_hash <> $3', [
    userAgent,
    id,
    other[0]!.id,
  ]);
  await page.goto('/profile');
  const session = page.getByRole('listitem').filter({ hasText: 'Chrome 140 · Windows' });
  const end = session.getByRole('button', { name: 'End' });
  await expect(end).toBeVisible();
  expect(await end.evaluate((button) => button.scrollWidth - button.clientWidth)).toBe(0);
});
