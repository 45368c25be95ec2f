import { describe, expect, test } from 'vitest';
import { hasGoToPage, offersAll, pageCount, pageOfOffset, pageSizes, rowRange, shownPages } from './paging.ts';
import { changed, isFiltered, listSpec, parseListSearch, queryOf, withoutFilters } from './spec.ts';

const list = listSpec({
  id: 'test',
  defaultSize: 3,
  sorts: ['serial', 'vehicle'],
  fields: ['serial'],
  filters: { service: ['subscribed', 'expiring'], group: 'text' },
});

describe('the address of a list', () => {
  test('everything it knows is read', () => {
    const raw = {
      page: '3',
      size: '20',
      sort: '-serial',
      search: '007',
      field: 'serial',
      service: 'expiring',
      group: 'default+group+id',
    };
    expect(parseListSearch(list, raw)).toEqual({ ...raw, page: 3, size: 20 });
  });

  test.each([
    { page: '0' },
    { page: '-1' },
    { page: '1e3' },
    { page: 'x' },
    { size: '100000' },
    { sort: 'drop table' },
    { field: 'mac' },
    { service: 'gone' },
    { search: '' },
    { other: '<script>' },
    { group: 7 },
  ])('what it does not know is left out: %j', (raw) => {
    expect(parseListSearch(list, raw)).toEqual({});
  });

  test('a change of filter, sort or size starts from the first page; a change of page keeps the rest', () => {
    const at = { page: 4, service: 'expiring' } as const;
    expect(changed<typeof list>(at, { sort: '-serial' })).toEqual({ service: 'expiring', sort: '-serial' });
    expect(changed<typeof list>(at, { page: 5 })).toEqual({ page: 5, service: 'expiring' });
    expect(changed<typeof list>(at, { page: 1 })).toEqual({ service: 'expiring' });
    expect(changed<typeof list>(at, { service: undefined })).toEqual({});
    expect(changed<typeof list>({ search: 'a' }, { search: '' })).toEqual({});
  });

  test('its calls have sort, filters and a text with its field; page, size and a field without text are left out', () => {
    expect(queryOf(list, { page: 2, size: 5, sort: '-serial', group: 'g', field: 'serial', ignoreCase: 'true' })).toEqual({
      sort: '-serial',
      group: 'g',
    });
    expect(queryOf(list, { search: 'bus' })).toEqual({ search: 'bus', field: 'serial' });
    expect(queryOf(list, { search: 'bus', ignoreCase: 'true' })).toEqual({ search: 'bus', field: 'serial', ignoreCase: 'true' });
  });

  test('SHR-05-partial another text is searched case-sensitively again, another page or field of the same text is not', () => {
    const at = { search: 'bus', ignoreCase: 'true' } as const;
    expect(changed<typeof list>(at, { search: 'bu' })).toEqual({ search: 'bu' });
    expect(changed<typeof list>(at, { search: 'bus', field: 'serial' })).toEqual({ ...at, field: 'serial' });
    expect(changed<typeof list>(at, { page: 2 })).toEqual({ ...at, page: 2 });
    expect(withoutFilters(list, at)).toEqual({});
  });

  test('SHR-02-partial only filters count as filters, and Clear removes exactly those', () => {
    expect(isFiltered(list, { page: 2, sort: 'serial', size: 5, field: 'serial' })).toBe(false);
    expect(isFiltered(list, { group: 'x' })).toBe(true);
    expect(isFiltered(list, { search: 'x' })).toBe(true);
    expect(withoutFilters(list, { page: 2, sort: 'serial', search: 'x', group: 'g', size: 5 })).toEqual({
      sort: 'serial',
      size: 5,
    });
  });
});

describe('pages', () => {
  test("SHR-02-partial the common sizes are offered besides the list's own", () => {
    expect(pageSizes(3)).toEqual([3, 5, 10, 20, 30, 40, 50]);
    expect(pageSizes(10)).toEqual([5, 10, 20, 30, 40, 50]);
  });

  test('SHR-02-partial all rows can be shown at once if they are few and not all visible', () => {
    expect(offersAll(12, 3)).toBe(true);
    expect(offersAll(50, 40)).toBe(true);
    expect(offersAll(51, 3)).toBe(false);
    expect(offersAll(12, 20)).toBe(false);
    expect(offersAll(0, 3)).toBe(false);
  });

  test('SHR-02-partial the go-to-page field appears above 5 pages', () => {
    expect(hasGoToPage(15, 3)).toBe(false);
    expect(hasGoToPage(16, 3)).toBe(true);
  });

  test('RPT-02-partial page numbers collapse around the open page above 6 pages', () => {
    expect(shownPages(1, 1)).toEqual([1]);
    expect(shownPages(4, 6)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(shownPages(1, 7)).toEqual([1, 2, null, 7]);
    expect(shownPages(4, 7)).toEqual([1, null, 3, 4, 5, null, 7]);
    expect(shownPages(3, 7)).toEqual([1, 2, 3, 4, null, 7]);
    expect(shownPages(7, 7)).toEqual([1, null, 6, 7]);
  });

  test('an empty list has one page and no rows', () => {
    expect(pageCount(0, 10)).toBe(1);
    expect(rowRange(1, 10, 0)).toEqual([0, 0]);
    expect(rowRange(3, 10, 4)).toEqual([21, 24]);
  });

  test('SHR-04-partial a row is found on the page of its offset', () => {
    expect(pageOfOffset(0, 3)).toBe(1);
    expect(pageOfOffset(2, 3)).toBe(1);
    expect(pageOfOffset(3, 3)).toBe(2);
  });
});
