import { join } from 'node:path';
import { type LaunchOptions, type Page, test } from '@playwright/test';
import { packPictures } from '../scripts/pictures.ts';
import { root } from '../scripts/toolchain.mjs';
import { expect } from './fixtures.ts';

/**
 * The same pixels on another machine: the fonts ship with the console, and the machine's settings for hinting, subpixels and
 * colors do not count. What is left (native controls of another Chromium) has to stay below one pixel of a hundred.
 */
export const withSteadyPixels = {
  launchOptions: async (
    { launchOptions }: { launchOptions: LaunchOptions },
    use: (options: LaunchOptions) => Promise<void>,
  ): Promise<void> => {
    const steady = [
      '--font-render-hinting=none',
      '--disable-font-subpixel-positioning',
      '--disable-lcd-text',
      '--force-color-profile=srgb',
      '--hide-scrollbars',
    ];
    await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...steady] });
  },
};

export const TOLERANCE = { maxDiffPixelRatio: 0.01 };

/** A button more or less, of a whole screen. */
const TOLERANCE_OF_SCREEN = { maxDiffPixelRatio: 0.002 };

/**
 * In a spec that compares pictures: those that were written on purpose are stored with a palette. A run that only compares changes no picture, so
 * that the test of their size sees the committed ones.
 */
export function packWritten(): void {
  test.afterAll(({}, { config }) => {
    if (['all', 'changed'].includes(config.updateSnapshots)) packPictures(join(root, 'e2e', 'pictures'));
  });
}

/** Above what changes by itself: the hourly figures of a device, and the rows that a router adds to a report. */
const heights: Readonly<Record<string, number>> = { device: 640, reports: 520 };

/** Runs in the page: times, numbers and random names as in any other run. */
function makeTextSteady(mark: string): void {
  const months = '(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber';
  const random = new RegExp(String.raw`just now|${months}|(?=\w*\d)[\dA-F]{6,}|\d+(?:[.,:/-]\d+)*`, 'giu');
  // The mark first: its digits may follow others.
  const steady = (text: string) =>
    text
      .split(new RegExp(mark, 'iu'))
      .map((part) => part.replace(random, (found) => (found === 'just now' ? '9 s ago' : '9')))
      .join('9');
  for (const time of document.querySelectorAll('time')) if (time.textContent !== '9 min ago') time.textContent = '9 min ago';
  // The days that a field names; digits differ in width.
  for (const input of document.querySelectorAll('input'))
    if (/^\d{4}\/\d\d\/\d\d \d/u.test(input.value)) input.value = steady(input.value);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { nodeValue: text, parentElement: element } = texts.currentNode;
    // Components bring styles along.
    const then = element?.matches('style, script') === true ? text : steady(text!);
    if (then !== text) texts.currentNode.nodeValue = then;
  }
}

/**
 * A screen of the real server looks as its picture does. What differs between runs is the same in each: times and numbers are replaced,
 * and maps and drawings of values are hidden: the gallery has pictures of charts, and map-fleet.spec.ts looks at the pixels of a map.
 * @param mark what is random in the names of this run
 */
export async function expectPicture(page: Page, name: string, mark: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await expect(async () => {
    // An event may bring the real text back: once more then.
    await page.evaluate(makeTextSteady, mark);
    const picture = await page.screenshot({
      animations: 'disabled',
      clip: { x: 0, y: 0, width: 1440, height: heights[name] ?? 900 },
      style: '.time-chart, .vega, .amounts, .usage-month__plot, .vehicle-map, .vehicle-map * { visibility: hidden }',
    });
    expect(picture).toMatchSnapshot(`screen-${name}.png`, TOLERANCE_OF_SCREEN);
  }).toPass({ timeout: 60_000 });
}
