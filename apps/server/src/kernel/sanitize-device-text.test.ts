import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitizeText, sanitizeLine } from './sanitize-device-text.ts';

test.each([
  ['value', sanitizeText],
  ['line', sanitizeLine],
] as const)('a hostile %s comes out short, without control characters and bidirectional marks', (_, clean) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
      const cleaned = clean(text, 100);
      expect(cleaned === null || (cleaned.length > 0 && cleaned.length <= 100 && cleaned.isWellFormed())).toBe(true);
      expect(cleaned ?? '').not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test('a value keeps its content, is cut between characters, and is null when nothing is left', () => {
  expect(sanitizeText('2.4\u0000.1\u202e\n', 100)).toBe('2.4.1');
  expect(sanitizeText(`${'a'.repeat(99)}😀`, 100)).toBe('a'.repeat(99));
  expect(sanitizeText('東京 🚍', 100)).toBe('東京 🚍');
  expect(sanitizeText('\u0000\u202e', 100)).toBeNull();
});

test('a message is put on one line, with single spaces', () => {
  expect(sanitizeLine('The flash\r\n is \u202eworn  out\u0000')).toBe('The flash is worn out');
  expect(sanitizeLine('x'.repeat(5_000))).toBe('x'.repeat(200));
  expect(sanitizeLine('\n\u0007')).toBeNull();
});
