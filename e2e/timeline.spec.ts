import { enter, expect, expectAccessible, rows, waitUntilLoaded, test } from './fixtures.ts';

test('DEV-07-partial LOG-02-partial the timeline shows router events and user actions, live, by kind, and links to them', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Timeline ${tenant.mark}`);
  const email = `timeline-${tenant.mark.toLowerCase()}@highline.example`;
  const id = await tenant.seeding.account(org, email, 'admin');
  const bearer = await tenant.seeding.bearer(id);
  const groupName = `Timed ${tenant.mark}`;
  const group = await tenant.seeding.group(org, groupName);
  const [router] = await tenant.routers(1, { org });
  const config = `timed-${tenant.mark}.cfg`;
  const file = await tenant.seeding.config(org, { name: config });
  const { rows: stored } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [router!.serial]);
  await enter(page, { id, email, bearer }, `/devices/setting?device=${stored[0]!.id}&tab=timeline`);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  const items = timeline.getByRole('listitem');
  await expect(items).toHaveCount(1);
  await expect(items.first()).toContainText(`Added device ${router!.serial}`);

  // Router events appear live: it connects, and restarts.
  const fleet = tenant.fleet([router!]);
  await expect(items.filter({ hasText: 'Online' })).toHaveCount(1);
  const mine = fleet.routers.get(router!.serial)!;
  // A router reports its starts once it has our subscriptions.
  const isSetUp = async () =>
    (await tenant.owner.query("select 1 from routers where serial = $1 and reported -> 'subscribed' = 'true'", [router!.serial]))
      .rows.length;
  await expect.poll(isSetUp).toBe(1);
  const starts = mine.bootCount;
  mine.reboot();
  await expect.poll(() => mine.bootCount).toBe(starts + 1);
  await expect(items.filter({ hasText: 'Started' })).not.toHaveCount(0);
  await expect(items.filter({ hasText: 'Offline' })).not.toHaveCount(0);
  await expect(items.filter({ hasText: 'Offline' }).first()).toContainText(/connection|closed|answer/iu);

  // A person moves it, and binds a file to its group, which it takes.
  const tab = (name: string) => page.getByRole('link', { name, exact: true }).click();
  await tab('Settings');
  await page.getByRole('button', { name: /^Group /u }).click();
  await page.getByRole('combobox', { name: 'Group' }).fill(groupName);
  await page.getByRole('option', { name: groupName, exact: true }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await tab('Timeline');
  const moved = items.filter({ hasText: `Changed group of device ${router!.serial}` });
  await expect(moved).toContainText(`by ${email}`);
  const bound = await page.request.post('/data_manager/v1/binding/group/config', {
    headers: { authorization: `Bearer ${bearer}` },
    data: { config: file, group, schedule: 'immediate' },
  });
  expect(bound.status()).toBe(200);
  await expect(items.filter({ hasText: `Config file ${config}: Waiting` })).not.toHaveCount(0);
  const done = items.filter({ hasText: `Config file ${config}: Successful` });
  await expect(done).toHaveCount(1, { timeout: 90_000 });
  await expectAccessible(page);

  // By kind, in the address; a reload keeps it.
  const kinds = timeline.getByRole('group', { name: 'Show on the timeline' });
  await kinds.getByRole('button', { name: 'User actions' }).click();
  await expect(page).toHaveURL(/events=action/u);
  await expect(items).toHaveCount(2);
  await page.reload();
  await waitUntilLoaded(page);
  await expect(kinds.getByRole('button', { name: 'User actions' })).toHaveAttribute('aria-pressed', 'true');
  await expect(items).toHaveCount(2);
  await kinds.getByRole('button', { name: 'Router alarms' }).click();
  await expect(timeline).toContainText('No events of this kind for this device.');

  // It leads to the one entry of the log, and to the group with its rollout.
  await kinds.getByRole('button', { name: 'User actions' }).click();
  await moved.getByRole('link', { name: 'Open in the log' }).click();
  await expect(page).toHaveURL(/\/logs\?entry=\d+$/u);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(`Changed group of device ${router!.serial}`);
  await page.getByRole('button', { name: /^Remove .*Entry/u }).click();
  await expect(rows(page)).not.toHaveCount(1);
  await page.goBack();
  await page.goBack();
  await kinds.getByRole('button', { name: 'Rollouts' }).click();
  await done.getByRole('link', { name: 'Open group' }).click();
  await expect(page).toHaveURL(new RegExp(`/groups/detail\\?group=${group}`, 'u'));
  await expect(page.getByRole('region', { name: `Rollout of config file ${config}` })).toBeVisible();

  // Older pages follow; on a narrow screen nothing is cut off.
  for (let number = 1; number <= 25; number += 1)
    await tenant.auditDevice(org, stored[0]!.id, `Looked at it ${number}`, new Date(Date.now() - number * 60_000));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/devices/setting?device=${stored[0]!.id}&events=action`);
  await waitUntilLoaded(page);
  await expect(items).toHaveCount(20);
  await timeline.getByRole('button', { name: 'Show older' }).click();
  await expect(items).toHaveCount(27);
  await expect(timeline.getByRole('button', { name: 'Show older' })).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
