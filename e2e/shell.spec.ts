import { enter, expect, leave, rows, settled, showRows, test } from './fixtures.ts';

const links = (page: import('@playwright/test').Page) => page.getByRole('navigation').getByRole('link');

test('NAV-01 / leads the main account to its organizations and everyone else to the overview', async ({ page, world }) => {
  for (const [person, path] of [
    [world.people.main, '/organization'],
    [world.people.admin, '/dashboard'],
    [world.people.user, '/dashboard'],
  ] as const) {
    await leave(page);
    await enter(page, person, '/');
    await expect(page).toHaveURL(new RegExp(`${path}$`, 'u'));
  }
});

test('NAV-02-partial each role sees its entries, and a path typed by hand that is not its own does not open', async ({
  page,
  world,
  request,
}) => {
  const entries = {
    main: ['Organizations', 'Devices', 'Inventory', 'Firmware'],
    admin: [
      'Overview',
      'Devices',
      'SIMs',
      'Service Status',
      'Groups',
      'Firmware',
      'Config Files',
      'Cloud Users',
      'Logs',
      'Reports',
      'Analysis',
    ],
    user: ['Overview', 'Devices', 'SIMs', 'Service Status', 'Groups', 'Firmware', 'Cloud Users', 'Logs', 'Reports', 'Analysis'],
  };
  for (const role of ['main', 'admin', 'user'] as const) {
    await leave(page);
    await enter(page, world.people[role], '/');
    await expect(links(page)).toHaveText(entries[role]);
  }
  for (const path of [
    '/organization',
    '/inventory',
    '/devices/orgList',
    '/devices/add',
    '/devices/esimsAdd',
    '/devices/esimsEdit',
    '/groups/add',
    '/groups/detail',
    '/groups/config',
    '/firmware',
    '/users',
    '/users/add',
  ]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard$/u);
  }
  const headers = { authorization: `Bearer ${world.people.user.bearer}` };
  expect(
    (
      await request.post('/data_manager/v1/dm/devices', {
        headers,
        data: { devices: [{ serial_number: 'x', mac: 'y', started: '01/01/2026', expired: '01/02/2026' }] },
      })
    ).status(),
  ).toBe(403);
  await leave(page);
  await enter(page, world.people.main, '/devices/add');
  await expect(links(page).filter({ hasText: 'Devices' })).toHaveAttribute('aria-current', 'page');
});

test('NAV-03 the sidebar is open above 1024 px and closed below', async ({ page, world }) => {
  await page.setViewportSize({ width: 1100, height: 800 });
  await enter(page, world.people.admin, '/dashboard');
  await expect(links(page).first()).toBeVisible();
  await page.setViewportSize({ width: 1000, height: 800 });
  await expect(page.getByRole('link', { name: 'Devices', exact: true })).toBeHidden();
  await page.getByRole('button', { name: /menu/iu }).first().click();
  await expect(page.getByRole('link', { name: 'Devices', exact: true })).toBeVisible();
});

test('NAV-04 the footer shows the version and the year', async ({ page, world }) => {
  await enter(page, world.people.admin, '/dashboard');
  await expect(page.getByText(`Highline 0.1.0 · ${new Date().getFullYear()}`)).toBeVisible();
});

test('NAV-05 every page that needs a selected item leads to its list without one', async ({ page, world }) => {
  const lead = async (from: string, to: string) => {
    await page.goto(from);
    await expect(page, from).toHaveURL(new RegExp(`${to}$`, 'u'));
  };
  await enter(page, world.people.admin, '/dashboard');
  await lead('/devices/setting', '/devices/list');
  await lead('/groups/detail', '/groups/list');
  await lead('/groups/configSetting', '/groups/config');
  await lead('/users/detail', '/users');
  await lead('/devices/esimsEdit', '/devices/esimsList');
  await leave(page);
  await enter(page, world.people.main, '/organization');
  await lead('/devices/setting', '/devices/orgList');
  await lead('/organization/setting', '/organization');
  await lead('/organization/addUser', '/organization');
});

test('NAV-06 every time on the screen follows the chosen zone at once, kept in cookies', async ({ page, world, context }) => {
  await world.routers(1, { claimed: false });
  await enter(page, world.people.main, '/inventory?sort=-created');
  const zones = [
    'Eastern -5',
    'Central -6',
    'Mountain -7',
    'Pacific -8',
    'Alaska -9',
    'Hawaii-Aleutian -10',
    'Atlantic -4',
    'Samoa -11',
    'Chamorro +10',
  ];
  const button = page.getByRole('banner').getByRole('button', { name: /time zone/iu });
  const at = rows(page).first().locator('time').last();
  const shown = async () => Date.parse(`${await at.textContent()} GMT`);
  const open = async () => {
    await button.click();
    await expect(page.getByRole('menuitemradio')).toHaveCount(zones.length + 1);
  };
  await open();
  for (const zone of zones) await expect(page.getByRole('menuitemradio', { name: zone })).toBeVisible();
  await page.getByRole('menuitemradio', { name: 'Pacific -8' }).click();
  const pacific = await shown();
  expect(new Map((await context.cookies()).map(({ name, value }) => [name, decodeURIComponent(value)])).get('timezone')).toBe(
    'America/Los_Angeles',
  );
  await open();
  await page.getByRole('menuitemradio', { name: 'Chamorro +10' }).click();
  const cookies = new Map((await context.cookies()).map(({ name, value }) => [name, decodeURIComponent(value)]));
  expect([cookies.get('timezone'), cookies.get('tz')]).toEqual(['Pacific/Guam', '10']);
  const offset = pacificOffset();
  expect((await shown()) - pacific).toBe((10 - offset) * 3_600_000);
  await page.reload();
  await settled(page);
  expect((await shown()) - pacific).toBe((10 - offset) * 3_600_000);
  await open();
  await page.getByRole('menuitemradio', { name: /Browser location/u }).click();
  await expect(button).toContainText('Browser location');
});

/** Summer time moves it from -8 to -7. */
function pacificOffset(): number {
  const name = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Los_Angeles', timeZoneName: 'shortOffset' })
    .formatToParts(new Date())
    .find(({ type }) => type === 'timeZoneName')!.value;
  return Number(name.replace('GMT', ''));
}

test('NAV-07 the console speaks English by default and Traditional Chinese by choice, with dates as MM/DD/YYYY, of releases to the second', async ({
  page,
  world,
}) => {
  const [router] = await world.routers(1, { expired: '11/30/2031' });
  await enter(page, world.people.main, `/devices/orgList?search=${router!.serial}`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
  await expect(rows(page).first()).toContainText('11/30/2031');
  await page.getByRole('button', { name: 'Language' }).click();
  await page
    .getByRole('option', { name: '繁體中文' })
    .or(page.getByRole('menuitemradio', { name: '繁體中文' }))
    .first()
    .click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-TW');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('裝置');
  await expect(rows(page).first()).toContainText('11/30/2031');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('裝置');
  await world.seeding.firmware(world.main, { model: 'HL-R320', version: `7.0-${world.mark}` });
  await leave(page);
  await enter(page, world.people.admin, '/groups/firmwares');
  await expect(rows(page).first()).toContainText(/\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d/u);
});

test('SHR-02 tables sort and page, with sizes beside their own, a page to type above five, and words when empty', async ({
  page,
  world,
}) => {
  const org = await world.seeding.organization(world.main, `Paging ${world.mark}`);
  const admin = await world.seeding.account(org, `paging-${world.mark.toLowerCase()}@highline.example`, 'admin');
  await enter(page, { id: admin, email: '', bearer: await world.seeding.bearer(admin) }, '/devices/list');
  await expect(page.getByText('No Records.')).toBeVisible();
  await world.routers(17, { org });
  await expect(page.getByText('1–3 of 17')).toBeVisible();
  await expect(page.getByLabel('Rows', { exact: true }).locator('option')).toHaveText(['3', '5', '10', '20', '30', '40', '50']);
  const first = await rows(page).first().innerText();
  const goTo = page.getByLabel('Go to page');
  await goTo.fill('6');
  await goTo.press('Enter');
  await expect(page.getByText('16–17 of 17')).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: /^Device Serial#/u }).click();
  await expect(page).toHaveURL(/sort=serial/u);
  await page.getByRole('button', { name: /^Device Serial#/u }).click();
  await expect(page).toHaveURL(/sort=-serial/u);
  // The address changes at the click; the rows follow when the server has answered.
  await expect.poll(() => rows(page).first().innerText()).not.toBe(first);
  await showRows(page, 10);
  await expect(rows(page)).toHaveCount(10);
  await expect(goTo).toHaveCount(0);
  await page.getByPlaceholder('contains…').fill('nothing is called so');
  await expect(page.getByText('No matched results.')).toBeVisible();
});

test('SHR-05 search is a case-sensitive substring match on the chosen field', async ({ page, world }) => {
  const [router] = await world.routers(1);
  await world.owner.query('update devices set vehicle_number = $1 where serial = $2', ['Medic 100%_x', router!.serial]);
  await enter(page, world.people.admin, `/devices/list?field=vehicle&search=${encodeURIComponent('dic 100%_')}`);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText(router!.serial);
  await page.getByPlaceholder('contains…').fill('DIC 100');
  await expect(page.getByText('No matched results.')).toBeVisible();
});
