import type { Page } from '@playwright/test';
import { expect, expectAccessible, RULES_OF_LOOKS, TAKES_PICTURES, test } from './fixtures.ts';

const noOverflow = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
    .toBeLessThanOrEqual(0);

test('HKS-03 /docs shows every call with fields and examples, without a session or another server, light and dark, in both languages', async ({
  page,
  tenant,
}, info) => {
  const foreign: string[] = [];
  const scripts: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (request.resourceType() === 'script') scripts.push(new URL(url).pathname);
    if (!url.startsWith(tenant.server.url) && !url.startsWith('data:')) foreign.push(url);
  });
  const look = async (name: string) => {
    if (TAKES_PICTURES) await page.screenshot({ path: info.outputPath(`docs-${name}.png`) });
  };
  const document = (await (await page.request.get(`${tenant.server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));

  await page.goto(`${tenant.server.url}/docs`);
  await expect(page.locator('.docs__call')).toHaveCount(ids.length);
  await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
  await noOverflow(page);
  await look('guide-light');

  await page.getByRole('searchbox', { name: 'Search calls' }).fill('groups.create post');
  await expect(page.locator('.docs__call h3')).toHaveText(['groups.create']);
  expect(new URL(page.url()).search).toBe('?q=groups.create+post');
  // By keyboard alone.
  await page.locator('.docs__call summary').focus();
  await page.keyboard.press('Enter');
  const call = page.locator('[id="groups.create"]');
  await expect(call.getByRole('rowheader', { name: 'name required', exact: true })).toBeVisible();
  await expect(call.locator('pre').first()).toContainText(`curl -X POST '${tenant.server.url}/data_manager/v1/dm/group'`);
  await expect(call.locator('pre').first()).toContainText('Idempotency-Key');
  await call.getByRole('radio', { name: 'Client' }).check();
  await expect(call.locator('pre').first()).toContainText("highline.call('groups.create', {");
  await call.getByRole('radio', { name: 'Command line' }).check();
  await expect(call.locator('pre').first()).toContainText('highline api groups create');
  await expectAccessible(page);
  await look('call-light-1440');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${tenant.server.url}/docs#devices.list`);
  await page.reload();
  await expect(page.locator('[id="devices.list"] pre').first()).toBeVisible();
  await noOverflow(page);
  await expectAccessible(page);
  await look('call-dark-390');
  const ofConsole = /\/assets\/(?:theme|frame|contract|calls)[-.]/u;
  expect(scripts.filter((path) => ofConsole.test(path))).toEqual([]);
  await page.getByRole('combobox', { name: 'Language' }).selectOption('zh-TW');
  await expect(page.getByRole('heading', { name: 'Highline API 說明' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-TW');
  await expect(page.locator('[id="devices.list"] .docs__summary')).toHaveText('組織的裝置，或主帳號所有組織的裝置。');
  // In Chinese a call is found by either language.
  for (const search of ['建立群組', 'move the given devices']) {
    await page.getByRole('searchbox', { name: '搜尋呼叫' }).fill(search);
    await expect(page.locator('.docs__call h3')).toHaveText(['groups.create']);
  }
  await page.getByRole('searchbox', { name: '搜尋呼叫' }).fill('沒有這個');
  await expect(page.getByRole('status')).toContainText('沒有符合的呼叫。');
  await page.getByRole('searchbox', { name: '搜尋呼叫' }).fill('');
  await expectAccessible(page, RULES_OF_LOOKS);
  await page.setViewportSize({ width: 1440, height: 900 });
  await noOverflow(page);
  await look('guide-dark-zh');
  expect(foreign).toEqual([]);

  await page.route('**/openapi.json', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('無法載入呼叫的說明。');
  await page.unroute('**/openapi.json');
  await page.getByRole('button', { name: '重試' }).click();
  await expect(page.locator('.docs__call')).toHaveCount(ids.length);
});
