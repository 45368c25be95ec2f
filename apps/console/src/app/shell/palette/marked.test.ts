import { expect, test } from 'vitest';
import { findPart } from './marked.tsx';

test('the matching part is found whatever its case, and nothing else', () => {
  expect(findPart('Snow Plow 12', 'PLOW ')).toEqual([5, 9]);
  expect(findPart('Bus', 'x')).toBeUndefined();
  expect(findPart('Bus', '  ')).toBeUndefined();
  expect(findPart('İstanbul 7', '7')).toBeUndefined();
});
