import { expect, test } from 'vitest';
import { findPart, findParts, hasTerms } from './marked.tsx';

test('the matching part is found whatever its case, and nothing else', () => {
  expect(findPart('Snow Plow 12', 'PLOW ')).toEqual([5, 9]);
  expect(findPart('Bus', 'x')).toBeUndefined();
  expect(findPart('Bus', '  ')).toBeUndefined();
  expect(findPart('İstanbul 7', '7')).toBeUndefined();
});

test('each term of the text has to be in one of the texts, in any order', () => {
  expect(hasTerms(['Add a group'], 'add group')).toBe(true);
  expect(hasTerms(['Invite a cloud user', 'add new'], ' user ADD ')).toBe(true);
  expect(hasTerms(['Add a group'], 'add groups')).toBe(false);
  expect(hasTerms(['Add a group'], ' ')).toBe(false);
});

test('the whole text is marked where it is found, its terms where it is not', () => {
  expect(findParts('Add a group', 'a group')).toEqual([[4, 11]]);
  expect(findParts('Add a group', 'group add')).toEqual([
    [0, 3],
    [6, 11],
  ]);
  expect(findParts('Add a group', 'add dd')).toEqual([[0, 3]]);
  expect(findParts('Add a group', 'x')).toEqual([]);
});
