import { enter, expect, expectAccessible, leave, rows, test, waitUntilLoaded } from './fixtures.ts';
import { INDEFINITE_MS } from './tenant.ts';

test('DPG-01 the page of a device: vehicle first, its state with duration or reason, signal, network, firmware, group and place; tabs in the address, for each role', async ({
  page,
  tenant,
}) => {
  const name = `Header depot ${tenant.mark}`;
  const group = await tenant.seeding.group(tenant.org, name);
  const [router] = await tenant.routers(1, { group });
  const { serial } = router!;
  const fleet = tenant.fleet([router!]);
  await fleet.whenAllConnected();
  const { rows: found } = await tenant.owner.query<{ id: string }>(
    `update devices set vehicle_number = 'Bus 2104' where serial = $1 returning id`,
    [serial],
  );
  const path = `/devices/setting?device=${found[0]!.id}`;
  const heading = page.getByRole('heading', { level: 1 });
  const status = page.locator('.device-status');
  const tabs = page.getByRole('navigation', { name: 'Parts of this device' });
  const current = tabs.locator('[aria-current="page"]');
  const tab = async (label: string) => {
    await tabs.getByRole('link', { name: label }).click();
    await expect(current).toHaveText([label]);
    await waitUntilLoaded(page);
  };

  await enter(page, tenant.users.admin, `/devices/list?search=${serial}`);
  await rows(page).first().press('Enter');
  await expect(heading).toHaveText('Bus 2104');
  await expect(page.locator('.page-header')).toContainText(serial);
  // The time runs on without a call.
  await page.clock.install();
  await page.reload();
  await waitUntilLoaded(page);
  await expect(status).toContainText(/Online.*connected for \d+ (?:s|min)/u);
  await page.clock.fastForward(47 * 60_000);
  await expect(status).toContainText(/connected for (?:47|48|49) min/u);
  await expect(status).toContainText(/-\d+ dBm/u);
  await expect(status).toContainText(/good|fair|poor/u);
  for (const text of ['Verizon', 'LTE', '2.8.1', 'HL-R520 5G', /Cell \d+/u]) await expect(status).toContainText(text);
  await expect(status.getByRole('link', { name })).toHaveAttribute('href', new RegExp(`group=${group}`, 'u'));

  // Each tab has its own address, and keeps it through a reload; the header stays.
  await expect(tabs.getByRole('link')).toHaveText(['Overview', 'Timeline', 'SIMs', 'Location', 'Diagnostics', 'Settings']);
  await expect(current).toHaveText(['Overview']);
  const empty = page.getByRole('region', { name: 'Properties', exact: true });
  await expect(empty).toContainText('No properties yet.');
  expect((await empty.boundingBox())!.height).toBeLessThan(120);
  await tab('SIMs');
  await expect(page).toHaveURL(/tab=sims$/u);
  await expect(page.getByRole('region', { name: 'SIM in use' })).toContainText(/89\d{17,18}/u);
  await page.reload();
  await waitUntilLoaded(page);
  await expect(current).toHaveText(['SIMs']);
  await expectAccessible(page);
  await tab('Location');
  await expect(page.getByRole('region', { name: 'Last known location' })).toContainText(/Cell\s*\d+/u);
  await tab('Diagnostics');
  await expect(page.getByRole('region', { name: 'Router agent' })).toContainText(/Clock\s*In sync/u);
  await expect(page.getByRole('region', { name: 'Commands', exact: true })).toContainText('No commands yet.');
  expect((await page.getByRole('region', { name: 'Commands', exact: true }).boundingBox())!.height).toBeLessThan(120);
  await expectAccessible(page);
  await page.goto(`${path}&events=connection`);
  await waitUntilLoaded(page);
  await expect(current).toHaveText(['Timeline']);

  // By keyboard; unsaved changes are not lost to another tab.
  await tabs.getByRole('link', { name: 'Settings' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/tab=settings$/u);
  await page.getByLabel('Notes').fill('Rear antenna');
  await tabs.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Do you want to save them before leaving?');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await expect(current).toHaveText(['Overview']);

  // Offline: since when and why, what was known last, and what cannot be done now.
  await page.clock.resume();
  fleet.routers.get(serial)!.powerCut(INDEFINITE_MS);
  await expect(status).toContainText('Offline', { timeout: 90_000 });
  await expect(status).toContainText(/since \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d · \w/u);
  await expect(status).toContainText('last known');
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toHaveAccessibleDescription(
    'The connection cannot be built because the device is offline.',
  );

  // A user and the main account look at the same; neither may change it, nor does the server let them.
  for (const [person, others] of [
    [tenant.users.user, 6],
    [tenant.users.main, 6],
  ] as const) {
    await leave(page);
    await enter(page, person, `${path}&tab=settings`);
    await expect(heading).toHaveText('Bus 2104');
    await expect(tabs.getByRole('link')).toHaveCount(others);
    await expect(page.getByLabel('Notes')).toHaveAttribute('readonly', '');
    const answer = await page.request.patch('/data_manager/v1/dm/device', {
      headers: { authorization: `Bearer ${person.bearer}` },
      data: { device: found[0]!.id, note: 'mine' },
    });
    expect(answer.status()).toBe(403);
    for (const label of ['Overview', 'Timeline', 'SIMs', 'Location', 'Diagnostics']) await tab(label);
    await expect(page.getByRole('button', { name: 'Reset PWD' })).toHaveAccessibleDescription(/Only admins/u);
  }
  await expect(status.getByRole('link', { name: tenant.orgName })).toBeVisible();
});
