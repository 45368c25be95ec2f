import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import type { Page } from '@playwright/test';
import { enter, expect, leave, test, waitUntilLoaded } from './fixtures.ts';

const links = (page: Page) => page.getByRole('navigation', { name: 'Menu' }).getByRole('link');

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
    const response = await route.fetch();
    setTimeout(() => void route.fulfill({ response }), 1_500);
  });
  await page.goto('/map', { waitUntil: 'commit' });
  await expect(links(page).filter({ hasText: 'Map' })).toHaveAttribute('aria-current', 'page');
  await expect(loading).toBeAttached();
  release();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Map');
  await expect(loading).toHaveCount(0);
});

/** How many px of the sidebar are out of sight on a laptop. */
const hiddenOfSidebar = async (page: Page) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  return page.locator('.sidebar').evaluate((sidebar) => sidebar.scrollHeight - sidebar.clientHeight);
};

test('NAV-02-partial NAV-04-partial NAV-06-partial NAV-07 the sidebar of each role fits a laptop, the console speaks English until Chinese is chosen, and language and zone stay after a reload', async ({
  page,
  tenant,
  context,
}) => {
  await page.goto('/nowhere');
  await expect(page.getByText('Page not found')).toBeVisible();
  await enter(page, tenant.users.admin, '/devices/service');
  expect(await hiddenOfSidebar(page)).toBe(0);
  await expect(page.locator('.sidebar')).toContainText(`· ${new Date().getFullYear()}`);
  await leave(page);
  const [router] = await tenant.routers(1, { expired: '11/30/2031' });
  await enter(page, tenant.users.main, `/devices/orgList?search=${router!.serial}`);
  expect(await hiddenOfSidebar(page)).toBe(0);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
  const zone = page.getByRole('banner').getByRole('button', { name: /time zone|時區/iu });
  await zone.click();
  await page.getByRole('menuitemradio', { name: 'Chamorro +10' }).click();
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitemradio', { name: '繁體中文' }).click();
  for (const reloads of [false, true]) {
    if (reloads) await page.reload();
    await waitUntilLoaded(page);
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-TW');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('裝置');
    // The same day, in the order of the language (SAY-11).
    await expect(page.locator('tbody')).toContainText('2031/11/30');
    await expect(zone).toContainText('Chamorro');
  }
  const cookies = new Map((await context.cookies()).map(({ name, value }) => [name, decodeURIComponent(value)]));
  expect([cookies.get('timezone'), cookies.get('tz')]).toEqual(['Pacific/Guam', '10']);
});

interface Zones {
  readonly browserZone: () => string;
  readonly wallTime: (instant: Date, zone: string) => object;
}

test('NAV-06-partial a browser without Temporal shows the same times as one with it', async ({ page }) => {
  const zones = stripTypeScriptTypes(readFileSync('apps/console/src/ui/time/zones.ts', 'utf8'));
  const differing = await page.evaluate(async (source) => {
    const load = (name: string) => import(`data:text/javascript,${encodeURIComponent(`${source}//${name}`)}`) as Promise<Zones>;
    const withTemporal = await load('with');
    if (!Reflect.deleteProperty(globalThis, 'Temporal')) throw new Error('Temporal is still there.');
    const without = await load('without');
    const all: string[] = [];
    for (const zone of Intl.supportedValuesOf('timeZone'))
      for (let hour = 0; hour < 24 * 366; hour += 97) {
        const instant = new Date(Date.UTC(2026, 0, 1, hour, 59, 58));
        const [one, other] = [withTemporal, without].map((from) => JSON.stringify(from.wallTime(instant, zone)));
        if (one !== other) all.push(`${zone} ${instant.toISOString()}: ${one} ${other}`);
      }
    if (withTemporal.browserZone() !== without.browserZone()) all.push(withTemporal.browserZone());
    return all;
  }, zones);
  expect(differing).toEqual([]);
});

/** Calls that were started before the code of the page, and those of them that it did not make. */
const firstCalls = (page: Page) =>
  page.evaluate(() => {
    const { highlineFirstCalls } = window as unknown as { highlineFirstCalls: Map<string, { isUsed?: boolean }> };
    const unused = [...highlineFirstCalls].filter(([, { isUsed }]) => isUsed !== true).map(([call]) => call);
    return { count: highlineFirstCalls.size, unused };
  });

test('OVW-01-partial POS-02-partial AUTH-02-partial each call that is started before the code of the page is one that the page makes, and none without a session', async ({
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
  await leave(page);
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/login/u);
  expect(await firstCalls(page)).toEqual({ count: 0, unused: [] });
});
