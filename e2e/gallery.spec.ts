import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { serveGallery } from '../apps/console/vite.gallery.ts';
import { root } from '../scripts/toolchain.mjs';
import { expect, expectAccessible, expectStill, RULES_OF_LOOKS, TAKES_PICTURES, test } from './fixtures.ts';
import { packWritten, TOLERANCE, withSteadyPixels } from './pictures.ts';
import type { Page } from '@playwright/test';

test.use(withSteadyPixels);
packWritten();
const NOW = new Date('2026-03-14T15:09:26Z');

let gallery: Awaited<ReturnType<typeof serveGallery>>;
let built: string;

test.beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), 'highline-gallery-'));
  gallery = await serveGallery(built);
});

test.afterAll(async () => {
  await gallery.stop();
  await rm(built, { recursive: true });
});

async function open(page: Page, language: string): Promise<void> {
  await page.clock.setFixedTime(NOW);
  await page.addInitScript((chosen) => localStorage.setItem('highline.language', chosen), language);
  await page.goto(gallery.url);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  // Placeholders of what loads show a little later.
  await expect(page.locator('#table-empty tbody .bar').first()).toBeVisible();
  await expect(page.locator('#states .skeleton[data-delayed]')).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
}

/** The part of the window that whatever was opened covers, with its shadow. */
async function clipOf(page: Page) {
  return page.evaluate(() => {
    const layers = [...document.querySelectorAll('dialog:modal, [popover]:popover-open')];
    const boxes = layers.map((layer) => layer.getBoundingClientRect()).filter(({ width }) => width > 0);
    const x = Math.max(0, Math.floor(Math.min(...boxes.map(({ left }) => left)) - 16));
    const y = Math.max(0, Math.floor(Math.min(...boxes.map(({ top }) => top)) - 16));
    const right = Math.min(innerWidth, Math.ceil(Math.max(...boxes.map((box) => box.right)) + 32));
    const bottom = Math.min(innerHeight, Math.ceil(Math.max(...boxes.map((box) => box.bottom)) + 32));
    return { x, y, width: right - x, height: bottom - y };
  });
}

/** The same, once two frames agree: what was opened is first drawn where it has no place yet. */
async function stillClipOf(page: Page) {
  let clip = await clipOf(page);
  await expect(async () => {
    const before = clip;
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    clip = await clipOf(page);
    expect(clip).toEqual(before);
  }).toPass();
  return clip;
}

/** Open each overlay in turn, hand it over, and close it. */
async function eachOverlay(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  for (const overlay of await page.locator('[data-opens]').all()) {
    const name = (await overlay.getAttribute('data-opens')) ?? '';
    // A field with a button opens by its button.
    const button = overlay.locator('button').first();
    const control = (await button.count()) > 0 ? button : overlay.locator('input').first();
    await ((await overlay.getAttribute('data-by')) === 'hover' ? control.hover() : control.click());
    const opened = page.locator('dialog:modal, [popover]:popover-open').filter({ visible: true });
    await expect(opened.first()).toBeVisible();
    await look(name);
    await page.keyboard.press('Escape');
    // What is shown only once asks first.
    if (name === 'secret-dialog') await page.getByRole('alertdialog').getByRole('button').last().click();
    await page.mouse.move(0, 0);
    if (name !== 'toasts') await expect(opened).toHaveCount(0);
  }
}

const pictures = [
  { scheme: 'light', width: 1440 },
  { scheme: 'dark', width: 390 },
] as const;

for (const { scheme, width } of pictures) {
  test(`the gallery of components looks as its pictures do: ${scheme}, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await open(page, 'en-US');
    const look = `${scheme}-${width}`;
    for (const section of await page.locator('section[id]').all()) {
      const name = (await section.getAttribute('id')) ?? '';
      await expect.soft(section).toHaveScreenshot(`${name}-${look}.png`, TOLERANCE);
    }
    await eachOverlay(page, async (name) => {
      await expect.soft(page).toHaveScreenshot(`overlay-${name}-${look}.png`, { ...TOLERANCE, clip: await stillClipOf(page) });
    });
  });
}

test('a list as wide as the window looks as its pictures do at 1920 px, light and dark', async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 900 });
  await open(page, 'en-US');
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await expect(page.locator('html')).toHaveAttribute('data-scheme', scheme);
    await expectStill(page);
    const list = page.locator('#list-wide');
    expect((await list.boundingBox())?.width).toBe(1888);
    await expect.soft(list).toHaveScreenshot(`list-wide-${scheme}-1920.png`, TOLERANCE);
  }
});

for (const language of ['en-US', 'zh-TW']) {
  test(`the gallery in ${language} is accessible and within its width, light and dark, wide and narrow`, async ({ page }) => {
    await open(page, language);
    for (const [scheme, width] of [
      ['light', 1440],
      ['dark', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      await expect(page.locator('html')).toHaveAttribute('data-scheme', scheme);
      await expectStill(page);
      // The elements are the same in each: all rules examine the first look.
      await expectAccessible(page, language === 'en-US' && width === 1440 ? undefined : RULES_OF_LOOKS);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      // Two only: a machine may have another font for Chinese, whose strokes are less than one pixel of a hundred here.
      for (const name of language === 'zh-TW' && width === 1440 ? ['table', 'actions'] : [])
        await expect.soft(page.locator(`#${name}`)).toHaveScreenshot(`${name}-${language}.png`, TOLERANCE);
      if (TAKES_PICTURES)
        await page.screenshot({ path: `test-results/gallery/${language}-${scheme}-${width}.png`, fullPage: true });
    }
  });
}

test('the console that ships has no gallery', () => {
  const dist = join(root, 'apps/console/dist');
  const files = globSync('**/*.{html,js,css}', { cwd: dist });
  expect(files).toContain('index.html');
  expect(
    files.filter((file) => file.includes('gallery') || readFileSync(join(dist, file), 'utf8').includes('gallery__')),
  ).toEqual([]);
});
