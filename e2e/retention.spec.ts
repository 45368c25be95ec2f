import { enter, expect, expectAccessible, leave, test, waitUntilLoaded } from './fixtures.ts';

test('NOD-05-partial the main account shortens the history of an organization, whose users see since when there is some', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Short ${tenant.mark}`);
  await enter(page, tenant.users.main, `/organization/setting?org=${org.organizationId}`);
  const field = page.getByLabel('Keep readings and history (days)');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await expect(field).toHaveValue('');
  await field.fill('31');
  await save.click();
  await expect(field).toHaveAccessibleDescription(/enter 1 to 30/u);
  await field.fill('7');
  await save.click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await expectAccessible(page);

  const account = await tenant.seeding.account(org, `short-${tenant.mark.toLowerCase()}@highline.example`, 'user');
  const user = { id: account, email: '', bearer: await tenant.seeding.bearer(account) };
  await leave(page);
  for (const path of ['/reports/list/record', '/reports/analysis']) {
    await enter(page, user, path);
    await expect(page.getByText('Readings and history are kept for 7 days: since')).toBeVisible();
  }
});

test('NOD-05-partial the report interval of a model is set, checked and emptied in the inventory', async ({ page, tenant }) => {
  const model = `M-${tenant.mark}`;
  const [router] = await tenant.seeding.routers(tenant.main, [{ serial: `${model}-1`, mac: `00B2D1${tenant.mark}`, model }]);
  expect(router).toBeDefined();
  await enter(page, tenant.users.main, '/inventory');
  await waitUntilLoaded(page);
  const open = () => page.getByRole('button', { name: 'Report intervals' }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel(model);
  await open();
  await field.fill('5');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(field).toHaveAccessibleDescription(/Enter 10 to 86,400 seconds/u);
  await field.fill('900');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await open();
  await expect(field).toHaveValue('900');
  await field.fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await open();
  await expect(field).toHaveValue('');
});
