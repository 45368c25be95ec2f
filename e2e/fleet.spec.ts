import type { OrganizationScope } from '@highline/testkit/seeding';
import { enter, expect, expectAccessible, headers, leave, rows, test, waitUntilLoaded } from './fixtures.ts';

test('ATT-03-partial a main account sees what is wrong in its fleet, its organizations by each figure, and each in tabs', async ({
  page,
  tenant,
}) => {
  test.slow();
  const { seeding, owner, mark } = tenant;
  const { scope: main } = await seeding.mainAccount(`Fleet ${mark}`);
  const email = `fleet-${mark.toLowerCase()}@highline.example`;
  const id = await seeding.account(main, email, 'main');
  const lake = await seeding.organization(main, `Lake ${mark}`);
  const hill = await seeding.organization(main, `Hill ${mark}`);
  let count = 0;
  const add = async (org: OrganizationScope | undefined, group?: string) => {
    count += 1;
    const router = { serial: `FLEET-${mark}-${count}`, mac: `02${mark}${String(count).padStart(4, '0')}` };
    await seeding.routers(main, [router]);
    if (org !== undefined) await seeding.devices(org, [{ ...router, ...(group === undefined ? {} : { group }) }]);
    return router.serial;
  };
  const bound = await seeding.group(lake, 'North depot');
  const silent = await add(lake);
  const failed = await add(lake, bound);
  const online = await add(hill);
  await add(undefined);
  const file = await seeding.config(lake, { name: 'depot.cfg' });
  await seeding.binding(lake, { kind: 'config', group: bound, file, schedule: 'immediate' });
  await owner.query(`update rollout_targets set state = 'failed' where organization_id = $1`, [lake.organizationId]);
  await owner.query(
    `update devices set presence = 'offline', presence_since = now() - interval '2 hours', vehicle_number = 'Bus 7',
      started_on = current_date - 10, expires_on = current_date + 5 where serial = $1`,
    [silent],
  );
  await owner.query(`update devices set presence = 'online' where serial = any ($1)`, [[failed, online]]);
  await seeding.account(lake, `lake-${mark.toLowerCase()}@highline.example`, 'admin');
  await tenant.audit(lake, { email: 'lake@highline.example', address: '192.0.2.7' }, 'Changed the note of the depot', new Date());
  // What their changes would have announced.
  for (const { organizationId } of [lake, hill])
    await owner.query(`insert into outbox (main_account_id, organization_id, topic) values ($1, $2, 'rollouts')`, [
      main.mainAccountId,
      organizationId,
    ]);

  // It starts with what is wrong; the figures arrive by themselves.
  await enter(page, { id, email, bearer: await seeding.bearer(id) });
  await expect(page).toHaveURL(/\/organization$/u);
  const card = page.getByRole('region', { name: 'Needs attention' });
  await expect(card.getByRole('link', { name: '1 device offline for more than 1 hour' })).toBeVisible();
  await expect(card).toContainText(`Bus 7 2 h ago · Lake ${mark}`);
  await expect(card.getByRole('link', { name: '1 organization with failed routers in a rollout' })).toBeVisible();
  await expect(card.getByRole('link', { name: '1 subscription is expiring' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Devices online (%)' })).toBeVisible();
  await expect
    .poll(() => headers(page))
    .toEqual(['', 'Org name', 'Online', 'Rollouts', 'Expiring', 'Contact', 'Phone', 'Address', 'Expiring/All Devices']);
  await expect(rows(page).first()).toContainText(`Hill ${mark}100% 1/100`);
  await expect(rows(page).nth(1)).toContainText(`Lake ${mark}50% 1/21 failed1`);
  await expectAccessible(page);
  await page.getByRole('columnheader', { name: 'Online' }).getByRole('button').click();
  await expect(rows(page).first()).toContainText('Lake');
  await expect(page).toHaveURL(/sort=online/u);

  // Live: a router that comes back changes line and row.
  await owner.query(`update devices set presence = 'online', presence_since = now() where serial = $1`, [silent]);
  await owner.query(`insert into outbox (main_account_id, organization_id, topic) values ($1, $2, 'devices')`, [
    main.mainAccountId,
    lake.organizationId,
  ]);
  await expect(rows(page).filter({ hasText: 'Lake' })).toContainText('100% 2/2');
  await expect(card).not.toContainText('offline for more than');

  // Each line opens what it counts.
  await card.getByRole('link', { name: '1 unclaimed router in stock' }).click();
  await expect(page).toHaveURL(/\/inventory\?claimed=unclaimed$/u);
  await expect(rows(page)).toHaveCount(1);
  await page.goBack();
  await card.getByRole('link', { name: '1 organization with failed' }).click();
  await expect(page).toHaveURL(/rollout=failed/u);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: /Rollouts: Failed/u }).click();
  await expect(rows(page)).toHaveCount(2);

  // An organization opens with its overview; its figures lead to its tabs.
  await rows(page).getByText(`Lake ${mark}`).click();
  await expect(page).toHaveURL(new RegExp(`/organization/setting\\?org=${lake.organizationId}&tab=overview$`, 'u'));
  const tabs = page.getByRole('navigation', { name: 'Organization' });
  await expect(tabs.getByRole('link')).toHaveText(['Overview', 'Devices', 'Groups', 'Users', 'Log', 'Settings']);
  await expect(tabs.getByRole('link', { name: 'Overview' })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('region', { name: 'Devices', exact: true })).toContainText('2');
  await expectAccessible(page);
  await card.getByRole('link', { name: '1 group with failed routers in a rollout' }).click();
  await expect(page).toHaveURL(/tab=groups/u);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('1 failed');
  await rows(page).getByText('North depot').click();
  await expect(page).toHaveURL(/tab=devices/u);
  await expect(tabs.locator('[aria-current]')).toHaveText(['Devices']);
  // The table of the groups has one row too, until the devices are there.
  await expect(rows(page).filter({ hasText: failed })).toHaveCount(1);
  await expect(rows(page)).toHaveCount(1);
  // Clearing the filters keeps organization and tab; so do search and reload.
  await page.getByRole('button', { name: /Group: North depot/u }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByRole('columnheader', { name: 'Organization' })).toHaveCount(0);
  await page.getByRole('searchbox').fill(silent);
  await expect(rows(page)).toHaveCount(1);
  await page.reload();
  await waitUntilLoaded(page);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(page).toHaveURL(
    new RegExp(`org=${lake.organizationId}.*tab=devices|tab=devices.*org=${lake.organizationId}`, 'u'),
  );
  await tabs.getByRole('link', { name: 'Users' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(`lake-${mark.toLowerCase()}@`);
  await tabs.getByRole('link', { name: 'Log' }).click();
  await expect(rows(page).filter({ hasText: 'Changed the note of the depot' })).toHaveCount(1);
  await tabs.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByLabel('Org name')).toHaveValue(`Lake ${mark}`);
  await expect(page.getByRole('region', { name: 'Admins' })).toContainText('lake-');

  // Another main account finds no such organization.
  await leave(page);
  await enter(page, tenant.users.main, `/organization/setting?org=${lake.organizationId}&tab=devices`);
  await expect(page.getByText('This organization no longer exists.')).toBeVisible();
});
