import { enter, expect, expectAccessible, leave, rows, test } from './fixtures.ts';

test('IAM-04 the main account limits a user to the group of a shared view; list and palette have nothing else', async ({
  page,
  browser,
  tenant,
}) => {
  const { main, admin } = tenant.users;
  const rider = await tenant.person('user');
  const name = `North ${tenant.mark}`;
  const group = await tenant.seeding.group(tenant.org, name);
  const [own] = await tenant.routers(1, { claimed: true, group });
  const [hidden] = await tenant.routers(1);

  // An admin shares a view of the group.
  await enter(page, admin, `/devices/list?group=${encodeURIComponent(group)}`);
  const saved = await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch('/data_manager/v1/dm/views', { method: 'POST', headers, body: JSON.stringify(body) })).status;
    },
    { list: 'devices', name, shared: true, content: { search: { group }, layout: {} } },
  );
  expect(saved).toBe(200);

  await leave(page);
  await enter(page, main, `/organization/setting?org=${tenant.org.organizationId}&tab=users`);
  await rows(page).filter({ hasText: rider.email }).click();
  const card = page.getByRole('region', { name: 'Vehicles' });
  await card.getByLabel('Sees').selectOption({ label: 'Only groups and tags' });
  await card.getByRole('button', { name: 'Add what a saved view shows' }).click();
  await page.getByRole('option', { name }).click();
  await expect(card.getByRole('button', { name: `Remove ${name}` })).toBeVisible();
  await expectAccessible(page);
  await card.getByRole('button', { name: 'Save vehicles' }).click();
  await expect(page.getByText('The vehicles this person sees were saved.')).toBeVisible();

  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const theirs = await context.newPage();
  await enter(theirs, rider, '/devices/list');
  await expect(rows(theirs)).toHaveCount(1);
  await expect(theirs.getByText(own!.serial)).toBeVisible();
  await expectAccessible(theirs);
  await theirs.keyboard.press('Control+k');
  await theirs.keyboard.type(`E2E-${tenant.mark}`);
  await expect(theirs.getByRole('option', { name: new RegExp(own!.serial, 'u') })).toBeVisible();
  await expect(theirs.getByText(hidden!.serial)).toHaveCount(0);
  await context.close();
});
