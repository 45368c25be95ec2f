import { expect, test } from 'vitest';
import { ifMatch } from './entity-tag.ts';

test.each([
  [undefined, true],
  ['', true],
  ['*', true],
  ['"3"', true],
  ['W/"3"', true],
  ['"2", "3"', true],
  ['"2"', false],
  ['3', false],
  ['"33"', false],
  ['nonsense', false],
])('DEV-07-partial If-Match %j lets version 3 pass: %s', (header, passes) => {
  expect(ifMatch(header)(3)).toBe(passes);
});
