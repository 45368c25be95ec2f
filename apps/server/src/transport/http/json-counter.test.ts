import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonCounter } from './json-counter.ts';

/** Values of all lists and objects, and keys among them, of JSON that was parsed; an empty list or object counts as one more. */
function countParsed(value: unknown): { values: number; keys: number } {
  if (typeof value !== 'object' || value === null) return { values: 0, keys: 0 };
  const items: unknown[] = Object.values(value);
  const count = { values: Math.max(1, items.length), keys: Array.isArray(value) ? 0 : items.length };
  for (const inner of items.map(countParsed)) {
    count.values += inner.values;
    count.keys += inner.keys;
  }
  return count;
}

test('API-03-partial the values of a body are counted in its text as they are when it is parsed, whatever its chunks and its strings', () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 1, max: 9 }), (text, size) => {
      const { values, keys } = countParsed(JSON.parse(text));
      const exceeds = (limits: { values: number; keys: number }) => {
        const counter = new JsonCounter(limits);
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; at += size) {
          const exceeded = counter.add(bytes.subarray(at, at + size));
          if (exceeded !== undefined) return exceeded;
        }
        return undefined;
      };
      expect(exceeds({ values, keys })).toBeUndefined();
      if (values > 0) expect(exceeds({ values: values - 1, keys })).toBe('values');
      if (keys > 0) expect(exceeds({ values, keys: keys - 1 })).toBe('values');
    }),
  );
});

test('API-03-partial a body that nests deeper than fifty levels is rejected by its first bytes', () => {
  const limits = { values: 1_000_000, keys: 1_000_000 };
  expect(new JsonCounter(limits).add(Buffer.from('['.repeat(50)))).toBeUndefined();
  expect(new JsonCounter(limits).add(Buffer.from('{"a":['.repeat(26)))).toBe('depth');
});
