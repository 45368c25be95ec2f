import { expect, test } from 'vitest';
import { isOlderVersion, plainVersion } from './version.ts';

test('FWR-02-partial a version written with a v is the same as without', () => {
  expect(['v2.0.1', 'V2.0.1', '2.0.1', 'vendor-2', 'v'].map(plainVersion)).toEqual(['2.0.1', '2.0.1', '2.0.1', 'vendor-2', 'v']);
});

test.each([
  ['1.9.0', '1.10.0'],
  ['v2.0.1', '2.0.2'],
  ['2.0', '2.0.1'],
  ['0', '0.1'],
  ['20261121', '20261122'],
  ['1.9-rc1', '2.0'],
])('FWR-02-partial %s is older than %s, and not the other way round', (older, newer) => {
  expect([isOlderVersion(older, newer), isOlderVersion(newer, older)]).toEqual([true, false]);
});

test.each([
  ['2.0', 'v2.0.0'],
  ['2.0.0-rc1', '2.0.0'],
  ['sha256-12ab', '2.0'],
  ['', '1'],
  ['0', '0.0'],
])('FWR-02-partial of %j and %j none is older', (one, other) => {
  expect([isOlderVersion(one, other), isOlderVersion(other, one)]).toEqual([false, false]);
});
