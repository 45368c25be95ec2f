import { expect, test } from 'vitest';
import { parseLanguage } from './language.ts';

test('NAV-07-partial English unless a supported language was chosen', () => {
  expect(parseLanguage(null)).toBe('en-US');
  expect(parseLanguage('zh-TW')).toBe('zh-TW');
  expect(parseLanguage('fr')).toBe('en-US');
});
