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

  // By keyboard alone.
  await page.getByRole('searchbox', { name: 'Search calls' }).fill('groups.create post');
  await page.locator('.docs__call summary').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('[id="groups.create"] pre').first()).toContainText('Idempotency-Key');
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
  const ofConsole = /\/assets\/(?:theme|frame|contract|calls)-/u;
  expect(scripts.filter((path) => ofConsole.test(path))).toEqual([]);
  await page.getByRole('combobox', { name: 'Language' }).selectOption('zh-TW');
  await expect(page.getByRole('heading', { name: 'Highline API 說明' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-TW');
  await expectAccessible(page, RULES_OF_LOOKS);
  await page.setViewportSize({ width: 1440, height: 900 });
  await noOverflow(page);
  await look('guide-dark-zh');
  expect(foreign).toEqual([]);
});
