import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanText, cleanWords } from './told-text.ts';

test.each([
  ['value', cleanText],
  ['line', cleanWords],
] as const)('a hostile %s comes out short, without control characters and bidirectional marks', (_, clean) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
      const told = clean(text, 100);
      expect(told === null || (told.length > 0 && told.length <= 100 && told.isWellFormed())).toBe(true);
      expect(told ?? '').not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test('a value keeps its content, is cut between characters, and is null when nothing is left', () => {
  expect(cleanText('2.4\u0000.1\u202e\n', 100)).toBe('2.4.1');
  expect(cleanText(`${'a'.repeat(99)}😀`, 100)).toBe('a'.repeat(99));
  expect(cleanText('東京 🚍', 100)).toBe('東京 🚍');
  expect(cleanText('\u0000\u202e', 100)).toBeNull();
});

test('a message is put on one line, with single spaces', () => {
  expect(cleanWords('The flash\r\n is \u202eworn  out\u0000')).toBe('The flash is worn out');
  expect(cleanWords('x'.repeat(5_000))).toBe('x'.repeat(200));
  expect(cleanWords('\n\u0007')).toBeNull();
});
