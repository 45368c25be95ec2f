import { enter, expect, expectAccessible, test } from './fixtures.ts';
import { PASSWORD } from './tenant.ts';

const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;

test('IAM-07 an admin lets rollouts wait; a second admin sees the routers, approves, and the log names both', async ({
  page,
  tenant,
  browser,
}) => {
  const ada = await tenant.person('admin', PASSWORD);
  const ben = await tenant.person('admin', PASSWORD);
  const group = await tenant.seeding.group(tenant.org, `Night ${tenant.mark}`);
  await tenant.routers(2, { claimed: true, group });
  const file = `night-${tenant.mark}.cfg`;
  const config = await tenant.seeding.config(tenant.org, { name: file });

  await enter(page, ada, '/users');
  await page.getByRole('button', { name: 'Sign-in and access' }).click();
  await page.getByRole('menuitem', { name: 'Approvals', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Approvals' })).toBeVisible();
  await page.getByRole('button', { name: 'What waits' }).click();
  await page.getByLabel('Rollouts to many routers').check();
  await page.getByLabel('To more than so many routers').fill('1');
  await page.getByLabel(/^Your password/u).fill(PASSWORD);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('The rules were saved.')).toBeVisible();

  const bound = await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch('/data_manager/v1/binding/group/config', { method: 'POST', headers, body: JSON.stringify(body) }))
        .status;
    },
    { org: tenant.org.organizationId, group, config, schedule: 'immediate' },
  );
  expect(bound).toBe(409);
  await expect(page.getByRole('row', { name: new RegExp(file, 'u') })).toContainText('Waiting');

  const second = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const other = await second.newPage();
  await enter(other, ben, '/approvals');
  await other.getByRole('button', { name: /^Open the request/u }).click();
  const dialog = other.getByRole('dialog', { name: 'Rollout' });
  await expect(dialog.getByText(/^2 routers:/u)).toBeVisible();
  await expectAccessible(other);
  await dialog.getByRole('button', { name: 'Approve and do it' }).click();
  await expect(other.getByText('Approved. It was done.')).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(file, 'u') })).toContainText('Approved');
  await other.goto('/logs');
  await expect(other.getByRole('row', { name: new RegExp(`Bound config.*`, 'u') }).first()).toContainText(
    `approved by ${ben.email}`,
  );
  await second.close();
});

test('IAM-05 an admin lets support in; the engineer acts, reads so on every screen, and is out within seconds of one press', async ({
  page,
  tenant,
  browser,
}) => {
  const { admin } = tenant.users;
  const engineer = await tenant.person('main');
  await enter(page, admin, '/users');
  await page.getByRole('button', { name: 'Sign-in and access' }).click();
  await page.getByRole('menuitem', { name: 'Support and guests' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Support and guests' })).toBeVisible();
  await page.getByRole('button', { name: 'Let support in' }).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Let support in' }).click();
  await expect(page.getByText(/may act in your organization as support/u)).toBeVisible();
  await expectAccessible(page);

  const phone = await browser.newContext(PHONE);
  const their = await phone.newPage();
  await enter(their, engineer, '/access');
  await their.getByRole('button', { name: `Enter ${tenant.orgName}` }).click();
  await expect(their.getByText(new RegExp(`You act in ${tenant.orgName} as support`, 'u'))).toBeVisible();
  await expectAccessible(their);
  await their.goto('/groups/list');
  await expect(their.getByText(new RegExp(`You act in ${tenant.orgName} as support`, 'u'))).toBeVisible();

  await page.getByRole('button', { name: 'End support' }).click();
  await expect(page.getByText(/may act in your organization as support/u)).toBeHidden();
  await expect(their.getByText(/You act in/u)).toBeHidden({ timeout: 15_000 });
  await page.goto('/logs');
  await expect(page.getByRole('row', { name: new RegExp(engineer.email, 'u') }).first()).toContainText(
    `support allowed by ${admin.email}`,
  );
  await phone.close();
});
