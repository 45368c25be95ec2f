import { expect, test } from 'vitest';
import { ariaSort, inOrder, isShown, nextSort } from './column.ts';

test('SHR-02-partial a header sorts ascending, descending, then not at all', () => {
  expect(nextSort('serial', undefined)).toBe('serial');
  expect(nextSort('serial', 'serial')).toBe('-serial');
  expect(nextSort('serial', '-serial')).toBeUndefined();
  expect(nextSort('serial', 'vehicle')).toBe('serial');
});

test('the order is exposed to assistive technology', () => {
  expect(ariaSort('serial', 'serial')).toBe('ascending');
  expect(ariaSort('serial', '-serial')).toBe('descending');
  expect(ariaSort('serial', 'vehicle')).toBe('none');
  expect(ariaSort(undefined, 'vehicle')).toBeUndefined();
});

test('a column is visible by default unless it is optional; a choice wins; a pinned one is always visible', () => {
  const column = { id: 'a', header: 'A', cell: () => null };
  expect(isShown(column, undefined)).toBe(true);
  expect(isShown({ ...column, optional: true }, undefined)).toBe(false);
  expect(isShown({ ...column, optional: true }, { a: true })).toBe(true);
  expect(isShown(column, { a: false })).toBe(false);
  expect(isShown({ ...column, pinned: true }, { a: false })).toBe(true);
});

test('columns are as declared, or in the order of a person; pinned ones keep their place, new ones come last', () => {
  const columns = [{ id: '#' }, { id: 'name', pinned: true }, { id: 'a' }, { id: 'b' }, { id: 'c' }];
  const ids = (order?: readonly string[]) => inOrder(columns, order).map(({ id }) => id);
  expect(ids()).toEqual(['#', 'name', 'a', 'b', 'c']);
  expect(ids(['c', 'name', '#', 'a'])).toEqual(['c', 'name', '#', 'a', 'b']);
  expect(ids(['gone', 'b'])).toEqual(['b', 'name', '#', 'a', 'c']);
});
