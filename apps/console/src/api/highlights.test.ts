import { expect, test } from 'vitest';
import { HIGHLIGHT_SECONDS, highlightCookies, mergeHighlights, parseHighlights, SHORT_HIGHLIGHT_SECONDS } from './highlights.ts';

test('SHR-04-partial the cookies and how long they live', () => {
  expect(highlightCookies).toEqual({
    groups: 'highlineG',
    devices: 'highlineD',
    profiles: 'highlineP',
    users: 'highlineU',
    organizations: 'highlineO',
  });
  expect([HIGHLIGHT_SECONDS, SHORT_HIGHLIGHT_SECONDS]).toEqual([60, 5]);
});

test('SHR-04-partial a cookie lists the changed ids, the newest first, each once', () => {
  expect(mergeHighlights(['a', 'b'], ['c', 'a'])).toEqual(['c', 'a', 'b']);
  expect(parseHighlights('c,a,b')).toEqual(['c', 'a', 'b']);
  expect(parseHighlights(undefined)).toEqual([]);
  expect(parseHighlights('')).toEqual([]);
});

test('SHR-04-partial many ids stay within the size limit of a cookie', () => {
  const many = Array.from({ length: 500 }, (_, index) => `0198a9d2-7c1e-7b3a-9d2f-${String(index).padStart(12, '0')}`);
  expect(encodeURIComponent(mergeHighlights([], many).join(',')).length).toBeLessThan(3800);
});
