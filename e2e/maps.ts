import type { LaunchOptions, Locator, Page } from '@playwright/test';
import { expect, expectAccessible, RULES_OF_LOOKS } from './fixtures.ts';

/** Maps are drawn with WebGL, here in software. */
export const withWebGl = {
  launchOptions: async (
    { launchOptions }: { launchOptions: LaunchOptions },
    use: (options: LaunchOptions) => Promise<void>,
  ): Promise<void> => {
    const args = (launchOptions.args ?? []).filter((each) => each !== '--disable-gpu');
    // Only maps: the pages around them are put together without WebGL, which costs less than half.
    const webGl = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing'];
    await use({ ...launchOptions, args: [...args, ...webGl] });
  },
};

/** The map of a page, once it is drawn. */
export const drawn = (page: Page): Locator => page.locator('.vehicle-map[data-ready="true"]');

/** A red, a green and a blue. */
export type Color = readonly [number, number, number];

/** How many pixels of a part of the page have this colour, in reach of blending, and the middle of them from its left and upper edge. */
export async function findPixels(
  page: Page,
  part: Locator,
  [red, green, blue]: Color,
): Promise<{ count: number; x: number; y: number }> {
  const png = (await part.screenshot()).toString('base64');
  return page.evaluate(
    async ({ source, color }) => {
      const response = Uint8Array.from(atob(source), (character) => character.codePointAt(0)!);
      const picture = await createImageBitmap(new Blob([response], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(picture, 0, 0);
      const { data } = context.getImageData(0, 0, picture.width, picture.height);
      const found = { count: 0, x: 0, y: 0 };
      for (let index = 0; index < data.length; index += 4) {
        if (!color.every((value, channel) => Math.abs(data[index + channel]! - value) <= 12)) continue;
        found.count += 1;
        found.x += (index / 4) % picture.width;
        found.y += Math.floor(index / 4 / picture.width);
      }
      return { count: found.count, x: found.x / found.count, y: found.y / found.count };
    },
    { source: png, color: [red, green, blue] },
  );
}

/** How many pixels of a part of the page have this colour. */
export async function pixelsOf(page: Page, part: Locator, color: Color): Promise<number> {
  return (await findPixels(page, part, color)).count;
}

/** The page with its map is as usable on a phone, in the dark and in Chinese, and is left as it was found. */
export async function expectOtherLook(page: Page): Promise<void> {
  for (const [language, colorScheme, width] of [
    ['zh-TW', 'dark', 390],
    ['en-US', 'light', 1440],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.evaluate((chosen) => localStorage.setItem('highline.language', chosen), language);
    await page.reload();
    await expect(drawn(page)).toBeVisible();
    if (width > 390) break;
    await expectAccessible(page, RULES_OF_LOOKS);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
}
