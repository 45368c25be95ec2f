import { expect, test } from 'vitest';
import { mistakesOf, type RowClaim } from './row-checks.ts';

const claim = (columns: RowClaim['columns'], optional: readonly string[] = []): RowClaim => ({
  site: 'a.ts:1',
  columns,
  optional,
});

test('a claimed column that is not returned is a mistake, even without rows, unless it is optional', () => {
  expect(mistakesOf(claim({ id: ['string'] }), [], [])).toEqual(['a.ts:1: column "id" is claimed and not returned']);
  expect(mistakesOf(claim({ id: ['string'] }, ['id']), [], [])).toEqual([]);
});

test('types are compared without rows, nulls only in rows', () => {
  const fields = [{ name: 'id', kind: 'string' as const }];
  expect(mistakesOf(claim({ id: ['number', 'null'] }), [], fields)).toEqual([
    'a.ts:1: column "id" is claimed as number | null, PostgreSQL returns string',
  ]);
  expect(mistakesOf(claim({ id: ['string'] }), [{ id: 'a' }], fields)).toEqual([]);
  expect(mistakesOf(claim({ id: ['string'] }), [{ id: null }], fields)).toEqual([
    'a.ts:1: column "id" is claimed as string, PostgreSQL returns null',
  ]);
});

test('arrays are compared by their elements, json only as null or not', () => {
  expect(mistakesOf(claim({ tags: [{ array: ['string'] }] }), [{ tags: ['a', 1] }], undefined)).toEqual([
    'a.ts:1: column "tags" is claimed as (string)[], PostgreSQL returns (string | number)[]',
  ]);
  const fields = [{ name: 'data', kind: 'unknown' as const }];
  expect(mistakesOf(claim({ data: ['object'] }), [{ data: 'text' }], fields)).toEqual([]);
  expect(mistakesOf(claim({ data: ['object'] }), [{ data: null }], fields)).toHaveLength(1);
});
