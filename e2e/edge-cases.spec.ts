import { enter, expect, rows, waitUntilLoaded, test } from './fixtures.ts';

// Long, slow or rejected content: it fits, shows nothing untrue and leads on.

test.use({ expectedNotes: [/the server responded with a status of 502/u] });

test('long names are truncated and shown in full on hover, nothing is reported empty before it is loaded, a proxy error is readable, the fault has the focus', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Care ${tenant.mark}`);
  const id = await tenant.seeding.account(org, `care-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const long = 'N'.repeat(90);
  await tenant.seeding.group(org, long);
  const [router] = await tenant.routers(1, { org });

  // Late: an overview that does not know yet draws no conclusion.
  let answer: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/dm\/statistics/u, async (route) => {
    await released;
    await route.continue();
  });
  await enter(page, { id, email: '', bearer: await tenant.seeding.bearer(id) }, '/dashboard');
  const carriers = page.getByRole('region', { name: 'SIMs per carrier' });
  await expect(carriers.locator('.bar')).toBeVisible();
  await expect(carriers).not.toContainText('No Records.');
  answer();
  await expect(carriers).toContainText('No Records.');

  // Rejected by a proxy that answers in HTML.
  const rejecting = /\/dm\/devices\?/u;
  await page.route(rejecting, (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }));
  await page.goto('/devices/list');
  await expect(page.getByRole('alert')).toContainText('The server is busy. Try again in a moment.');
  const retry = page.getByRole('button', { name: 'Retry' });
  await retry.click();
  await expect(page.getByRole('alert')).toContainText('The server is busy. Try again in a moment.');
  await page.unroute(rejecting);
  // It may be fetched again by itself: when the live stream opens late, what was read before it is.
  await expect(async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 1_000 });
    await expect(rows(page)).toContainText([router!.serial], { timeout: 3_000 });
  }).toPass();

  // Long names on a phone: the first column leaves space for the others, and shows the full name on hover.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/groups/list');
  await waitUntilLoaded(page);
  const name = rows(page).filter({ hasText: long }).locator('.table__pinned .table__clip');
  expect((await name.boundingBox())!.width).toBeLessThanOrEqual(390 * 0.45 + 1);
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
