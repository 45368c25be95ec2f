import { enter, expect, headers, rows, test } from './fixtures.ts';

test('OVW-01 OVW-04 OVW-05 OVW-07 OVW-02-partial OVW-03-partial OVW-06-partial the overview counts, charts and lists the fleet, live', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Overview ${tenant.mark}`);
  const account = await tenant.seeding.account(org, `overview-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10).split('-');
  const routers = [
    ...(await tenant.routers(3, { org })),
    ...(await tenant.routers(1, { org, expired: `${soon[1]}/${soon[2]}/${soon[0]}` })),
  ];
  await enter(page, { id: account, email: '', bearer: await tenant.seeding.bearer(account) }, '/dashboard');
  await expect(page.getByText('0 online').first()).toBeVisible();
  await expect(page.getByText('1 expiring')).toBeVisible();
  const fleet = tenant.fleet(routers.slice(0, 2), { carrier: 'Verizon Wireless' });
  tenant.fleet(routers.slice(2), { carrier: 'AT&T' });
  await expect(page.getByText('4 online')).toBeVisible();
  // Names are cut to 8 characters; a click on a bar selects its carrier and shows how many are online.
  const bar = page.getByRole('button', { name: /^Verizon/u }).first();
  await expect(bar).toBeVisible();
  await expect(bar).not.toContainText('Verizon Wireless');
  await expect(bar).toContainText('Verizon');
  await bar.click();
  await expect(page.getByText('2 online')).toBeVisible();
  fleet.routers.get(routers[0]!.serial)!.powerCut(60_000);
  await expect(page.getByText('1 online')).toBeVisible();
  await expect(page.getByText('3 online')).toBeVisible();
  const columns = ['#', 'Device Serial#', 'Vehicle#', 'Carrier', 'IMSI', 'ICCID', 'MTN', 'Notes'];
  await expect.poll(async () => (await headers(page)).filter((text) => text !== '')).toEqual(columns);
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByText('4–4 of 4')).toBeVisible();
  for (const card of ['Groups', 'Cloud Users', 'Logs']) await expect(page.getByRole('heading', { name: card })).toBeVisible();
  await page.getByRole('region', { name: 'Devices', exact: true }).getByRole('link', { name: 'Open list' }).click();
  await expect(page).toHaveURL(/\/devices\/list/u);
});
