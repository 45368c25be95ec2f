import { expect, test } from 'vitest';
import { createRedirects } from './redirects.ts';

const DAY = 86_400_000;

test('a router that received nothing after a redirect is served directly for a day, and one that goes on is redirected again', () => {
  const redirects = createRedirects();
  expect(['', 'bytes=100-', 'bytes=200-'].map((range) => redirects.isUseful('a', range, 0))).toEqual([true, true, true]);
  expect(redirects.isUseful('a', 'bytes=200-', DAY - 1)).toBe(false);
  expect(redirects.isUseful('a', 'bytes=300-', DAY)).toBe(false);
  expect(redirects.isUseful('b', '', DAY)).toBe(true);
  expect(redirects.isUseful('a', 'bytes=300-', 2 * DAY)).toBe(true);
});

test('only the latest downloads are kept', () => {
  const redirects = createRedirects(2);
  for (const download of ['a', 'b', 'c']) redirects.isUseful(download, '', 0);
  expect(['c', 'b', 'a'].map((download) => redirects.isUseful(download, '', 1))).toEqual([false, false, true]);
});
