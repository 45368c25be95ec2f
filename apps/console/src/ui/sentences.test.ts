import { expect, test } from 'vitest';
import { sentences } from './sentences.ts';

test('sentences follow one another as their language sets them', () => {
  expect(sentences(['It is gone.', '', 'It cannot be undone.'])).toBe('It is gone. It cannot be undone.');
  expect(sentences(['已刪除。', '無法復原。'])).toBe('已刪除。無法復原。');
  expect(sentences([])).toBe('');
});
