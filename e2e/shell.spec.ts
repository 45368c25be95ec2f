import type { Page } from '@playwright/test';
import { enter, expect, leave, rows, waitUntilLoaded, showRows, test, visit } from './fixtures.ts';

const links = (page: Page) => page.getByRole('navigation', { name: 'Menu' }).getByRole('link');

test('NAV-01 / leads the main account to its organizations and everyone else to the overview', async ({ page, tenant }) => {
  for (const [person, path] of [
    [tenant.users.main, '/organization'],
    [tenant.users.admin, '/dashboard'],
    [tenant.users.user, '/dashboard'],
  ] as const) {
    await leave(page);
    await enter(page, person, '/');
    await expect(page).toHaveURL(new RegExp(`${path}$`, 'u'));
  }
});

test('an address without a page says so next to the sidebar, whose lists are named; without a session too', async ({
  page,
  tenant,
}) => {
  await page.goto('/nowhere');
  await expect(page.getByText('Page not found')).toBeVisible();
  await enter(page, tenant.users.admin, '/devices/list/more');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
  await expect(page.getByRole('list', { name: 'Updates' }).getByRole('link')).toHaveText(['Groups', 'Firmware', 'Config Files']);
  await page.getByRole('link', { name: 'Go to home page' }).click();
  await expect(page).toHaveURL(/\/dashboard$/u);
});

test('while the files of a page are on their way, header and sidebar are there and the page says that it is loading, in a new tab and from a link, also when the session is answered late', async ({
  page,
  tenant,
}) => {
  await enter(page, tenant.users.admin, '/devices/list');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/assets\/(?:GroupList|MapScreen|VehicleMap)-/u, async (route) => {
    await released;
    await route.continue();
  });
  const loading = page.getByRole('status').filter({ hasText: 'Loading the page…' });
  await links(page).filter({ hasText: 'Groups' }).click();
  await expect(loading).toBeAttached();
  await page.goto('/map', { waitUntil: 'commit' });
  await expect(loading).toBeAttached();
  await expect(links(page).filter({ hasText: 'Map' })).toHaveAttribute('aria-current', 'page');
  await page.route('**/introspect/', async (route) => {
    const answer = await route.fetch();
    setTimeout(() => void route.fulfill({ response: answer }), 1_500);
  });
  await page.goto('/map', { waitUntil: 'commit' });
  await expect(links(page).filter({ hasText: 'Map' })).toHaveAttribute('aria-current', 'page');
  await expect(loading).toBeAttached();
  release();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Map');
  await expect(loading).toHaveCount(0);
});

test('NAV-03 the sidebar is open above 1024 px and closed below', async ({ page, tenant }) => {
  await page.setViewportSize({ width: 1025, height: 800 });
  await enter(page, tenant.users.admin, '/dashboard');
  await expect(links(page).first()).toBeVisible();
  await page.setViewportSize({ width: 1024, height: 800 });
  await expect(page.getByRole('link', { name: 'Devices', exact: true })).toBeHidden();
  await page.getByRole('button', { name: /menu/iu }).first().click();
  await expect(page.getByRole('link', { name: 'Devices', exact: true })).toBeVisible();
});

/** How many px of the sidebar are out of sight on a laptop. */
const hiddenOfSidebar = async (page: Page) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  return page.locator('.sidebar').evaluate((sidebar) => sidebar.scrollHeight - sidebar.clientHeight);
};

test('NAV-04 the footer shows the version and the year', async ({ page, tenant }) => {
  await enter(page, tenant.users.admin, '/dashboard');
  await expect(page.getByText(`Highline 0.1.0 · ${new Date().getFullYear()}`)).toBeVisible();
  expect(await hiddenOfSidebar(page)).toBe(0);
});

test('NAV-05 every page that needs a selected item leads to its list without one', async ({ page, tenant }) => {
  const lead = async (from: string, to: string) => {
    await page.goto(from);
    await expect(page, from).toHaveURL(new RegExp(`${to}$`, 'u'));
  };
  await enter(page, tenant.users.admin, '/dashboard');
  await lead('/devices/setting', '/devices/list');
  await lead('/groups/detail', '/groups/list');
  await lead('/groups/configSetting', '/groups/config');
  await lead('/users/detail', '/users');
  await lead('/devices/esimsEdit', '/devices/esimsList');
  await leave(page);
  await enter(page, tenant.users.main, '/organization');
  expect(await hiddenOfSidebar(page)).toBe(0);
  await lead('/devices/setting', '/devices/orgList');
  await lead('/organization/setting', '/organization');
  await lead('/organization/addUser', '/organization');
});

test('NAV-06 all times on the screen follow the chosen zone immediately, stored in cookies', async ({
  page,
  tenant,
  context,
}) => {
  await tenant.routers(1, { claimed: false });
  await enter(page, tenant.users.main, '/inventory?sort=-created');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Added' }).check();
  await page.keyboard.press('Escape');
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
  await expect(button).toContainText('Pacific');
  const pacific = await shown();
  expect(new Map((await context.cookies()).map(({ name, value }) => [name, decodeURIComponent(value)])).get('timezone')).toBe(
    'America/Los_Angeles',
  );
  await open();
  await page.getByRole('menuitemradio', { name: 'Chamorro +10' }).click();
  const cookies = new Map((await context.cookies()).map(({ name, value }) => [name, decodeURIComponent(value)]));
  expect([cookies.get('timezone'), cookies.get('tz')]).toEqual(['Pacific/Guam', '10']);
  const offset = pacificOffset();
  await expect.poll(async () => (await shown()) - pacific).toBe((10 - offset) * 3_600_000);
  await page.reload();
  await waitUntilLoaded(page);
  await expect.poll(async () => (await shown()) - pacific).toBe((10 - offset) * 3_600_000);
  await open();
  await page.getByRole('menuitemradio', { name: /Local time/u }).click();
  await expect(button).toContainText('Local time');
});

test('NAV-06-partial the zone holds on every screen that shows a time: logs, release dates and records', async ({
  page,
  tenant,
}) => {
  const [router] = await tenant.routers(1);
  const { rows: found } = await tenant.owner.query<{ id: string; router_id: string }>(
    'select id, router_id from devices where serial = $1',
    [router!.serial],
  );
  const [{ id: device, router_id: routerId }] = found as [{ id: string; router_id: string }];
  await tenant.seeding.firmware(tenant.main, { model: 'HL-R320', version: `8.0-${tenant.mark}` });
  // Noon: the same day in both zones' records of today, wherever the browser stands.
  await tenant.owner.query("select ensure_partitions((now() - interval '2 days')::date, (now() + interval '1 day')::date)");
  await tenant.owner.query(`update router_ownership set owned_from = now() - interval '2 days' where router_id = $1`, [routerId]);
  await tenant.owner.query(
    "insert into telemetry (router_id, at, parameter, value) values ($1, date_trunc('second', now()) - interval '30 minutes', 1, -71)",
    [routerId],
  );
  await tenant.audit(tenant.org, { email: 'zone@highline.example', address: '192.0.2.9' }, 'Looked at the clock', new Date());
  await enter(page, tenant.users.admin, '/dashboard');
  const zone = async (name: string) => {
    await page
      .getByRole('banner')
      .getByRole('button', { name: /time zone/iu })
      .click();
    await page.getByRole('menuitemradio', { name }).click();
    await expect(page.getByRole('banner').getByRole('button', { name: /time zone/iu })).toContainText(name.split(' ')[0]!);
  };
  const screens = [
    ['/logs?search=Looked%20at%20the%20clock&field=action', () => rows(page).first().locator('time').first()],
    ['/groups/firmwares', () => rows(page).first().locator('time').first()],
    [`/reports/list/record?day=week&device=${device}&property=rssi`, () => rows(page).first().getByRole('cell').nth(5)],
  ] as const;
  for (const [path, cell] of screens) {
    await visit(page, path);
    const instant = async () => Date.parse(`${(await cell().innerText()).trim()} GMT`);
    await zone('Chamorro +10');
    await expect(cell()).toHaveText(/\d\d:\d\d/u);
    const guam = await instant();
    // At once: neither a reload nor another look at the page.
    await zone('Hawaii-Aleutian -10');
    await expect.poll(async () => guam - (await instant()), path).toBe(20 * 3_600_000);
  }
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
  tenant,
}) => {
  const [router] = await tenant.routers(1, { expired: '11/30/2031' });
  await enter(page, tenant.users.main, `/devices/orgList?search=${router!.serial}`);
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
  await tenant.seeding.firmware(tenant.main, { model: 'HL-R320', version: `7.0-${tenant.mark}` });
  await leave(page);
  await enter(page, tenant.users.admin, '/groups/firmwares');
  await expect(rows(page).first()).toContainText(/\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d/u);
});

test('SHR-02 tables sort and page, with common sizes besides their own, a page field above five pages, and a message when empty', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Paging ${tenant.mark}`);
  const admin = await tenant.seeding.account(org, `paging-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  await enter(page, { id: admin, email: '', bearer: await tenant.seeding.bearer(admin) }, '/devices/list');
  await expect(page.getByText('No Records.')).toBeVisible();
  await tenant.routers(17, { org });
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

test("SHR-02-partial the parts' page sizes hold until a person chooses one, which then is every list's; few rows can all be shown", async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Sizes ${tenant.mark}`);
  const admin = await tenant.seeding.account(org, `sizes-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  await tenant.routers(12, { org });
  const sizes = page.getByLabel('Rows', { exact: true });
  const firstSizes = {
    '/devices/list': '3',
    '/devices/service': '3',
    '/devices/esimsList': '3',
    '/groups/list': '10',
    '/users': '3',
    '/groups/config': '3',
    '/groups/firmwares': '3',
    '/logs': '10',
    '/reports/list/all': '10',
    '/dashboard': '3',
  };
  await enter(page, { id: admin, email: '', bearer: await tenant.seeding.bearer(admin) }, '/devices/list');
  for (const [path, size] of Object.entries(firstSizes)) {
    await visit(page, path);
    await expect(sizes).toHaveValue(size);
  }
  // All of them for once: nothing is stored.
  await visit(page, '/devices/list');
  await expect(page.getByText('1–3 of 12')).toBeVisible();
  await page.getByRole('button', { name: 'Show all 12' }).click();
  await expect(rows(page)).toHaveCount(12);
  await expect(page.getByRole('button', { name: 'Show all 12' })).toHaveCount(0);
  await visit(page, '/devices/service');
  await expect(sizes).toHaveValue('3');
  await expect(rows(page)).toHaveCount(3);
  await showRows(page, 5);
  await expect(rows(page)).toHaveCount(5);
  await page.reload();
  for (const path of Object.keys(firstSizes)) {
    await visit(page, path);
    await expect(sizes).toHaveValue('5');
  }
});

test('SHR-05 search is a case-sensitive substring match on the chosen field', async ({ page, tenant }) => {
  const [router] = await tenant.routers(1);
  await tenant.owner.query('update devices set vehicle_number = $1 where serial = $2', ['Medic 100%_x', router!.serial]);
  await enter(page, tenant.users.admin, `/devices/list?field=vehicle&search=${encodeURIComponent('dic 100%_')}`);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText(router!.serial);
  await page.getByPlaceholder('contains…').fill('DIC 100');
  await expect(page.getByText('No matched results.')).toBeVisible();

  // Matches that differ only in case are counted by the server and one click away.
  await page.getByRole('button', { name: '1 matches if upper and lower case are ignored' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText(router!.serial);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove filter Letter case' }).click();
  await expect(page.getByText('No matched results.')).toBeVisible();
  await page.getByRole('button', { name: '1 matches if upper and lower case are ignored' }).click();
  await expect(rows(page)).toHaveCount(1);
  await page.getByPlaceholder('contains…').fill('DIC 10');
  await expect(page.getByText('No matched results.')).toBeVisible();
  await page.getByPlaceholder('contains…').fill('no such vehicle');
  await expect(page).toHaveURL(/no\+such\+vehicle/u);
  await expect(page.getByRole('button', { name: 'Clear all filters' })).toBeVisible();
  await waitUntilLoaded(page);
  await expect(page.getByRole('button', { name: /case are ignored/u })).toHaveCount(0);
});

/** Calls that were started before the code of the page, and those of them that it did not make. */
const firstCalls = (page: Page) =>
  page.evaluate(() => {
    const { highlineFirstCalls } = window as unknown as { highlineFirstCalls: Map<string, { isUsed?: boolean }> };
    const unused = [...highlineFirstCalls].filter(([, { isUsed }]) => isUsed !== true).map(([call]) => call);
    return { count: highlineFirstCalls.size, unused };
  });

test('OVW-01-partial POS-02-partial each call that is started before the code of the page is one that the page makes', async ({
  page,
  tenant,
}) => {
  for (const [path, count] of [
    ['/dashboard', 7],
    ['/map', 3],
  ] as const) {
    await enter(page, tenant.users.admin, path);
    await expect.poll(() => firstCalls(page), path).toEqual({ count, unused: [] });
  }
});

test('AUTH-02-partial without a session no call is started before the code of the page', async ({ page }) => {
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/login/u);
  expect(await firstCalls(page)).toEqual({ count: 0, unused: [] });
});
