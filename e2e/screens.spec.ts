import { enter, expect, expectAccessible, keepSecret, headers, rows, showRows, test } from './fixtures.ts';

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

test('OGL-02 OGL-03 ORG-01-partial the main account sees its organizations and the devices of all or of one', async ({
  page,
  tenant,
}) => {
  const soon = new Date(Date.now() + 4 * 86_400_000).toISOString().slice(0, 10).split('-');
  const name = `Ratio ${tenant.mark}`;
  const org = await tenant.seeding.organization(tenant.main, name);
  await tenant.routers(2, { org });
  const [expiring] = await tenant.routers(1, { org, expired: `${soon[1]}/${soon[2]}/${soon[0]}` });
  const [elsewhere] = await tenant.routers(1);
  await enter(page, tenant.users.main, `/organization?search=${encodeURIComponent(name)}`);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText('1/3');
  await page.getByRole('link', { name: /1\/3/u }).click();
  await expect(page).toHaveURL(/\/devices\/orgList\?org=/u);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await expect(page.getByText('1–3 of 3')).toBeVisible();
  for (const column of ['#', 'Service Status', 'Expiration Date', 'Device Serial#', 'Device Model', 'Org'])
    await expect.poll(() => headers(page)).toContain(column);
  await page
    .getByRole('button', { name: /Service Status/u })
    .first()
    .click();
  await page.getByRole('option', { name: 'Expiring', exact: true }).click();
  await expect(page.getByText('1–1 of 1')).toBeVisible();
  await expect(rows(page).first()).toContainText(expiring!.serial);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Devices');
  await page.goBack();
  await page.getByRole('button', { name: /Remove filter.*Expiring/u }).click();
  await expect(page.getByText('1–3 of 3')).toBeVisible();
  await page
    .getByRole('button', { name: /Expiration date/u })
    .first()
    .click();
  await expect(page.getByRole('option')).toContainText(['All dates', 'Today', 'This week', 'This month']);
  await page.getByRole('option', { name: 'Today', exact: true }).click();
  await expect(page.getByText('No matched results.')).toBeVisible();
  await page.getByRole('link', { name: 'All devices' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Devices');
  await page.goto(`/devices/orgList?field=organization&search=${encodeURIComponent(name)}`);
  await expect(page.getByText('1–3 of 3')).toBeVisible();
  await page.goto(`/devices/orgList?field=serial&search=${elsewhere!.serial}`);
  await expect(rows(page)).toHaveCount(1);
});

test('the inventory takes a router, shows its secret once, and that secret opens the door', async ({ page, tenant }) => {
  await enter(page, tenant.users.main, '/inventory');
  await page.getByRole('button', { name: 'Add router' }).click();
  const serial = `INV-${tenant.mark}`;
  const mac = `00B2D0${tenant.mark}`;
  await page.getByRole('dialog').getByLabel('Serial number').fill(serial);
  await page.getByRole('dialog').getByLabel('MAC address').fill(mac);
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(`Secret for ${serial}`);
  const secret = await dialog.locator('code').first().innerText();
  await keepSecret(dialog);
  await page.goto(`/inventory?search=${serial}`);
  await expect(rows(page).first()).toContainText('Never connected');
  tenant.fleet([{ serial, mac, secret }]);
  await expect(rows(page).first()).toContainText('Online');
  await expect(page.locator('body')).not.toContainText(secret);
  await showRows(page, 5);
});
