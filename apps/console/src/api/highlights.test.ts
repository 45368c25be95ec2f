import { expect, test } from 'vitest';
import {
  HIGHLIGHT_SECONDS,
  highlightCookies,
  highlightsText,
  mergeHighlights,
  parseHighlights,
  SHORT_HIGHLIGHT_SECONDS,
} from './highlights.ts';

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
  const marks = mergeHighlights(mergeHighlights([], ['a', 'default+group:id'], 160), ['c', 'a', 'c'], 170);
  expect(marks.map(({ id }) => id)).toEqual(['c', 'a', 'default+group:id']);
  expect(parseHighlights(highlightsText(marks), 100)).toEqual(marks);
  for (const cookie of [undefined, '', 'a,b', ':170', 'a:']) expect(parseHighlights(cookie, 100)).toEqual([]);
});

test('SHR-04-partial each id is marked for its own time, whatever is marked after it', () => {
  const marks = mergeHighlights(mergeHighlights(mergeHighlights([], ['created'], 160), ['first'], 105), ['second'], 150);
  const markedAt = (now: number) => parseHighlights(highlightsText(marks), now).map(({ id }) => id);
  expect(markedAt(104)).toEqual(['second', 'first', 'created']);
  expect(markedAt(105)).toEqual(['second', 'created']);
  expect(markedAt(150)).toEqual(['created']);
  expect(markedAt(160)).toEqual([]);
});

test('SHR-04-partial many ids stay within the size limit of a cookie', () => {
  const many = Array.from({ length: 500 }, (_, index) => `0198a9d2-7c1e-7b3a-9d2f-${String(index).padStart(12, '0')}`);
  expect(encodeURIComponent(highlightsText(mergeHighlights([], many, 1_795_000_000))).length).toBeLessThan(3800);
});
